"""All checks there are, by id."""

from __future__ import annotations

from functools import cache

from trainergen.finding import Check, Layer


@cache
def all_checks() -> dict[str, Check]:
    """Every check by id, in the order of the ids."""
    from trainergen.admission import checks as admission
    from trainergen.admission.legacy import checks as legacy
    from trainergen.admission.webhooks import checks as webhooks
    from trainergen.built import checks as built
    from trainergen.migrate import catalogue as migrate
    from trainergen.policies import checks as policies
    from trainergen.rules import registry
    from trainergen.source import checks as source
    from trainergen.suppress import checks as suppress
    from trainergen.upgrade import checks as upgrade
    from trainergen.upgrade.live import checks as live

    modules = (source, built, admission, webhooks, legacy, migrate, policies, suppress, upgrade, live)
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Check)]
    found += [
        Check(rule.id, rule.name, Layer.LINT, rule.summary, rule.severity_value)
        for rule in registry.all_rules().values()
    ]
    made: dict[str, Check] = {}
    for check in sorted(found, key=lambda check: check.id):
        if made.setdefault(check.id, check).name != check.name:
            raise ValueError(f"{check.id} stands for both {made[check.id].name} and {check.name}")
    return made
