#!/usr/bin/env bash
# Installs trainergen from the checkout of the action, in an environment of its own that later steps find on PATH.
set -euo pipefail

environment="${RUNNER_TEMP:?}/trainergen"
python3 -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check "${GITHUB_ACTION_PATH:?}"
printf '%s\n' "$environment/bin" >> "${GITHUB_PATH:?}"
