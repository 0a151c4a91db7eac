"""Admission policies of the cluster (ValidatingAdmissionPolicy, MutatingAdmissionPolicy), evaluated offline.

Start at ``collect.collect``, which finds policies, bindings, parameters and namespaces in files, and at
``Policies.review``, which says what they make of an object.
"""

from trainergen.policies.collect import collect, may_hold_policies
from trainergen.policies.policies import Policies
from trainergen.policies.review import Review
from trainergen.policies.target import Target, target_of

__all__ = ["Policies", "Review", "Target", "collect", "may_hold_policies", "target_of"]
