"""What a TrainJob changes in the Pods of its runtime, in the form that its release has for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.facts import Facts

MANAGER = "trainergen.io/build"


def pod_changes(facts: Facts, changes: Mapping[str, JsonObject]) -> JsonObject:
    """The field of a TrainJob with ``changes``, Pod specs by the name of the replicated job; empty without any."""
    jobs = {name: spec for name, spec in changes.items() if spec}
    if not jobs:
        return {}
    if facts.by_manager:
        patched: list[JsonValue] = [
            {"name": name, "template": {"spec": {"template": {"spec": spec}}}} for name, spec in jobs.items()
        ]
        runtime: JsonObject = {"template": {"spec": {"replicatedJobs": patched}}}
        return {facts.overrides: [{"manager": MANAGER, "trainingRuntimeSpec": runtime}]}
    entries: list[JsonValue] = []
    for name, spec in jobs.items():
        entry: JsonObject = {"targetJobs": [{"name": name}]}
        entry |= {"spec": spec} if facts.overrides_nested else spec
        entries.append(entry)
    return {facts.overrides: entries}
