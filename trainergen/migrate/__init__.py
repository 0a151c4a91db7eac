"""From the kinds of the Training Operator to TrainJobs, with a report of what is lost or changed.

Start at ``migrate``. Like admission and renderer, which it builds on, it goes from values to values.
"""

from trainergen.migrate.catalogue import CATALOGUE
from trainergen.migrate.migration import TARGETS, can_migrate, migrate
from trainergen.migrate.options import Choices
from trainergen.migrate.result import Migration

__all__ = ["CATALOGUE", "TARGETS", "Choices", "Migration", "can_migrate", "migrate"]
