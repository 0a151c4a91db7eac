"""Upgrades of Trainer objects from one release to another, as edits of what was written."""

from trainergen.upgrade.checks import UPGRADE_CHECKS
from trainergen.upgrade.plan import UpgradePlan, upgrade
from trainergen.upgrade.work import DEFAULT_MANAGER, Surroundings

__all__ = ["DEFAULT_MANAGER", "UPGRADE_CHECKS", "Surroundings", "UpgradePlan", "upgrade"]
