{{- define "controller.args" -}}
- {{ .Values.mode }}
- --release={{ .Values.release }}
- --system-namespace={{ .Release.Namespace }}
{{- with .Values.namespace }}
- --namespace={{ . }}
{{- end }}
{{- with .Values.selector }}
- {{ printf "--selector=%s" . | quote }}
{{- end }}
{{- with .Values.profile }}
- --profile={{ . }}
{{- end }}
{{- range $gate, $on := .Values.featureGates }}
- --feature-gate={{ $gate }}={{ $on }}
{{- end }}
{{- range $option := list "workers" "qps" "burst" }}
{{- $value := index $.Values $option }}
{{- if not (kindIs "invalid" $value) }}
- --{{ $option }}={{ $value }}
{{- end }}
{{- end }}
{{- with .Values.logLevel }}
- --log-level={{ . }}
{{- end }}
{{- if .Values.webhook.enabled }}
- --webhook-address=0.0.0.0:9443
{{- end }}
{{- if include "controller.serves" . }}
{{- include "controller.certificateArgs" . }}
{{- end }}
{{- if .Values.statusServer.enabled }}
{{- if not (hasKey .Values.featureGates "TrainJobStatus") }}
- --feature-gate=TrainJobStatus=true
{{- end }}
- --status-address=0.0.0.0:10443
{{- with .Values.statusServer.tokens }}
- --status-tokens={{ . }}
{{- end }}
{{- end }}
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{- define "controller.certificateArgs" }}
{{- if .Values.certificates.certManager }}
- --tls-cert-file=/certificates/tls.crt
- --tls-key-file=/certificates/tls.key
{{- else }}
- --service-name={{ include "controller.name" . }}
{{- if .Values.statusServer.enabled }}
- --service-name={{ include "controller.statusService" . }}
{{- end }}
- --tls-secret={{ include "controller.secret" . }}
- --webhook-configuration={{ include "controller.name" . }}
{{- end }}
{{- end }}
