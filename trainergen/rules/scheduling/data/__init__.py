"""Rules on datasets, models and the volumes that hold them (TG570 to TG599)."""
