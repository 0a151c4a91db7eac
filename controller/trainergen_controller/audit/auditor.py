"""The audit of one live object: ``check`` on what the API server holds, and its JobSet against our render."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.decode import plain
from trainergen.diff.change import Impact
from trainergen.engine.judge import Judge
from trainergen.engine.lint import LOOKING_UP, Linter
from trainergen.engine.options import ALL_LAYERS, CheckOptions
from trainergen.engine.stand_ins import stand_ins
from trainergen.engine.workspace import INDEXED_KINDS, Workspace
from trainergen.finding import Finding, NotEvaluated, ObjectRef
from trainergen.releases import NEWEST, get_release
from trainergen.render import Cluster, RenderError, render
from trainergen.render.cluster import DEFAULT_NAMESPACE
from trainergen.render.pipeline import MANAGED_BY
from trainergen.rules.objects import Objects
from trainergen.rules.registry import all_rules
from trainergen.rules.runner import Runner
from trainergen.rules.selection import enabled
from trainergen.rules.settings import DEFAULT_PROFILE, RuleSettings
from trainergen.source.files import SourceFile
from trainergen_controller.audit.drift import OPERATORS, Drift, drift_of, is_going
from trainergen_controller.audit.outcome import Audit
from trainergen_controller.kinds import JOB_SET, TRAIN_JOB
from trainergen_controller.passes import conditions as of

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Layer

_NO_FEATURES: Mapping[str, bool] = MappingProxyType({})
_SERVER_METADATA = frozenset(
    {"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink", "ownerReferences"}
    | {"deletionTimestamp", "deletionGracePeriodSeconds"}
)
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
# What the pass of a living controller takes at most before a JobSet that is not there is missing.
_GRACE = timedelta(seconds=60)


class _Drifted(NamedTuple):
    drift: tuple[Drift, ...] = ()
    failure: str = ""


class Auditor:
    """Audits objects by the rules of a profile; to be made once, for the rules take their time to load.

    Its calls do not change it and may come from several threads.
    """

    def __init__(
        self,
        *,
        release: str = NEWEST.name,
        features: Mapping[str, bool] = _NO_FEATURES,
        profile: str = DEFAULT_PROFILE,
        select: tuple[str, ...] = (),
        ignore: tuple[str, ...] = (),
        layers: frozenset[Layer] = ALL_LAYERS,
        operators: Collection[str] = OPERATORS,
    ) -> None:
        self._release = get_release(release)
        self._features = features
        self._operators = operators
        settings = RuleSettings(profile)
        self._options = CheckOptions(
            paths=(), release=self._release.name, layers=layers, select=select, ignore=ignore, rules=settings
        )
        rules = enabled(
            all_rules().values(), settings, release=self._release.name, select=select, ignore=ignore, with_base=False
        )
        self._runner = Runner(rules, settings)
        self._kinds = INDEXED_KINDS | self._runner.looked_up(*LOOKING_UP)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of objects that rules look up besides what a TrainJob is rendered from."""
        return self._kinds

    def audit(
        self, found: Mapping[str, Any], objects: Iterable[Mapping[str, Any]] = (), *, now: datetime | None = None
    ) -> Audit:
        """What is wrong with ``found``, a TrainJob or runtime as the API server has it.

        ``objects`` are the runtime and the TrainJob's own objects as for ``reconcile``, and whatever else of ``kinds``
        is at hand. With ``now``, a TrainJob that was only just created may still be without JobSet. Nothing is changed.
        """
        seen = object_at(plain(found))
        around = [object_at(plain(each)) for each in objects]
        ref = _ref(seen)
        findings, undecided = self._judged(seen, around)
        drifted = self._drifted(seen, around, now) if ref.kind == TRAIN_JOB.kind else _Drifted()
        return Audit(ref, text_at(seen, "metadata", "uid"), findings, drifted.drift, drifted.failure, undecided)

    def _judged(
        self, seen: JsonObject, around: list[JsonObject]
    ) -> tuple[tuple[Finding, ...], tuple[NotEvaluated, ...]]:
        known = Objects()
        workspace = Workspace(kinds=self._kinds, objects=known)
        file = _file_of(seen)
        workspace.take(file)
        for each in around:
            if text_at(each, "kind") in self._kinds:
                workspace.take(_file_of(each))
        linter = Linter(self._runner, release=self._release, workspace=workspace, objects=known)
        verdict = Judge(self._options, workspace, None, linter).judge(file)
        undecided = tuple(NotEvaluated(each.check, each.reason, each.layer) for each in verdict.not_evaluated)
        return tuple(sorted(verdict.findings, key=lambda each: (each.path, each.rule))), undecided

    def _drifted(self, job: JsonObject, around: list[JsonObject], now: datetime | None) -> _Drifted:
        honoured = self._release.rendering.managed_by_honoured
        if honoured and object_at(job, "spec").get("managedBy") not in (None, MANAGED_BY):
            return _Drifted()
        name, namespace = text_at(job, "metadata", "name"), text_at(job, "metadata", "namespace") or DEFAULT_NAMESPACE
        live = Cluster(around).get(JOB_SET.group, JOB_SET.kind, name, namespace)
        leaving = bool(text_at(job, "metadata", "deletionTimestamp"))
        finished = of.is_finished([object_at(one) for one in list_at(job, "status", "conditions")])
        if leaving or (live is None and finished) or (live is not None and is_going(live)):
            return _Drifted()
        # Without the JobSet and PodGroup that exist, both are rendered.
        others = [each for each in around if text_at(each, "kind") not in ("JobSet", "PodGroup")]
        there = Cluster([*stand_ins(self._features), *others], complete=True)
        try:
            rendered = render(job, there, release=self._release.name, features=self._features, snapshot=False)
        except RenderError as error:
            return _Drifted(failure=f"{error.message}. {error.help}" if error.help else error.message)
        [wanted] = [each for each in rendered.objects if each["kind"] == JOB_SET.kind]
        if live is None:
            missing = Drift("", Impact.RESTART, "there is no JobSet of that name")
            return _Drifted(() if _is_young(job, now) else (missing,))
        return _Drifted(drift_of({**live}, wanted, operators=self._operators))


