"""A small specification with comments, and the program that it trains with."""

from __future__ import annotations

from trainergen.generate.facts import facts_of

SCRIPT = "jobs/hello.py"
_RECIPE, _SHIPPED = "torch-ddp", "torch-distributed"

_TEXT = """\
# 'trainergen build' writes the tree in deploy/ from this file: change things here, not there.
# All keys are in 'trainergen schema config', a JSON Schema for editors.
release: "{release}"

check:
  # minimal, recommended, strict or production: 'trainergen rules --profile production' lists them.
  profile: production

build:
  # Names of generated objects start with it.
  name: {name}

  environments:
    dev:
      namespace: {name}-dev
      # Half as many nodes as the jobs say, rounded up.
      size: {{nodes: 0.5}}
    prod:
      namespace: {name}
      # The LocalQueue of Kueue; without Kueue remove it.
      queue: {{name: {name}, cluster-queue: training}}

  runtimes:
    torch:
      # A shipped runtime or a recipe: 'trainergen runtimes' lists them.
      from: {base}
      gpus: 1
      cpu: "8"
      memory: 64Gi

  jobs:
    hello:
      runtime: torch
      # A program of one file travels in a ConfigMap. A larger one is in an image: image and entrypoint.
      script: {script}
      args: [--epochs=3]
      nodes: 2
{deadline}
  output:
    folder: deploy
    # kustomize, helm or plain; argocd, flux or none. For a delivery set repository to the URL of this one.
    format: kustomize
    delivery: none
"""
_PROGRAM = '''\
"""Says hello from each process; put your training here."""

import os
import sys

rank, processes = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
print(f"hello from process {rank} of {processes}: {' '.join(sys.argv[1:])}", flush=True)
'''


def specification_text(name: str, release: str) -> str:
    """``trainergen.yaml`` for a team called ``name``."""
    facts = facts_of(release)
    return _TEXT.format(
        name=name,
        release=release,
        base=base_for(release),
        script=SCRIPT,
        deadline="      deadline: 1h\n" if facts.has_deadline else "",
    )


def base_for(release: str) -> str:
    """The recipe to start from, or in a release without it the shipped runtime."""
    from trainergen.catalogue.recipes import RECIPES

    return _RECIPE if any(each.name == _RECIPE and release in each.releases for each in RECIPES) else _SHIPPED


def program_text() -> str:
    """The program."""
    return _PROGRAM
