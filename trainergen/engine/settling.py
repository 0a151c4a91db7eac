"""What becomes of the findings of a run: suppressions, the settings of paths and the baseline take some out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.report import NOTHING_HIDDEN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from trainergen.engine.options import CheckOptions
    from trainergen.finding import Finding
    from trainergen.report import LocatedNotEvaluated
    from trainergen.rules.runner import Runner
    from trainergen.suppress.suppression import KnownChecks
    from trainergen.suppress.written import Written


class Settling:
    """Settles the findings of one run.

    ``written`` holds the suppressions by file; a file that is not in it was not looked at for suppressions. ``checked``
    are the files that were judged.
    """

    def __init__(
        self, options: CheckOptions, runner: Runner | None, written: dict[str, list[Written]], checked: Collection[str]
    ) -> None:
        self.options = options
        self.runner = runner
        self.written = written
        self.checked = checked
        self.hidden = NOTHING_HIDDEN
        self.not_evaluated: list[LocatedNotEvaluated] = []

    def settle(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that the report lists, each once: jobs of one runtime share its faults."""
        found = self._suppressed(list(dict.fromkeys(findings)))
        found = self._by_path(found)
        return tuple(self._compared(found) if self.options.baseline is not None else found)

    def _suppressed(self, findings: list[Finding]) -> list[Finding]:
        written = [one for ones in self.written.values() for one in ones] + self._elsewhere(findings)
        if not written:
            return findings
        from trainergen.suppress.suppression import Suppression

        suppression = Suppression(written, self._known(), today=self.options.today)
        kept = suppression.settle(findings)
        self.hidden = self.hidden._replace(suppressed=len(findings) - len(kept))
        if self.runner is None or not self.runner.has("directive"):
            return kept
        from trainergen.engine.lint import undecided
        from trainergen.finding import Finding

        for directive in suppression.directives():
            for outcome in self.runner.run("directive", directive, at=directive.spot):
                if isinstance(outcome, Finding):
                    kept.append(outcome)
                else:
                    self.not_evaluated.append(undecided(outcome, None))
        return kept

    def _elsewhere(self, findings: list[Finding]) -> list[Written]:
        """The suppressions of files that findings lie in although they were not judged, such as templates."""
        names = sorted({finding.file for finding in findings} - self.written.keys() - {""})
        if not names:
            return []
        from trainergen.rules.tree import DiskTree
        from trainergen.suppress.search import suppressions

        tree = DiskTree(self.options.texts)
        return [one for name in names if (data := tree.read(name)) for one in suppressions(data, name)]

    def _known(self) -> KnownChecks:
        from trainergen.engine.checks import all_checks
        from trainergen.rules.registry import all_rules
        from trainergen.suppress.suppression import KnownChecks

        checks, rules = all_checks(), all_rules()
        ran = {rule.id for rule in self.runner.rules} if self.runner is not None else set()
        others = [check for check in checks.values() if check.id not in rules]
        asked = {one.id for one in others if one.layer in self.options.layers and self.options.wants(one.id, one.name)}
        unasked = {one.id for one in others} - asked
        return KnownChecks(checks, rules, ran | asked, unasked | self._left_out(ran))

    def _left_out(self, ran: set[str]) -> set[str]:
        """The rules of the profile that did not run, or saw too few files to find everything."""
        from trainergen.engine.lint import AFTERWARDS
        from trainergen.rules.registry import all_rules
        from trainergen.rules.selection import enabled

        rules = enabled(all_rules().values(), self.options.rules, release=self.options.release)
        partial = self.options.skip_unrelated
        return {
            rule.id
            for rule in rules
            if rule.id not in ran or (partial and (rule.view in AFTERWARDS or bool(rule.looks_up)))
        }

    def _by_path(self, findings: list[Finding]) -> list[Finding]:
        if not self.options.rules.per_path:
            return findings
        from trainergen.engine.path_settings import PathSettings

        settings = PathSettings(self.options.rules.per_path)
        return [settled for finding in findings if (settled := settings.settle(finding)) is not None]

    def _compared(self, findings: list[Finding]) -> list[Finding]:
        from trainergen.suppress.stale import stale_finding

        assert self.options.baseline is not None
        known = self._known()
        checked = frozenset(self.checked)

        def is_judged(file: str, check: str) -> bool:
            return file in checked and check in known.ran and check not in known.left_out

        compared = self.options.baseline.compare(findings, is_judged=is_judged)
        self.hidden = self.hidden._replace(baseline=compared.hidden.baseline, refused=compared.hidden.refused)
        stale = stale_finding(self.options.baseline, compared.stale) if compared.stale else None
        if stale is not None and self.options.wants(stale.rule, stale.name):
            return [*compared.findings, stale]
        return compared.findings
