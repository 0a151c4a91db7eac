{{/* All objects are called after the release, so that two releases, of both modes or of several shards, go together. */}}
{{- define "controller.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "controller.selector" -}}
app.kubernetes.io/name: trainergen-controller
app.kubernetes.io/instance: {{ include "controller.name" . }}
{{- end }}

{{- define "controller.labels" -}}
{{ include "controller.selector" . }}
app.kubernetes.io/part-of: kubeflow
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "controller.metadata" -}}
name: {{ .name | default (include "controller.name" .root) }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "controller.labels" .root | nindent 2 }}
{{- end }}

{{- define "controller.clusterMetadata" -}}
name: {{ .name | default (include "controller.name" .root) }}
labels:
  {{- include "controller.labels" .root | nindent 2 }}
{{- end }}

{{/* The Secret with the certificate; Pods that report progress look for the Trainer's. */}}
{{- define "controller.secret" -}}
{{- if .Values.statusServer.enabled -}}
kubeflow-trainer-webhook-cert
{{- else -}}
{{ include "controller.name" . }}-cert
{{- end -}}
{{- end }}

{{- define "controller.statusService" -}}
kubeflow-trainer-controller-manager
{{- end }}

{{/* The Lease of a shard is called after it, as the controller does. */}}
{{- define "controller.lease" -}}
{{- $shard := printf "%s|%s" .Values.namespace .Values.selector -}}
trainergen-controller-{{ .Values.mode }}
{{- if ne $shard "|" }}-{{ sha256sum $shard | trunc 8 }}{{ end -}}
{{- end }}

{{- define "controller.serves" -}}
{{- if or .Values.webhook.enabled .Values.statusServer.enabled }}yes{{ end -}}
{{- end }}

{{- define "controller.subjects" -}}
- kind: ServiceAccount
  name: {{ include "controller.name" . }}
  namespace: {{ .Release.Namespace }}
{{- end }}

{{- define "controller.binding" -}}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .kind }}
  name: {{ .name }}
subjects:
{{ include "controller.subjects" .root }}
{{- end }}

{{- define "controller.verify" -}}
{{- if and (eq .Values.mode "reconcile") (ne .Release.Namespace .Values.trainerNamespace) }}
{{- fail (printf "in mode reconcile the chart has to be installed where the Trainer's Lease is, in '%s', not in '%s'" .Values.trainerNamespace .Release.Namespace) }}
{{- end }}
{{- if and .Values.statusServer.enabled (ne .Values.mode "reconcile") }}
{{- fail "statusServer.enabled needs mode reconcile; in mode audit the Trainer serves it itself" }}
{{- end }}
{{- if and .Values.statusServer.enabled .Values.namespace }}
{{- fail "statusServer.enabled needs all namespaces, since the Secret that Pods trust lies in another one" }}
{{- end }}
{{- if and .Values.statusServer.enabled (ne .Release.Namespace "kubeflow-system") }}
{{- fail (printf "statusServer.enabled needs the namespace kubeflow-system, where Pods look for it, not '%s'" .Release.Namespace) }}
{{- end }}
{{- end }}
