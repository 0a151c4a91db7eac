"""Pure auditing: what ``check`` finds about live objects, and how a live JobSet differs from what is rendered for it.

Start at ``auditor.audit``.
"""

from trainergen_controller.audit.auditor import Auditor, audit
from trainergen_controller.audit.drift import Drift
from trainergen_controller.audit.outcome import Audit, Measures, events_of, measures_of
from trainergen_controller.audit.reports import policy_reports

__all__ = ["Audit", "Auditor", "Drift", "Measures", "audit", "events_of", "measures_of", "policy_reports"]
