#!/usr/bin/env bash
# Runs `trainergen check` with the inputs of the action, which come as variables TRAINERGEN_*: annotations go to the log,
# a SARIF report to a file, a comment to the summary of the job. The exit code is that of the check.
set -euo pipefail

options=(--format github --today now)
if [[ -n "${TRAINERGEN_RELEASE:-}" ]]; then options+=(--release "$TRAINERGEN_RELEASE"); fi
if [[ -n "${TRAINERGEN_BASE:-}" ]]; then options+=(--base "$TRAINERGEN_BASE"); fi
if [[ -n "${TRAINERGEN_SARIF:-}" ]]; then options+=(--output "sarif=$TRAINERGEN_SARIF"); fi
if [[ -n "${GITHUB_STEP_SUMMARY:-}" ]]; then options+=(--output "markdown=$GITHUB_STEP_SUMMARY"); fi

# Split without expanding patterns: trainergen expands those itself.
read -r -d '' -a more <<< "${TRAINERGEN_ARGS:-}" || true
paths=()
while IFS= read -r path; do
  if [[ -n "$path" ]]; then paths+=("$path"); fi
done <<< "${TRAINERGEN_PATHS:-}"

code=0
trainergen check "${options[@]}" ${more[@]+"${more[@]}"} -- ${paths[@]+"${paths[@]}"} || code=$?

if [[ -n "${GITHUB_OUTPUT:-}" ]]; then
  printf 'exit-code=%s\n' "$code" >> "$GITHUB_OUTPUT"
  if [[ -n "${TRAINERGEN_SARIF:-}" && -f "$TRAINERGEN_SARIF" ]]; then
    printf 'sarif=%s\n' "$TRAINERGEN_SARIF" >> "$GITHUB_OUTPUT"
  fi
fi
exit "$code"
