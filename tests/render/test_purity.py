"""Rendering is a function: it changes nothing it is given, and gives the same for the same."""

from __future__ import annotations

import ast
import copy
import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import trainergen.render
from tests.render.builders import RELEASES, mpi_runtime, patch, pod_patch, render, runtime, train_job
from tests.render.test_oracle import recorded
from trainergen.releases import get_release
from trainergen.render import RenderError
from trainergen.render.cluster import Cluster
from trainergen.render.pipeline import prepared, run
from trainergen.render.registry import Plugins, plugins_of

PACKAGE = Path(trainergen.render.__file__).parent
FORBIDDEN = {"yaml", "os", "time", "random", "kubernetes", "secrets", "socket", "subprocess", "datetime", "uuid", "io"}


def test_the_package_imports_nothing_that_reaches_out() -> None:
    files = sorted(PACKAGE.glob("*.py"))
    assert len(files) > 20
    for file in files:
        for statement in ast.walk(ast.parse(file.read_text())):
            if isinstance(statement, ast.Import):
                names = {alias.name.partition(".")[0] for alias in statement.names}
            elif isinstance(statement, ast.ImportFrom):
                names = {(statement.module or "").partition(".")[0]}
            else:
                continue
            assert not names & FORBIDDEN, file.name


def frozen(value: Any) -> Any:
    """``value`` in types that cannot be changed."""
    if isinstance(value, dict):
        return MappingProxyType({key: frozen(child) for key, child in value.items()})
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: thawed(child) for key, child in value.items()}
    return [thawed(child) for child in value] if isinstance(value, (list, tuple)) else value


def outcome(case: dict[str, Any], release: str, *, freeze: bool = False) -> str:
    job, objects = case["trainjob"], case["objects"]
    if freeze:
        job, objects = frozen(job), frozen(objects)
    try:
        result = render(job, objects, release=release, features=case.get("features") or {})
    except RenderError as error:
        return f"{error.message}\n{error.help}"
    return json.dumps([result.objects, result.notes])


@pytest.mark.parametrize("release", RELEASES)
def test_frozen_inputs_give_the_same_as_plain_ones(release: str) -> None:
    for case in recorded(release)[::3]:
        before = copy.deepcopy(case)
        plain = outcome(case, release)
        assert case == before
        assert outcome(case, release, freeze=True) == plain
        assert outcome(case, release) == plain


def test_nothing_is_shared_between_two_places_of_the_output_or_with_the_input() -> None:
    override = {
        "targetJobs": [{"name": "node"}, {"name": "launcher"}],
        "spec": {"volumes": [{"name": "v", "emptyDir": {}}], "tolerations": [{"key": "x"}]},
    }
    trainer = {"env": [{"name": "A", "value": "1"}], "command": ["a"], "resourcesPerNode": {"limits": {"cpu": "1"}}}
    for release, extra in (("2.1", {"podTemplateOverrides": [override]}), ("2.3", {})):
        job, rt = train_job(trainer, **extra), mpi_runtime(as_node=True)
        seen: dict[int, str] = {id(part): "input" for document in (job, rt) for part in containers(document)}
        for item in render(job, [rt], release=release).objects:
            for part in containers(item):
                assert id(part) not in seen, f"{part} is shared with {seen[id(part)]}"
                seen[id(part)] = item["kind"]


def containers(value: Any) -> Any:
    if isinstance(value, (dict, list)):
        yield value
        for child in value.values() if isinstance(value, dict) else value:
            yield from containers(child)


SCRIPT = """
import json
from tests.render.test_purity import outcome
from tests.render.test_oracle import recorded
print(json.dumps([outcome(case, "2.3") for case in recorded("2.3")[::7]]))
"""


def test_the_hash_seed_does_not_matter() -> None:
    root = PACKAGE.parent.parent
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            check=True,
            cwd=root,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert json.loads(outputs.pop()) == [outcome(case, "2.3") for case in recorded("2.3")[::7]]


def built(job: dict[str, Any], objects: list[Any], plugins: Plugins) -> list[Any]:
    draft, _ = prepared(job, Cluster(objects), get_release("2.3"), {})
    return sorted(run(draft, plugins), key=lambda item: (item["kind"], item["apiVersion"], item["metadata"]["name"]))


ORDERLESS = {
    "torch": runtime(policy={"torch": {}}, gang={"coscheduling": {}, "volcano": {}}),
    "mpi": mpi_runtime(as_node=True),
    "jax": runtime(policy={"jax": {}}, gang={"volcano": {}}),
    "plain": runtime(gang={"coscheduling": {}}),
}


@pytest.mark.parametrize("framework", ORDERLESS)
def test_the_order_of_plugins_does_not_matter(framework: str) -> None:
    trainer = {
        "numNodes": 3,
        "env": [{"name": "A", "value": "1"}],
        "resourcesPerNode": {"limits": {"x/gpu": "2"}, "requests": {"cpu": "2"}},
    }
    job = train_job(trainer, runtimePatches=[patch(pod_patch("node", nodeSelector={"a": "b"}))])
    objects = [ORDERLESS[framework]]
    fixed = plugins_of(get_release("2.3"), {})
    expected = built(job, objects, fixed)
    shuffler = random.Random(7)
    for _ in range(8):
        shuffled = Plugins(
            *(
                tuple(shuffler.sample(phase, len(phase)))
                for phase in (fixed.ml_policy, fixed.pod_group_policy, fixed.build)  # type: ignore[arg-type]
            )
        )
        assert built(job, objects, shuffled) == expected


@pytest.mark.parametrize("framework", ["xgboost", "flux"])
def test_where_two_plugins_meet_in_a_container_only_the_order_of_variables_depends_on_it(framework: str) -> None:
    job = train_job({"numNodes": 3, "env": [{"name": "A", "value": "1"}]})
    objects = [runtime(policy={framework: {}})]
    fixed = plugins_of(get_release("2.3"), {})
    turned = Plugins(fixed.ml_policy[::-1], fixed.pod_group_policy, fixed.build[::-1])

    def sorted_env(objects: list[Any]) -> list[Any]:
        for item in objects:
            for part in containers(item):
                if isinstance(part, dict) and isinstance(part.get("env"), list):
                    part["env"].sort(key=lambda entry: entry["name"])
        return objects

    assert sorted_env(built(job, objects, turned)) == sorted_env(built(job, objects, fixed))
