"""Rules on trainergen itself and on its directives (TG9xx)."""
