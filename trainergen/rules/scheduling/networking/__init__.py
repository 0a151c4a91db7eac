"""Rules on how Pods find and reach each other (TG550 to TG569)."""
