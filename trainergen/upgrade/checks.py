"""What an upgrade has to say: what is lost, what was left alone, and what a person has to decide."""

from __future__ import annotations

from trainergen.finding import Check, Layer, Severity

RUNTIME_GONE = Check("TG830", "runtime-gone", Layer.LINT, "A TrainJob uses a runtime that the target no longer ships.")
PROCESSES_LOST = Check(
    "TG831", "processes-lost", Layer.LINT, "A number of processes that the target has no field for, or no known value."
)
ELASTIC_POLICY_DROPPED = Check(
    "TG832",
    "elastic-policy-dropped",
    Layer.LINT,
    "An elasticPolicy is taken out, which no release ever acted on.",
    Severity.WARNING,
)
OVERRIDE_METADATA_DROPPED = Check(
    "TG833",
    "override-metadata-dropped",
    Layer.LINT,
    "Metadata of an override that was ignored and would count from now on is left out.",
    Severity.WARNING,
)
NOT_EDITED = Check(
    "TG834", "not-edited-in-place", Layer.LINT, "A place that has to change and cannot be edited by itself."
)
STILL_REFUSED = Check("TG835", "still-refused", Layer.LINT, "What the target refuses even after the upgrade.")
FRAGMENT_ELSEWHERE = Check(
    "TG836",
    "fragment-elsewhere",
    Layer.LINT,
    "A removed field in a patch, a template or another object, which is left to its owner.",
)
PODS_WOULD_CHANGE = Check(
    "TG837", "pods-would-change", Layer.LINT, "An edit that is left out, since it would make other Pods."
)
RESOURCES_ADDED = Check(
    "TG838",
    "resources-added",
    Layer.LINT,
    "A TrainJob gets resources of its runtime that it replaced up to now.",
    Severity.WARNING,
)
STORAGE_SCHEME = Check("TG839", "storage-scheme-missing", Layer.LINT, "A storageUri without a scheme.")
MOUNT_MISSING = Check(
    "TG840",
    "initializer-unmounted",
    Layer.LINT,
    "An initializer whose container does not mount the volume initializer.",
)
NEWER_THAN_TARGET = Check(
    "TG841", "newer-than-target", Layer.LINT, "A field that came after the release that is upgraded to."
)
USED_ELSEWHERE = Check(
    "TG842",
    "processes-of-others",
    Layer.LINT,
    "A runtime loses its number of processes, and TrainJobs that are not here may rely on it.",
    Severity.WARNING,
)
LIST_REPLACED = Check(
    "TG843",
    "patch-replaces-list",
    Layer.LINT,
    "A patch of kustomize brings a list that replaces the one of its base.",
    Severity.WARNING,
)
POSITION_MOVED = Check(
    "TG844",
    "patched-position-moved",
    Layer.LINT,
    "A JSON patch goes by the position of a job that is elsewhere in the target's runtime.",
)

UPGRADE_CHECKS = {
    check.id: check
    for check in (
        RUNTIME_GONE,
        PROCESSES_LOST,
        ELASTIC_POLICY_DROPPED,
        OVERRIDE_METADATA_DROPPED,
        NOT_EDITED,
        STILL_REFUSED,
        FRAGMENT_ELSEWHERE,
        PODS_WOULD_CHANGE,
        RESOURCES_ADDED,
        STORAGE_SCHEME,
        MOUNT_MISSING,
        NEWER_THAN_TARGET,
        USED_ELSEWHERE,
        LIST_REPLACED,
        POSITION_MOVED,
    )
}
"""All checks of this part by id."""
