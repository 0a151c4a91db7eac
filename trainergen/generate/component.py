"""The kustomize component that teaches kustomize the kinds of a Trainer release: merge keys, references, images.

Without it a strategic merge patch on a TrainJob or a runtime replaces whole lists, and neither hashes nor prefixes of
names reach what refers to them. A component is the one way to share both files between kustomizations, since paths of
configurations must not lead out of a kustomization's folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.structural import GROUP, load
from trainergen.datafiles import data_dir
from trainergen.errors import TrainergenError
from trainergen.generate.workspace_files import GeneratedFile
from trainergen.releases import get_release

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas

NAME = "trainer-kustomize"
SCHEMA, REFERENCES, KUSTOMIZATION = "schema.json", "references.yaml", "kustomization.yaml"

_BY_PARENT = {
    ("secretKeyRef", "name"): "Secret",
    ("secretRef", "name"): "Secret",
    ("nodePublishSecretRef", "name"): "Secret",
    ("secret", "secretName"): "Secret",
    ("secret", "name"): "Secret",
    ("imagePullSecrets", "name"): "Secret",
    ("configMapKeyRef", "name"): "ConfigMap",
    ("configMapRef", "name"): "ConfigMap",
    ("configMap", "name"): "ConfigMap",
    ("persistentVolumeClaim", "claimName"): "PersistentVolumeClaim",
}
"""The kind that a field refers to, by the names of its parent and itself; items of lists left out."""
_ANYWHERE = {"serviceAccountName": "ServiceAccount", "priorityClassName": "PriorityClass"}
_GROUPS = {
    "Secret": ("", "v1"),
    "ConfigMap": ("", "v1"),
    "PersistentVolumeClaim": ("", "v1"),
    "ServiceAccount": ("", "v1"),
    "PriorityClass": ("scheduling.k8s.io", ""),
}
_QUEUE_LABEL = "metadata/labels/kueue.x-k8s.io\\/queue-name"


class Reference(NamedTuple):
    """A field of ``owner`` that holds the name of an object of ``kind``; ``path`` as kustomize writes it."""

    kind: str
    path: str
    owner: str


def component_files(release: str) -> Iterator[GeneratedFile]:
    """The files of the component for the release called ``release``, relative to the component's folder."""
    name = get_release(release).name
    yield GeneratedFile(PurePosixPath(KUSTOMIZATION), kustomization_text(name))
    yield GeneratedFile(PurePosixPath(REFERENCES), references_text(name))
    yield GeneratedFile(PurePosixPath(SCHEMA), schema_text(name))


def schema_text(release: str) -> str:
    """The OpenAPI file: merge keys of Trainer's kinds and of common built-in ones."""
    file = data_dir("schemas") / release / "kustomize-openapi.json"
    if not file.is_file():
        raise TrainergenError(f"no kustomize schema for Trainer '{release}'", hint="Install trainergen anew.")
    return file.read_text(encoding="utf-8")


def kustomization_text(release: str) -> str:
    """The component itself."""
    return (
        f"# For Trainer {release}: lists of Trainer's kinds are merged by their keys, names and images are followed.\n"
        "# Patched items come first: name the ones before them in the patch, so that jobs keep their order.\n"
        "apiVersion: kustomize.config.k8s.io/v1alpha1\n"
        "kind: Component\n"
        "openapi:\n"
        f"  path: {SCHEMA}\n"
        "configurations:\n"
        f"- {REFERENCES}\n"
    )


def references_text(release: str) -> str:
    """The configuration: which fields hold names of objects, and where TrainJobs have an image."""
    lines = [
        f"# For Trainer {release}: where TrainJobs and runtimes name other objects, and the image of a TrainJob.\n"
    ]
    lines += ["images:\n", "- path: spec/trainer/image\n", "  kind: TrainJob\n", "nameReference:\n"]
    found = sorted(references(release))
    for kind in sorted({each.kind for each in found}):
        group, version = _GROUPS.get(kind, (GROUP, ""))
        lines.append(f"- kind: {kind}\n")
        lines += [f"  group: {group}\n"] * bool(group) + [f"  version: {version}\n"] * bool(version)
        lines.append("  fieldSpecs:\n")
        lines += _field_specs(each for each in found if each.kind == kind)
    lines += ["- kind: LocalQueue\n", "  group: kueue.x-k8s.io\n", "  fieldSpecs:\n"]
    lines += _field_specs([Reference("LocalQueue", _QUEUE_LABEL, "TrainJob")])
    return "".join(lines)


def _field_specs(found: Iterable[Reference]) -> list[str]:
    return [line for each in found for line in (f"  - path: {each.path}\n", f"    kind: {each.owner}\n")]


def references(release: str) -> set[Reference]:
    """Every field of the release's kinds that names another object which kustomize may rename."""
    schemas = load(release)
    found = {
        Reference(kind, "spec/runtimeRef/name", "TrainJob") for kind in ("ClusterTrainingRuntime", "TrainingRuntime")
    }
    for owner, kind in schemas.kinds.items():
        spec = kind.schema["properties"]["spec"]
        found |= {Reference(target, path, owner) for target, path in _walk(spec, ("spec",), schemas)}
    return found


def _walk(node: Schema, path: tuple[str, ...], schemas: StructuralSchemas) -> Iterator[tuple[str, str]]:
    schema = schemas.resolve(node)
    if "items" in schema:
        yield from _walk(schema["items"], path, schemas)
    for key, inner in schema.get("properties", {}).items():
        target = _ANYWHERE.get(key) or _BY_PARENT.get((path[-1], key))
        if target:
            yield target, "/".join((*path, key))
        else:
            yield from _walk(inner, (*path, key), schemas)
