"""The recipes: accepted as they are by their releases and only by them, without drift, restricted, pinned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

import trainergen
from tests.catalogue.restricted import violations
from trainergen.api.quantity import parse_quantity
from trainergen.catalogue.recipes import RECIPES
from trainergen.releases import NEWEST, RELEASES
from trainergen.releases.catalogue import shipped_runtimes

if TYPE_CHECKING:
    from trainergen.catalogue.definition import Recipe

RELEASE_NAMES = [release.name for release in RELEASES]
each_recipe = pytest.mark.parametrize("recipe", [pytest.param(recipe, id=recipe.name) for recipe in RECIPES])
on_each_release = pytest.mark.parametrize(
    ("recipe", "release"),
    [pytest.param(recipe, release, id=f"{recipe.name}-{release}") for recipe in RECIPES for release in recipe.releases],
)
UNDER_MPIRUN = [
    pytest.param(recipe, id=recipe.name) for recipe in RECIPES if "mpi" in recipe.runtime.to_dict()["spec"]["mlPolicy"]
]
UNTAGGED = re.compile(r"^[^:]+$|:latest$")
LONGEST_JOB_NAME = {"node": 48, "launcher": 44, "dataset-initializer": 33, "model-initializer": 35}
"""How long a TrainJob's name may be, so that the names of Pods of the job fit."""


def manifests(recipe: Recipe) -> tuple[dict[str, Any], dict[str, Any]]:
    job = recipe.job.to_dict()
    job["metadata"]["namespace"] = "team"
    return recipe.runtime.to_dict(), job


def without_drift(recipe: Recipe, release: str) -> bool:
    """True when the release accepts the runtime and stores it as it is, and accepts the TrainJob."""
    runtime, job = manifests(recipe)
    admission = trainergen.admit(runtime, release=release)
    stored = admission.object
    assert stored is not None
    same = stored["spec"] == runtime["spec"]
    return same and not admission.refused and not trainergen.admit(job, release=release, objects=[runtime]).refused


def replicated_jobs(value: dict[str, Any]) -> list[dict[str, Any]]:
    jobs: list[dict[str, Any]] = value["replicatedJobs"]
    return jobs


def pods(recipe: Recipe, release: str) -> Iterator[dict[str, Any]]:
    """The Pod specs of the recipe's TrainJob as rendered."""
    runtime, job = manifests(recipe)
    jobset: Any = trainergen.render(job, [runtime], release=release).objects[-1]
    for each in replicated_jobs(jobset["spec"]):
        yield each["template"]["spec"]["template"]["spec"]


def containers(recipe: Recipe) -> Iterator[dict[str, Any]]:
    for each in replicated_jobs(manifests(recipe)[0]["spec"]["template"]["spec"]):
        yield from each["template"]["spec"]["template"]["spec"]["containers"]


@each_recipe
def test_a_recipe_declares_just_the_releases_that_store_it_unchanged(recipe: Recipe) -> None:
    assert [release for release in RELEASE_NAMES if without_drift(recipe, release)] == recipe.releases
    assert NEWEST.name in recipe.releases


@on_each_release
def test_recipe_and_job_are_accepted_without_a_word(recipe: Recipe, release: str) -> None:
    runtime, job = manifests(recipe)
    for admission in (
        trainergen.admit(runtime, release=release),
        trainergen.admit(job, release=release, objects=[runtime]),
    ):
        assert (admission.findings, admission.not_evaluated) == ((), ())
    assert runtime == recipe.runtime.validate_for(release).to_dict()


@on_each_release
def test_the_server_adds_nothing_to_the_job_but_suspend(recipe: Recipe, release: str) -> None:
    runtime, job = manifests(recipe)
    stored: Any = trainergen.admit(job, release=release, objects=[runtime]).object
    assert stored["spec"] == job["spec"] | {"suspend": False}


@on_each_release
def test_rendered_pods_are_restricted(recipe: Recipe, release: str) -> None:
    assert [violations(pod) for pod in pods(recipe, release)] == [[]] * len(list(pods(recipe, release)))


@on_each_release
def test_extended_resources_have_equal_requests_and_limits_once_rendered(recipe: Recipe, release: str) -> None:
    for pod in pods(recipe, release):
        for container in pod["containers"]:
            requests, limits = container["resources"]["requests"], container["resources"]["limits"]
            assert requests == limits, container["name"]


@each_recipe
def test_shared_memory_leaves_room_for_the_program(recipe: Recipe) -> None:
    """It counts as memory of the container."""
    for pod in pods(recipe, NEWEST.name):
        memory = parse_quantity(pod["containers"][0]["resources"]["limits"]["memory"])
        sizes = [parse_quantity(each["emptyDir"]["sizeLimit"]) for each in pod["volumes"] if "emptyDir" in each]
        shared = [
            parse_quantity(each["emptyDir"]["sizeLimit"])
            for each in pod["volumes"]
            if each.get("emptyDir", {}).get("medium") == "Memory"
        ]
        assert sizes, "every volume of its own is bounded"
        assert all(size.nano * 2 <= memory.nano for size in shared)


@each_recipe
def test_what_is_mounted_is_a_volume_or_a_claim(recipe: Recipe) -> None:
    spec = manifests(recipe)[0]["spec"]["template"]["spec"]
    claims = {
        claim["metadata"]["name"] for policy in spec.get("volumeClaimPolicies", ()) for claim in policy["templates"]
    }
    mounted_claims = set()
    for pod in pods(recipe, NEWEST.name):
        volumes = {volume["name"] for volume in pod["volumes"]}
        mounts = {mount["name"] for container in pod["containers"] for mount in container["volumeMounts"]}
        assert volumes & claims == set(), "JobSet refuses a claim named as a volume"
        assert mounts <= volumes | claims
        mounted_claims |= mounts & claims
    assert mounted_claims == claims, "JobSet refuses a claim that nothing mounts"


