{{- define "gateway.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels of every object. Argument: root context and component. */}}
{{- define "gateway.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{ include "gateway.selector" . }}
{{- end -}}

{{- define "gateway.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "gateway.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end -}}

{{- define "gateway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "gateway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* The address of a role. Argument: root context and the key of the secret. */}}
{{- define "gateway.databaseEnvironment" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef: { name: {{ .root.Values.database.secret }}, key: {{ .key }} }
{{- if .root.Values.database.ca.secret }}
- name: DATABASE_CA_CERT_PATH
  value: /run/database-ca/ca.crt
{{- end }}
{{- end -}}

{{/* Helm reads numbers as floats, which print with an exponent; their JSON form has none. */}}
{{- define "gateway.ownEnvironment" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}
{{- end }}
{{- end -}}

{{- define "gateway.commonMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.database.ca.secret }}
- { name: database-ca, mountPath: /run/database-ca, readOnly: true }
{{- end }}
{{- end -}}

{{- define "gateway.commonVolumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- if .Values.database.ca.secret }}
- name: database-ca
  secret:
    secretName: {{ .Values.database.ca.secret }}
    items: [{ key: {{ .Values.database.ca.key }}, path: ca.crt }]
{{- end }}
{{- end -}}

{{- define "gateway.pullSecrets" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end -}}
