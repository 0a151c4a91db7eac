"""Trees of kustomizations around legacy jobs, by what their overlays do."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from tests.manifests import GOOD
from trainergen.engine.migrating import MigrateOptions, run_migrate

if TYPE_CHECKING:
    from trainergen.migrate.report import MigrateReport

CONTAINER = """\
          containers:
            - name: pytorch
              image: ranker
              command: [torchrun, /app/rank.py]
              resources: {limits: {nvidia.com/gpu: 1}}
"""
JOB = f"""\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: ranker
  labels: {{app: ranker}}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
{CONTAINER}\
    Worker:
      replicas: 1
      template:
        spec:
{CONTAINER}"""
OTHER = JOB.replace("name: ranker\n  labels", "name: other\n  labels").replace("replicas: 1\n", "replicas: 1\n", 1)
OWN_RUNTIME = JOB.replace(
    "        spec:\n          con", "        spec:\n          priorityClassName: high\n          con"
)
EXPERIMENT = (Path(__file__).parent / "experiments" / "E13.v1.yaml").read_text()
PREVIEW = GOOD.replace("trainer.kubeflow.org/v1alpha1", "kubeflow.org/v2alpha1")
FROM = "envFrom/configMapRef/name"
SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data: {a: b}
"""
SPECS = "/spec/pytorchReplicaSpecs"
BASE = {"base/kustomization.yaml": "resources: [job.yaml]\n", "base/job.yaml": JOB}
HEAD = "namespace: prod\nnameSuffix: -prod\nresources:\n  - ../base\n"


def tree(patches: str = "", files: dict[str, str] | None = None, *, head: str = HEAD) -> dict[str, str]:
    return {**BASE, "prod/kustomization.yaml": head + textwrap.dedent(patches), **(files or {})}


def roles(field: str, value: str, *names: str) -> str:
    return "".join(
        f"- {{op: add, path: {SPECS}/{name}/{field}, value: {value}}}\n" for name in names or ("Master", "Worker")
    )


def inline(text: str, *, target: str = "kind: PyTorchJob, name: ranker") -> str:
    return f"patches:\n  - target: {{{target}}}\n    patch: |-\n" + textwrap.indent(text, "      ")


def by_name(*names: str, fields: str = "nodeSelector: {pool: a100}", name: str = "ranker") -> str:
    inner = "".join(f"    {each}: {{template: {{spec: {{{fields}}}}}}}\n" for each in names or ("Master", "Worker"))
    head = f"apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {{name: {name}}}\nspec:\n"
    return f"{head}  pytorchReplicaSpecs:\n{inner}"