@each_recipe
def test_images_are_pinned_by_a_tag(recipe: Recipe) -> None:
    named = [container["image"] for container in containers(recipe)]
    named += [env["value"] for each in containers(recipe) for env in each["env"] if env["name"].endswith("_IMAGE")]
    assert [image for image in named if UNTAGGED.search(image)] == []


@each_recipe
def test_a_job_waits_only_for_those_before_it(recipe: Recipe) -> None:
    """Otherwise JobSet refuses what Trainer creates."""
    before: set[str] = set()
    for job in replicated_jobs(manifests(recipe)[0]["spec"]["template"]["spec"]):
        assert {each["name"] for each in job.get("dependsOn", ())} <= before
        before.add(job["name"])


@each_recipe
def test_failures_restart_the_jobset_a_few_times_and_evictions_do_not_count(recipe: Recipe) -> None:
    spec = manifests(recipe)[0]["spec"]["template"]["spec"]
    policy = spec["failurePolicy"]
    assert (policy["maxRestarts"], policy["restartStrategy"]) == (3, "BlockingRecreate")
    assert policy["rules"][-1]["action"] == "RestartJobSetAndIgnoreMaxRestarts"
    names = {job["name"] for job in spec["replicatedJobs"]}
    for rule in policy["rules"]:
        assert re.fullmatch(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?", rule["name"])
        assert set(rule.get("targetReplicatedJobs", ())) <= names
    for job in replicated_jobs(spec):
        template = job["template"]["spec"]
        assert template["podFailurePolicy"]["rules"][0]["onPodConditions"][0]["type"] == "DisruptionTarget"
        assert template["template"]["spec"]["restartPolicy"] == "Never", "else the Job refuses a podFailurePolicy"
        assert template["template"]["spec"]["terminationGracePeriodSeconds"] >= 30


@each_recipe
def test_only_the_initializer_of_the_cache_reaches_the_api_server(recipe: Recipe) -> None:
    with_token = [
        pod["containers"][0]["name"] for pod in pods(recipe, NEWEST.name) if pod["automountServiceAccountToken"]
    ]
    assert with_token == (["dataset-initializer"] if recipe.name == "torch-data-cache" else [])


@each_recipe
def test_names_fit(recipe: Recipe) -> None:
    jobs = replicated_jobs(manifests(recipe)[0]["spec"]["template"]["spec"])
    name = recipe.job.metadata.name or ""
    assert len(name) <= min(LONGEST_JOB_NAME[job["name"]] for job in jobs)
    assert recipe.name not in {known for release in RELEASE_NAMES for known in shipped_runtimes(release)}


@each_recipe
def test_programs_in_examples_are_python(recipe: Recipe) -> None:
    trainer: Any = manifests(recipe)[1]["spec"]["trainer"]
    programs = [text for text in trainer["args"] if "\n" in text]
    assert len(programs) == (0 if recipe.name in ("mpi-horovod", "finetune-llama3.2-1b") else 1)
    for program in programs:
        compile(program, recipe.name, "exec")
        assert "${" not in program, "Flux would take it for a variable of its own"


@pytest.mark.parametrize("recipe", UNDER_MPIRUN)
def test_ssh_works_for_a_plain_user(recipe: Recipe) -> None:
    """The keys lie in the home of the user that runs, who may read them through the group of the Pod."""
    node, launcher = pods(recipe, NEWEST.name)
    for pod in (node, launcher):
        context = pod["securityContext"]
        assert context["runAsUser"] == context["fsGroup"] == 1000
        mounts = {each["name"]: each["mountPath"] for each in pod["containers"][0]["volumeMounts"]}
        assert mounts["mpi-ssh-auth"] == "/home/mpiuser/.ssh"
        assert "/home/mpiuser" not in mounts.values(), "it would hide the configuration of sshd"
    probe = node["containers"][0]["readinessProbe"]["tcpSocket"]["port"]
    assert [port["containerPort"] for port in node["containers"][0]["ports"]] == [probe] == [2222]
    assert launcher["containers"][0]["command"] == ["mpirun"]


@pytest.mark.parametrize("recipe", UNDER_MPIRUN)
def test_one_launcher_and_the_other_nodes_make_up_the_hosts(recipe: Recipe) -> None:
    runtime, job = manifests(recipe)
    job["spec"]["trainer"]["numNodes"] = 3
    objects: Any = {each["kind"]: each for each in trainergen.render(job, [runtime], release=NEWEST.name).objects}
    counts = {
        each["name"]: each["template"]["spec"]["completions"] for each in replicated_jobs(objects["JobSet"]["spec"])
    }
    assert counts == {"node": 2, "launcher": 1}
    hosts = [line.split(".")[0] for line in objects["ConfigMap"]["data"]["hostfile"].splitlines()]
    assert hosts == [f"{recipe.name}-example-{pod}" for pod in ("node-0-0", "node-0-1", "launcher-0-0")]


def test_torchtune_finds_the_model_by_the_name_of_the_recipe() -> None:
    recipe = next(each for each in RECIPES if each.name.startswith("finetune-"))
    node = list(pods(recipe, NEWEST.name))[-1]["containers"][0]
    assert node["command"][-7:] == [
        "--rdzv_endpoint=finetune-llama3-2-1b-example-node-0-0.finetune-llama3-2-1b-example:29500",
        "full_finetune_distributed",
        "--config",
        "llama3_2/1B_full",
        "output_dir=/workspace/output",
        "tokenizer.path=/workspace/model/original/tokenizer.model",
        "checkpointer.checkpoint_dir=/workspace/model",
    ]
