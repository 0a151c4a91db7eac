"""Checks before a commit and in CI."""

from __future__ import annotations

import trainergen

_PACKAGE = f"trainergen[kustomize]=={trainergen.__version__}"
IGNORED = """\
# Reports of trainergen
*.sarif
gl-code-quality-report.json
"""

PRE_COMMIT = f"""\
repos:
- repo: local
  hooks:
  - id: trainergen-build
    name: trainergen build
    description: What is generated has to be up to date; run 'trainergen build'.
    entry: trainergen build --check
    language: python
    additional_dependencies: ["{_PACKAGE}"]
    pass_filenames: false
  - id: trainergen-check
    name: trainergen check
    description: Say what the cluster would say to the manifests, and what nobody wants of them.
    entry: trainergen check --build --today now
    language: python
    additional_dependencies: ["{_PACKAGE}"]
    pass_filenames: false
"""

GITHUB = f"""\
name: trainergen
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
      with:
        fetch-depth: 0
    - uses: actions/setup-python@v5
      with:
        python-version: "3.12"
    - run: python -m pip install '{_PACKAGE}'
    - name: What is generated is up to date
      run: trainergen build --check
    - name: What the cluster would say
      run: trainergen check --build --today now --format github
    - name: What changes in the cluster
      if: github.event_name == 'pull_request'
      # Its exit code is 1 when something changes, which is no failure.
      run: >-
        trainergen diff --build --base "origin/$GITHUB_BASE_REF" --format markdown >> "$GITHUB_STEP_SUMMARY" ||
        test $? -eq 1
"""

GITLAB = f"""\
trainergen:
  stage: test
  image: python:3.12-slim
  rules:
  - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  before_script:
  - python3 -m pip install --quiet --disable-pip-version-check '{_PACKAGE}'
  script:
  - trainergen build --check
  - trainergen check --build --today now --output gitlab=gl-code-quality-report.json
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
"""

CI_FILES = {"github": (".github/workflows/trainergen.yaml", GITHUB), "gitlab": (".gitlab-ci.yml", GITLAB)}
"""Path and text of the CI of each service."""
