"""Which release a CRD is of, told by its fields: names and types, whatever its texts and annotations say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.structural import GROUP
from trainergen.datafiles import data_dir
from trainergen.releases import RELEASES, get_release
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.source.document import Document

KIND = "CustomResourceDefinition"
JOBSETS = "jobsets.jobset.x-k8s.io"
_RUNTIMES = f"clustertrainingruntimes.{GROUP}"
_TEMPLATE = "spec.template."

Fields = frozenset[tuple[str, str]]


class CrdRelease(NamedTuple):
    """The release whose CRD is the nearest; ``differing`` counts the fields that are not the same, 0 when it is it.

    ``of`` is what the release is of: the Trainer, or the JobSet that it is built with.
    """

    name: str
    of: str
    release: str
    differing: int


def crd_release(document: Document) -> CrdRelease | None:
    """The release of a CRD of the Trainer or of JobSet, None for any other object."""
    return release_of(document.object) if document.kind == KIND else None


def release_of(crd: JsonObject) -> CrdRelease | None:
    """The same of a CRD as the API server has it."""
    name = text_at(crd, "metadata", "name")
    if not (name.endswith(f".{GROUP}") or name == JOBSETS):
        return None
    own = fields_of(crd)
    if name == JOBSETS:
        own = _of_job_sets(own, "")
    counts = [(len(own ^ known), -at, release) for at, release, known in _known(name) if known]
    if not counts or not own:
        return None
    differing, _, release = min(counts)
    of = "JobSet" if name == JOBSETS else "Trainer"
    return CrdRelease(name, of, get_release(release).jobset if of == "JobSet" else release, differing)


def _known(name: str) -> Iterator[tuple[int, str, Fields]]:
    for at, release in enumerate(RELEASES):
        if name != JOBSETS:
            yield at, release.name, _shipped(release.name, name)
            continue
        # Runtimes embed the spec of a JobSet.
        yield at, release.name, _of_job_sets(_shipped(release.name, _RUNTIMES), _TEMPLATE)


def _of_job_sets(fields: Fields, start: str) -> Fields:
    """The fields of a JobSet's spec without those of its Pods, which go with the version of Kubernetes."""
    return frozenset(
        (path[len(start) :], kind)
        for path, kind in fields
        if path.startswith(f"{start}spec.") and ".template.spec.template" not in path[len(start) :]
    )


@cache
def _shipped(release: str, name: str) -> Fields:
    plural, _, group = name.partition(".")
    path = data_dir("schemas") / release / "crds" / f"{group}_{plural}.yaml"
    if not path.is_file():
        return frozenset()
    documents = read_documents(path.read_bytes(), file=path.name).documents
    return fields_of(documents[0].object) if documents else frozenset()


def fields_of(crd: JsonObject) -> Fields:
    """The paths of all fields of a CRD's versions, each with its type."""
    return frozenset(
        field
        for version in list_at(crd, "spec", "versions")
        for field in _fields(object_at(version, "schema", "openAPIV3Schema"), "")
    )


def _fields(schema: JsonObject, path: str) -> Iterator[tuple[str, str]]:
    for key, below in object_at(schema, "properties").items():
        if isinstance(below, dict):
            here = f"{path}.{key}" if path else key
            yield here, _type(below)
            yield from _fields(below, here)
    for key in ("items", "additionalProperties"):
        below = schema.get(key)
        if isinstance(below, dict):
            here = f"{path}[]"
            yield here, _type(below)
            yield from _fields(below, here)


def _type(schema: JsonObject) -> str:
    words = schema.get("enum")
    return f"{schema.get('type')} {sorted(map(str, words)) if isinstance(words, list) else ''}"