SELECTOR = roles("template/spec/nodeSelector", "{pool: a100}")
WORKERS = f"- {{op: replace, path: {SPECS}/Worker/replicas, value: 7}}\n"
TREES = {
    "the number of workers": tree(inline(WORKERS)),
    "a file without a suffix": {**BASE, "prod/Kustomization": HEAD + inline(WORKERS)},
    "a field of the Pods of all roles": tree(inline(SELECTOR)),
    "a field that only a runtime has": tree(inline(roles("template/spec/priorityClassName", "high"))),
    "a field of one role": tree(inline(roles("template/spec/nodeSelector", "{pool: a100}", "Worker"))),
    "another image for the workers": tree(inline(roles("template/spec/containers/0/image", "x", "Worker"))),
    "a base with a runtime of its own": tree(inline(SELECTOR + WORKERS), {"base/job.yaml": OWN_RUNTIME}),
    "a field that needs no runtime any more": tree(
        inline(
            "".join(
                f"- {{op: remove, path: {SPECS}/{each}/template/spec/priorityClassName}}\n"
                for each in ("Master", "Worker")
            )
        ),
        {"base/job.yaml": OWN_RUNTIME},
    ),
    "a patch in a file": tree(
        "patches: [{target: {kind: PyTorchJob}, path: patch.yaml}]\n", {"prod/patch.yaml": SELECTOR}
    ),
    "a patch in a file of JSON": tree(
        "patches: [{target: {kind: PyTorchJob}, path: patch.json}]\n",
        {"prod/patch.json": f'[{{"op": "replace", "path": "{SPECS}/Worker/replicas", "value": 3}}]\n'},
    ),
    "a patch of the old list": tree(
        "patchesJson6902:\n  - target: {group: kubeflow.org, version: v1, kind: PyTorchJob, name: ranker}\n"
        "    path: patch.yaml\n",
        {"prod/patch.yaml": SELECTOR},
        head="resources:\n  - ../base\n",
    ),
    "an object to be merged": tree("patches: [{path: patch.yaml}]\n", {"prod/patch.yaml": by_name()}),
    "an object to be merged that needs a runtime": tree(
        "patches:\n  - path: patch.yaml\n", {"prod/patch.yaml": by_name(fields="priorityClassName: high")}
    ),
    "an object to be merged into a base with a runtime": tree(
        "patches:\n  - path: patch.yaml\n",
        {
            "base/job.yaml": OWN_RUNTIME,
            "prod/patch.yaml": by_name().replace("Worker: {", "Worker: {replicas: 4, "),
        },
    ),
    "objects to be merged in the old list": tree(
        "patchesStrategicMerge:\n  - patch.yaml\n",
        {
            "prod/patch.yaml": "# for all\n" + by_name() + "---\napiVersion: v1\nkind: ConfigMap\n"
            "metadata: {name: settings}\ndata: {a: c}\n",
            "base/kustomization.yaml": "resources: [job.yaml, settings.yaml]\n",
            "base/settings.yaml": SETTINGS,
        },
    ),
    "an object to be merged in line": tree("patches:\n  - patch: |-\n" + textwrap.indent(by_name(), "      ")),
    "an object with a target": tree(inline(by_name(name="any"))),
    "patches that need each other": tree(
        inline(roles("template/spec/nodeSelector", "{pool: a100}", "Worker"))
        + "  - target: {kind: PyTorchJob}\n    path: master.yaml\n",
        {"prod/master.yaml": roles("template/spec/nodeSelector", "{pool: a100}", "Master")},
    ),
    "patches one after the other": tree(inline(WORKERS) + inline(SELECTOR).removeprefix("patches:\n")),
    "a patch without effect": tree(inline("- {op: add, path: /spec/runPolicy, value: {cleanPodPolicy: None}}\n")),
    "a patch of labels of anything": tree(
        inline("- {op: add, path: /metadata/labels/team, value: a}\n", target="labelSelector: app=ranker")
    ),
    "a patch of two jobs": tree(
        inline(WORKERS, target="kind: PyTorchJob"),
        {"base/kustomization.yaml": "resources: [job.yaml, other.yaml]\n", "base/other.yaml": OTHER},
    ),
    "a patch of two jobs that become different": tree(
        inline(SELECTOR, target="kind: PyTorchJob"),
        {
            "base/kustomization.yaml": "resources: [job.yaml, other.yaml]\n",
            "base/other.yaml": OTHER.replace("        spec:\n", "        spec:\n          priorityClassName: high\n"),
        },
    ),
    "a patch that deletes the job": tree(
        "patches:\n  - patch: |-\n      $patch: delete\n      apiVersion: kubeflow.org/v1\n      kind: PyTorchJob\n"
        "      metadata: {name: ranker}\n",
        {
            "base/job.yaml": OWN_RUNTIME,
            "base/kustomization.yaml": "resources: [job.yaml, settings.yaml]\n",
            "base/settings.yaml": SETTINGS,
        },
    ),
    "a patch of a component in two overlays": tree(
        "components: [../high]\n",
        {
            "high/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
            + inline(SELECTOR, target="kind: PyTorchJob"),
            "test/kustomization.yaml": "nameSuffix: -test\nresources: [../base]\ncomponents: [../high]\n",
        },
    ),
    "overlays of overlays": tree(
        inline(WORKERS + SELECTOR, target="kind: PyTorchJob, name: a-ranker"),
        {
            "base/kustomization.yaml": "namePrefix: a-\nresources: [job.yaml]\nimages: [{name: ranker, newTag: '1'}]\n",
            "last/kustomization.yaml": "resources: [../prod]\nimages: [{name: ranker, newName: x/y}]\n"
            + inline(f"- {{op: replace, path: {SPECS}/Worker/replicas, value: 3}}\n", target="kind: PyTorchJob"),
        },
    ),
    "images and a runtime of its own": tree(
        "images: [{name: ranker, newName: x/y, newTag: '2'}]\n"
        + inline(roles("template/spec/nodeSelector", "{pool: a100}", "Worker")),
    ),
    "an experiment": tree(
        "images: [{name: registry.example.com/vision/mnist, newTag: '7'}]\n"
        + inline(
            "- {op: add, path: /spec/trialTemplate/trialSpec/spec/pytorchReplicaSpecs/Worker/replicas, value: 3}\n"
            "- {op: replace, path: /spec/maxTrialCount, value: 4}\n",
            target="kind: Experiment",
        ),
        {"base/job.yaml": EXPERIMENT},
    ),
    "an experiment whose trials need a runtime": tree(
        "",
        {"base/job.yaml": EXPERIMENT.replace("containers:", "priorityClassName: high\n                containers:")},
    ),
    "the preview of the API": tree(
        inline("- {op: add, path: /spec/suspend, value: true}\n", target="group: kubeflow.org, kind: TrainJob"),
        {"base/job.yaml": PREVIEW},
    ),
    "replicas": tree(
        "replicas: [{name: ranker, count: 5}]\nconfigurations: [fields.yaml]\n",
        {
            "prod/fields.yaml": "replicas:\n  - path: spec/pytorchReplicaSpecs/Worker/replicas\n    kind: PyTorchJob\n"
            "  - {path: spec/size, kind: Thing}\n"
        },
    ),
    "fields of a configuration": tree(
        "commonAnnotations: {a/b: c}\nconfigurations: [fields.yaml]\n"
        "configMapGenerator: [{name: conf, literals: [a=b]}]\n",
        {
            "base/job.yaml": JOB.replace(
                "resources: {", "envFrom: [{configMapRef: {name: conf}}]\n              resources: {"
            ),
            "prod/fields.yaml": "# names\nnameReference:\n  - kind: ConfigMap\n    version: v1\n    fieldSpecs:\n"
            + "".join(
                f"      - kind: PyTorchJob\n        path: {SPECS[1:]}/{role}/template/spec/containers/{FROM}\n"
                for role in ("Master", "Worker")
            ),
        },
    ),
}


