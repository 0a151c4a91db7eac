"""The checks that admission policies make, and those that are made of the policies themselves."""

from __future__ import annotations

from trainergen.finding import Check, Layer, Severity

DENIED = Check("TG171", "policy-denied", Layer.POLICY, "a policy of the cluster refuses the object")
WARNED = Check("TG172", "policy-warned", Layer.POLICY, "a policy of the cluster warns", Severity.WARNING)
AUDITED = Check("TG173", "policy-audited", Layer.POLICY, "a policy of the cluster notes it for audits", Severity.INFO)
FAILED = Check(
    "TG174", "policy-failed", Layer.POLICY, "a policy cannot be computed for the object, which refuses it by default"
)
FAULTY = Check("TG175", "policy-faulty", Layer.POLICY, "a policy or binding is not one that the API server accepts")
UNBOUND = Check("TG176", "policy-unbound", Layer.LINT, "a policy has no binding and so does nothing", Severity.INFO)
NO_POLICY = Check(
    "TG177",
    "binding-without-policy",
    Layer.LINT,
    "no file holds the policy that a binding names",
    Severity.WARNING,
)
NO_PARAMETERS = Check(
    "TG178", "policy-parameters", Layer.LINT, "policy and binding do not agree on parameters", Severity.WARNING
)
MUTATES = Check("TG179", "policy-mutates", Layer.POLICY, "a policy of the cluster changes the object", Severity.INFO)

CHECKS: tuple[Check, ...] = (
    DENIED,
    WARNED,
    AUDITED,
    FAILED,
    FAULTY,
    UNBOUND,
    NO_POLICY,
    NO_PARAMETERS,
    MUTATES,
)
"""Every check of this part, for the documentation and for ``--select``."""