def audit(
    found: Mapping[str, Any],
    objects: Iterable[Mapping[str, Any]] = (),
    *,
    release: str = NEWEST.name,
    features: Mapping[str, bool] = _NO_FEATURES,
    profile: str = DEFAULT_PROFILE,
    now: datetime | None = None,
) -> Audit:
    """One audit; see ``Auditor``, which is to be made once for many."""
    return Auditor(release=release, features=features, profile=profile).audit(found, objects, now=now)


def _ref(found: JsonObject) -> ObjectRef:
    metadata = object_at(found, "metadata")
    return ObjectRef(
        text_at(found, "apiVersion"), text_at(found, "kind"), text_at(metadata, "namespace"), text_at(metadata, "name")
    )


def _is_young(job: JsonObject, now: datetime | None) -> bool:
    created = of.moment_of(text_at(job, "metadata", "creationTimestamp"))
    return now is not None and created is not None and now - created < _GRACE


def _file_of(found: JsonObject) -> SourceFile:
    """The object as a manifest: without what the API server writes into it."""
    metadata = {key: part for key, part in object_at(found, "metadata").items() if key not in _SERVER_METADATA}
    annotations = {key: part for key, part in object_at(metadata, "annotations").items() if key != _LAST_APPLIED}
    if annotations:
        metadata["annotations"] = {**annotations}
    else:
        metadata.pop("annotations", None)
    manifest = {key: part for key, part in found.items() if key != "status"}
    text = json.dumps({**manifest, "metadata": metadata}, ensure_ascii=False)
    ref = _ref(found)
    name = "/".join(part for part in (ref.kind, ref.namespace, ref.name) if part)
    return SourceFile(f"{name}.json", explicit=True, data=text.encode())