def put(files: dict[str, str]) -> None:
    Path(".git").mkdir(exist_ok=True)
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def migrated(files: dict[str, str], *, target: str = "2.3") -> MigrateReport:
    put(files)
    return run_migrate(MigrateOptions(paths=(".",), target=target, accepted=frozenset({"preview-api"})))


HELD = {
    "a patch in a file that is not there": (
        tree("patches: [{target: {kind: PyTorchJob}, path: nowhere.yaml}]\n"),
        5,
        "there is nothing in the patch that can be read",
    ),
    "a patch that is no YAML": (
        tree("patches:\n  - target: {kind: PyTorchJob}\n    patch: '{{ x'\n"),
        6,
        "there is nothing in the patch that can be read",
    ),
    "a patch that does not suit": (
        tree(inline(f"- {{op: remove, path: {SPECS}/Worker/template/spec/nodeSelector}}\n")),
        6,
        "cannot be written for what it becomes: it does not suit the job",
    ),
    "a patch for other things too": (
        tree(
            inline(roles("template/spec/nodeSelector", "{a: b}"), target="namespace: ''"),
            {"base/kustomization.yaml": "resources: [job.yaml, s.yaml]\n", "base/s.yaml": SETTINGS},
        ),
        6,
        "it is for other objects too",
    ),
    "a patch that makes what cannot be migrated": (
        tree(inline("- {op: add, path: /spec/elasticPolicy, value: {minReplicas: 1, maxReplicas: 4}}\n")),
        6,
        "the size is fixed at 2 nodes",
    ),
    "lists that cannot be edited": (
        tree(
            "patches: [  # why\n  {target: {kind: PyTorchJob}, patch: '"
            f'[{{"op": "replace", "path": "{SPECS}/Worker/replicas", "value": 3}}]'
            "'}]\n"
        ),
        1,
        "it cannot be edited in place",
    ),
    "a replacement from a job": (
        tree(
            "replacements:\n  - source: {kind: PyTorchJob, fieldPath: metadata.name}\n"
            "    targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]\n"
        ),
        6,
        "a replacement takes its value from a PyTorchJob",
    ),
    "a replacement into a job": (
        tree(
            "replacements:\n  - source: {kind: ConfigMap, name: a, fieldPath: data.a}\n    targets:\n"
            "      - {select: {kind: PyTorchJob}, fieldPaths: [spec.pytorchReplicaSpecs.Worker.replicas]}\n"
        ),
        8,
        "a replacement writes into a PyTorchJob",
    ),
    "a variable": (
        tree("vars:\n  - {name: A, objref: {kind: PyTorchJob, apiVersion: kubeflow.org/v1, name: ranker}}\n"),
        6,
        "a variable is taken from a PyTorchJob",
    ),
    "a plugin": (
        tree("transformers: [t.yaml]\n", {"prod/t.yaml": "kind: PatchTransformer\ntarget: {kind: PyTorchJob}\n"}),
        5,
        "'t.yaml' is about the kind PyTorchJob",
    ),
    "a field without counterpart": (
        tree(
            "configurations: [f.yaml]\n",
            {"prod/f.yaml": "varReference:\n  - {kind: PyTorchJob, path: spec/elasticPolicy/rdzvHost}\n"},
        ),
        5,
        "names the field 'spec/elasticPolicy/rdzvHost', which has no counterpart",
    ),
}
