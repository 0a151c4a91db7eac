"""The files of a chart besides its templates for the objects: its description, the notes and the test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.generate.emitting import manifest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trainergen.finding import JsonObject
    from trainergen.generate.resolved import Resolved

TEST_IMAGE = "registry.k8s.io/kubectl:v{kubernetes}.0"
"""Of the Kubernetes project, with kubectl as its entrypoint and nothing else in it."""
IGNORED = ".git/\n*.tgz\n*.orig\n*.bak\n*~\n"


def chart_text(resolved: Resolved) -> str:
    """``Chart.yaml``."""
    chart: JsonObject = {
        "apiVersion": "v2",
        "name": resolved.name,
        "description": f"Training of {resolved.name} on Kubeflow Trainer {resolved.release.name}",
        "type": "application",
        "version": "0.1.0",
        "appVersion": resolved.release.tag,
    }
    return manifest(chart)


def notes_text(resolved: Resolved) -> str:
    """``NOTES.txt``: what was installed, and what to look at next."""
    environments = ", ".join(f"values-{each.name}.yaml" for each in resolved.environments)
    return f"""{{{{- with .Values.environment -}}}}
{resolved.name} in environment {{{{ .name }}}}, namespace {{{{ .namespace }}}}
{{{{- end }}}}
{{{{- if .Values.parts.jobs }}}}

Follow the training:

  kubectl get trainjobs -n {{{{ .Values.environment.namespace }}}} --watch

Whether everything has arrived:

  helm test {{{{ .Release.Name }}}} -n {{{{ .Release.Namespace }}}}

A TrainJob is immutable and its name changes with its content. Runs that the chart no longer has are deleted.
{{{{- end }}}}

The values of the environments are in {environments}.
"""


def test_text(jobs: Sequence[str]) -> str:
    """``templates/tests/jobs.yaml``: a Pod that asks the API server for the TrainJobs, with rights to do just that.

    ``jobs`` are expressions that give the names of TrainJobs, or nothing where there is none.
    """
    names = "\n".join(f"{{{{- $jobs = append $jobs {job} }}}}" for job in jobs)
    return _TEST.replace("@names@", names)


_TEST = """{{- if .Values.parts.jobs }}
{{- $namespace := .Values.environment.namespace }}
{{- $jobs := list }}
@names@
{{- $name := printf "%s-test" .Release.Name | trunc 63 | trimSuffix "-" }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  annotations:
    helm.sh/hook: test
    helm.sh/hook-weight: "-1"
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
automountServiceAccountToken: false
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  annotations:
    helm.sh/hook: test
    helm.sh/hook-weight: "-1"
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
rules:
  - apiGroups: [trainer.kubeflow.org]
    resources: [trainjobs]
    verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  annotations:
    helm.sh/hook: test
    helm.sh/hook-weight: "-1"
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $name }}
    namespace: {{ $namespace }}
---
apiVersion: v1
kind: Pod
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  annotations:
    helm.sh/hook: test
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  restartPolicy: Never
  serviceAccountName: {{ $name }}
  automountServiceAccountToken: true
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: kubectl
      image: {{ .Values.test.image | quote }}
      args: {{ concat (list "get" "trainjobs.trainer.kubeflow.org" "-n" $namespace) (compact $jobs) | toJson }}
      resources:
        requests:
          cpu: 50m
          memory: 64Mi
        limits:
          cpu: 100m
          memory: 128Mi
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
{{- end }}
"""
