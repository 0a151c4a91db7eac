"""Rules: what the cluster accepts and nobody wants. One rule is one file; this is all that a rule imports.

A rule is a function from a view to findings::

    from __future__ import annotations

    from trainergen.rules import Findings, Source, rule


    @rule("TG301", "no-nodes", severity="error", triggers=("numNodes",), answers=("A21",))
    def no_nodes(job: Source) -> Findings:
        \"\"\"A TrainJob asks for no nodes.

        ## Why
        …

        ## Bad
        ```yaml
        …
        ```

        ## Good
        ```yaml
        …
        ```
        \"\"\"
        nodes = job.integer("spec.trainer.numNodes")
        if nodes == 0:
            yield job.at("spec.trainer.numNodes").report("numNodes is 0", help="Ask for one node at least.")

The annotation of the first parameter chooses the view; see each class:

- ``Source``: one object as written, of any kind;
- ``Job``: a TrainJob that the cluster accepts, with its runtime, rendered;
- ``Change``: an object before and after, with ``--base``;
- ``Workspace``: everything, once all files are read;
- ``Kustomization``, ``Chart``: a folder of these tools;
- ``ArgoApplication``, ``FluxObject``: what delivers the manifests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import Key
    from trainergen.fix import Edit, Fix, fix
    from trainergen.rules.declare import Findings, rule
    from trainergen.rules.found import Spot
    from trainergen.rules.objects import Entry, Objects
    from trainergen.rules.part import Part
    from trainergen.rules.views.argo import ArgoApplication
    from trainergen.rules.views.change import Change
    from trainergen.rules.views.chart import Chart
    from trainergen.rules.views.flux import FluxObject
    from trainergen.rules.views.job import Job, Runtime
    from trainergen.rules.views.kustomization import Kustomization
    from trainergen.rules.views.pods import Container, Pods
    from trainergen.rules.views.source import Source
    from trainergen.rules.views.workspace import Workspace

__all__ = [
    "ArgoApplication",
    "Change",
    "Chart",
    "Container",
    "Edit",
    "Entry",
    "Findings",
    "Fix",
    "FluxObject",
    "Job",
    "Key",
    "Kustomization",
    "Objects",
    "Part",
    "Pods",
    "Runtime",
    "Source",
    "Spot",
    "Workspace",
    "fix",
    "rule",
]

_LAZY = {
    "ArgoApplication": "rules.views.argo",
    "Change": "rules.views.change",
    "Chart": "rules.views.chart",
    "Container": "rules.views.pods",
    "Edit": "fix",
    "Entry": "rules.objects",
    "Findings": "rules.declare",
    "Fix": "fix",
    "FluxObject": "rules.views.flux",
    "Job": "rules.views.job",
    "Key": "finding",
    "Kustomization": "rules.views.kustomization",
    "Objects": "rules.objects",
    "Part": "rules.part",
    "Pods": "rules.views.pods",
    "Runtime": "rules.views.job",
    "Source": "rules.views.source",
    "Spot": "rules.found",
    "Workspace": "rules.views.workspace",
    "fix": "fix",
    "rule": "rules.declare",
}


def __getattr__(name: str) -> object:
    """The parts of the package load when somebody uses one: most runs need few of them, and some none."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"trainergen.{_LAZY[name]}"), name)
    globals()[name] = value
    return value
