"""What a specification may say, and how each fault in it is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trainergen.errors import TrainergenError
from trainergen.generate import Spec, Workspace

if TYPE_CHECKING:
    from trainergen.generate.faults import SpecError

HEAD = "name: team\nenvironments: {dev: {}}\n"
RUNTIME = "runtimes:\n  torch: {from: torch-distributed}\n"

FAULTS = {
    "an unknown key with the nearest one": (
        HEAD + "jobs:\n  bert: {runtime: torch, nodess: 2}\n",
        "4:26: unknown key 'nodess' in 'jobs.bert' (did you mean 'nodes'?)",
        "Known keys here:",
    ),
    "a name that no object can have": (
        "name: team\nenvironments:\n  Dev: {}\n",
        "3:3: 'Dev' is no name in lower case",
        "Write lower-case letters, digits and hyphens",
    ),
    "a number that is none": (
        HEAD + "jobs:\n  bert: {runtime: torch, nodes: many}\n",
        "4:33: 'jobs.bert.nodes' is 'many', but a whole number is expected",
        "Correct the value",
    ),
    "a number out of range": (
        HEAD + "jobs:\n  bert: {runtime: torch, nodes: 0}\n",
        "4:33: 'jobs.bert.nodes' is '0', but at least 1 is expected",
        "Correct the value",
    ),
    "an amount that is none": (
        HEAD + RUNTIME.replace("}", ", memory: 64GiB}"),
        "4:44: '64GiB' is no amount",
        "Write a number, with a unit such as 500m or 64Gi.",
    ),
    "a duration that is none": (
        HEAD + "jobs:\n  bert: {runtime: torch, deadline: soon}\n",
        "4:36: 'soon' is no duration",
        "Write it as 90m, 12h or 1d12h",
    ),
    "a choice that is none": (
        HEAD + "output: {format: kustomise}\n",
        "3:18: 'output.format' is 'kustomise' (did you mean 'kustomize'?)",
        "Use one of kustomize, helm, plain.",
    ),
    "what is missing": (
        "name: team\n",
        "the configuration has no 'environments'",
        "Add environments.",
    ),
    "a text in place of a list": (
        HEAD + "jobs:\n  bert: {runtime: torch, args: --x}\n",
        "4:32: 'jobs.bert.args' is '--x', but a list is expected",
        "Write it as a list: args: [--x].",
    ),
    "an unknown runtime": (
        HEAD + RUNTIME + "jobs:\n  bert: {runtime: tourch}\n",
        "6:19: there is no runtime 'tourch' (did you mean 'torch'?)",
        "The runtimes are torch.",
    ),
    "an unknown base": (
        HEAD + "runtimes:\n  torch: {from: torch-distributd}\n",
        "4:17: Trainer 2.3 has no runtime or recipe 'torch-distributd' (did you mean 'torch-distributed'?)",
        "Use one of",
    ),
    "an unknown environment": (
        HEAD + RUNTIME + "jobs:\n  bert: {runtime: torch, only: [prd]}\n",
        "6:33: there is no environment 'prd'",
        "The environments are dev.",
    ),
    "an unknown node pool": (
        HEAD + RUNTIME + "jobs:\n  bert: {runtime: torch, node-pool: gpu}\n",
        "6:37: there is no node pool 'gpu' in the environment 'dev'",
        "Add it to environments.dev.node-pools.",
    ),
    "a script that is not there": (
        HEAD + RUNTIME + "jobs:\n  bert: {runtime: torch, script: train.py}\n",
        "6:34: the script 'train.py' cannot be read: no such file or directory",
        "Check the path of the script.",
    ),
    "a credential": (
        HEAD + RUNTIME + "jobs:\n  bert: {runtime: torch, env: {HF_TOKEN: hf_abcdefghijklmnopqrstuvwxyzABCDEFGH}}\n",
        "6:42: HF_TOKEN holds a Hugging Face token as plain text",
        "Put it into a Secret and name that",
    ),
    "a credential of a runtime by its name": (
        HEAD + RUNTIME.replace("}", ", env: {WANDB_API_KEY: 0123456789abcdef}}"),
        "WANDB_API_KEY holds a credential as plain text",
        "Put it into a Secret",
    ),
    "data that nobody downloads": (
        HEAD + RUNTIME + "jobs:\n  bert: {runtime: torch, data: hf://a/b}\n",
        "6:32: the runtime 'torch' has no job 'dataset-initializer' that would download it",
        "Set runtimes.torch.downloads, or mount a claim that has it.",
    ),
    "a volume without anything": (
        HEAD + RUNTIME.replace("}", ", storage: {data: {mount: /data}}}"),
        "the volume 'data' has neither claim nor size",
        "Give it one of them.",
    ),
    "a gang that waits for itself": (
        HEAD + "runtimes:\n  tune: {from: torchtune-llama3.2-1b, gang: volcano}\n",
        "4:45: volcano waits for all Pods of a job, but this runtime makes some only after others have run",
        "Use kueue",
    ),
    "Kueue without a queue": (
        HEAD + RUNTIME.replace("}", ", gang: kueue}"),
        "Kueue is to start the Pods, but the environment 'dev' has no queue",
        "Name one in environments.dev.queue.",
    ),
    "a sweep that is too large": (
        HEAD
        + RUNTIME
        + "jobs:\n  bert:\n    runtime: torch\n    sweep: {parameters: {a: [1, 2, 3], b: [1, 2]}, limit: 5}\n",
        "the sweep makes 6 jobs, but its limit is 5",
        "Give it fewer values",
    ),
    "a sweep that makes no job": (
        HEAD + RUNTIME + "jobs:\n  bert: {runtime: torch, args: [a], sweep: {lr: [], batch: [1]}}\n",
        "6:44: the sweep makes no job, for 'lr' has no values",
        "Give it one",
    ),
    "a job that is only a name": (
        HEAD + "jobs:\n  bert:\n",
        "4:8: 'jobs.bert' has no 'runtime'",
        "Add runtime.",
    ),
    "a runtime that is only a name": (
        HEAD + "runtimes:\n  torch:\n",
        "4:9: 'runtimes.torch' has no 'from'",
        "Add from.",
    ),
    "no environment at all": (
        "name: team\nenvironments: {}\n",
        "2:15: 'environments' is a mapping, but at least one entry is expected",
        "Correct the value",
    ),
    "a job that runs nothing": (
        HEAD + RUNTIME + "jobs:\n  bert: {runtime: torch}\n",
        "6:9: nothing says what the job runs, and the runtime 'torch' does not either",
        "Give it an entrypoint, a script, or an image that has one.",
    ),
    "a label that Kubernetes refuses": (
        "name: team\nenvironments:\n  dev: {labels: {cost center: x}}\n",
        "3:18: 'cost center' is no key of a label",
        "Write it as name or example.com/name.",
    ),
    "a value of a label that Kubernetes refuses": (
        "name: team\nenvironments:\n  dev: {labels: {owner: a b}}\n",
        "3:25: 'a b' is no value of a label",
        "Write letters, digits",
    ),
    "a namespace that is too long": (
        f"name: {'n' * 40}\nenvironments: {{{'e' * 40}: {{}}}}\n",
        "has 81 characters, but at most 63 fit",
        f"Set environments.{'e' * 40}.namespace.",
    ),
    "two environments in one namespace": (
        "name: team\nenvironments: {dev: {namespace: a}, prod: {namespace: a}}\n",
        "2:55: the environments 'dev' and 'prod' share the namespace 'a'",
        "Give each a namespace of its own",
    ),
    "an entrypoint that no shell could split": (
        HEAD + 'jobs:\n  bert: {runtime: torch, entrypoint: "torchrun \'x"}\n',
        "cannot be split into words: no closing quotation",
        "Write it as a list.",
    ),
    "an unknown release": (
        "release: 9.9\n" + HEAD,
        "spec.yaml:1:10: unknown Trainer release '9.9'",
        "Known releases: ",
    ),
    "a variable that is set twice": (
        HEAD + RUNTIME + "jobs:\n  bert: {runtime: torch, image: a, env: {A: x}, secrets: {A: b/c}}\n",
        "6:62: the variable 'A' is among env as well",
        "Keep one of the two.",
    ),
    "a name that leaves no room for Pods": (
        HEAD + RUNTIME + f"jobs:\n  {'b' * 40}: {{runtime: torch}}\n",
        f"'{'b' * 40}' has 40 characters, but at most 39 leave room for the names of Pods",
        "Shorten the name of the job.",
    ),
}


def refused(folder: Path, text: str) -> TrainergenError:
    file = folder / "spec.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TrainergenError) as caught:
        Workspace.load(file).resolve()
    return caught.value


@pytest.mark.parametrize(("text", "message", "hint"), FAULTS.values(), ids=FAULTS.keys())
def test_each_fault_is_told_with_its_place_and_the_way_out(text: str, message: str, hint: str, tmp_path: Path) -> None:
    error = refused(tmp_path, text)
    assert message in error.message
    assert error.message.startswith(f"{tmp_path}/spec.yaml")
    assert hint in error.hint
    assert error.exit_code == 2


def test_an_environment_that_is_only_a_name_is_one_that_sets_nothing(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(
        "build:\n  name: team\n  environments:\n    dev:\n    prod: {queue: , size: {nodes: 2}}\n"
    )
    spec = Workspace.load(tmp_path / "spec.yaml").spec
    assert list(spec.environments) == ["dev", "prod"]
    assert spec.environments["prod"].queue is None


def test_a_list_whose_only_entry_is_refused_is_not_called_too_short(tmp_path: Path) -> None:
    error = refused(tmp_path, HEAD + RUNTIME.replace("}", ", downloads: [dta]}"))
    assert [line.split(": ", 1)[1] for line in error.message.splitlines()] == [
        "'runtimes.torch.downloads.of[0]' is 'dta' (did you mean 'data'?)"
    ]


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    error = refused(tmp_path, HEAD + RUNTIME + "jobs:\n  a: {runtime: x}\n  b: {runtime: y}\n")
    assert [line.rsplit(":", 3)[1] for line in error.message.splitlines()] == ["6", "7"]


def test_the_section_of_a_configuration_is_the_specification(tmp_path: Path) -> None:
    indented = "".join(f"  {line}\n" for line in (HEAD + RUNTIME).splitlines())
    (tmp_path / "trainergen.yaml").write_text(f"release: 2.2\ncheck: {{profile: strict}}\nbuild:\n{indented}")
    workspace = Workspace.load(tmp_path / "trainergen.yaml")
    assert workspace.release.name == "2.2"
    assert workspace.folder == tmp_path / "deploy"
    (tmp_path / "trainergen.yaml").write_text(f"release: 2.2\nbuild:\n{indented}  typo: 1\n")
    with pytest.raises(TrainergenError, match=r"trainergen\.yaml:7:3: unknown key 'typo' in 'build'"):
        Workspace.load(tmp_path / "trainergen.yaml")


def test_pyproject_may_have_it_too(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.trainergen.build]\nname = "team"\n[tool.trainergen.build.environments.dev]\nqueue = "q"\n')
    assert Workspace.load(file).spec.environments["dev"].queue is not None
    file.write_text("[tool.trainergen.check]\n")
    with pytest.raises(TrainergenError, match="the configuration has no 'build'"):
        Workspace.load(file)


@pytest.mark.parametrize(("text", "found"), [("", "nothing"), ("- a\n", "a list"), ("a\n", "'a'")])
def test_a_file_without_a_specification_is_told(text: str, found: str, tmp_path: Path) -> None:
    assert f"there is no specification, but {found}" in refused(tmp_path, text).message


def test_texts_stay_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(
        HEAD + RUNTIME + "jobs:\n  bert: {runtime: torch, args: [--lr, 1e-3, 010, yes], env: {A: 0.10}}\n"
    )
    spec = Workspace.load(tmp_path / "spec.yaml").spec
    assert spec.jobs["bert"].args == ("--lr", "1e-3", "010", "yes")
    assert spec.jobs["bert"].env == {"A": "0.10"}


def test_a_specification_in_python_has_names_with_underscores() -> None:
    spec = Spec.model_validate(
        {
            "name": "team",
            "environments": {"dev": {"pod_security": "baseline", "node_pools": {"a": {"labels": {"x": 1}}}}},
            "runtimes": {"torch": {"base": "torch-ddp", "shared_memory": "1Gi", "gpus": 2, "cpu": 4}},
        }
    )
    assert spec.environments["dev"].pod_security == "baseline"
    assert spec.environments["dev"].node_pools["a"].labels == {"x": "1"}
    assert spec.runtimes["torch"].base == "torch-ddp"


def test_a_file_must_have_the_published_names(tmp_path: Path) -> None:
    error = refused(tmp_path, "name: team\nenvironments: {dev: {pod_security: baseline}}\n")
    assert "unknown key 'pod_security' in 'environments.dev' (did you mean 'pod-security'?)" in error.message


def test_faults_in_python_are_told_by_their_path() -> None:
    spec = Spec.model_validate({"name": "t", "environments": {"dev": {}}, "jobs": {"a": {"runtime": "x"}}})
    with pytest.raises(TrainergenError, match=r"^jobs\.a\.runtime: there is no runtime 'x'") as caught:
        Workspace(spec).resolve()
    error: SpecError = caught.value  # type: ignore[assignment]
    assert error.faults[0].path == ("jobs", "a", "runtime")
