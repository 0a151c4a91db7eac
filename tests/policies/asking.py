"""Asks policies about manifests, as ``check`` does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from trainergen.admission.admit import admit
from trainergen.engine.policing import Policing
from trainergen.engine.run import index
from trainergen.policies import Policies, collect
from trainergen.source import SourceFile, load
from trainergen.source.classify import Category

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.policies.review import Review
    from trainergen.source import Document

JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: mnist
  namespace: team-a
spec:
  runtimeRef:
    name: torch-distributed
  trainer:
    numNodes: 2
"""


def files_of(*texts: str) -> list[SourceFile]:
    """Texts as files."""
    return [SourceFile(f"{number}.yaml", data=text.encode()) for number, text in enumerate(texts)]


def policies_of(*texts: str) -> Policies:
    """The policies in some texts, with what they look at."""
    return collect(files_of(*texts))


def document_of(text: str) -> Document:
    """The one Trainer object of a text."""
    [document] = load(SourceFile("job.yaml", explicit=True, data=text.encode())).of(Category.TRAINER)
    return document


def ask(
    manifest: str, *texts: str, release: str = "2.3", old: JsonObject | None = None, runtimes: Iterable[str] = ()
) -> Review:
    """What the policies in ``texts`` say about a manifest."""
    document = document_of(manifest)
    workspace = index(files_of(manifest, *runtimes), ())
    admission = admit(document.object, release=release, old=old, objects=workspace.cluster_for("job.yaml"))
    return Policing(policies_of(*texts), release=release, workspace=workspace).review(document, admission, old)
