"""Cases take rules from their files, so that a new one can be tested before the index has it."""

from tests.rules.conftest import _rules_as_written

__all__ = ["_rules_as_written"]
