package whatif

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// TestTemplate: what the API server refuses of a Pod template, field by field, and beside it
// what it accepts.
func TestTemplate(t *testing.T) {
	for name, c := range map[string]struct {
		spec string
		want string // empty for what is accepted
	}{
		"all of it": {`
initContainers:
- {name: once, image: i}
- {name: side, image: i, restartPolicy: Always, livenessProbe: {exec: {command: [a]}}, lifecycle: {preStop: {exec: {command: [a]}}}}
containers:
- name: app
  image: i
  imagePullPolicy: Never
  ports: [{name: http, containerPort: 80, protocol: TCP}, {containerPort: 65535, hostPort: 1}, {containerPort: 81}]
  env: [{name: a.b, value: x}, {name: a.b, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, {name: EMPTY}]
  volumeMounts: [{name: data, mountPath: /a}, {name: data, mountPath: /b}, {name: claimed, mountPath: /c}]
  resources: {requests: {cpu: 1, hugepages-2Mi: 2Mi, example.com/gpu: 1}, limits: {cpu: 1, hugepages-2Mi: 2Mi, example.com/gpu: 1, ephemeral-storage: 1Gi}}
  livenessProbe: {httpGet: {port: http, scheme: HTTPS}, successThreshold: 1}
  readinessProbe: {tcpSocket: {port: 80}, successThreshold: 3}
volumes: [{name: data, emptyDir: {}}, {name: bare}]
dnsPolicy: None`, ""},
		"port 0":                 {app(`ports: [{name: http}]`), "ports[0].containerPort 0: must be between 1 and 65535"},
		"a port too high":        {app(`ports: [{containerPort: 65536}]`), "ports[0].containerPort 65536"},
		"a host port too high":   {app(`ports: [{containerPort: 80, hostPort: 70000}]`), "ports[0].hostPort 70000"},
		"a long port name":       {app(`ports: [{name: metrics-endpoint, containerPort: 80}]`), `ports[0].name "metrics-endpoint": must be no more than 15 characters`},
		"a port name twice":      {app(`ports: [{name: a, containerPort: 80}, {name: a, containerPort: 81}]`), `ports[1].name "a" is given twice`},
		"a protocol":             {app(`ports: [{containerPort: 80, protocol: tcp}]`), `ports[0].protocol: "tcp" is none of SCTP, TCP, UDP`},
		"a pull policy":          {app(`imagePullPolicy: always`), `[0] (app): imagePullPolicy: "always" is none of Always, IfNotPresent, Never`},
		"a message policy":       {app(`terminationMessagePolicy: Log`), `terminationMessagePolicy: "Log"`},
		"env without a name":     {app(`env: [{value: x}]`), "env[0]: name is required"},
		"env with =":             {app(`env: [{name: "A=B"}]`), `env[0]: name "A=B" has a =`},
		"value and valueFrom":    {app(`env: [{name: A, value: x, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]`), "env[0] (A): value and valueFrom are both given"},
		"no source":              {app(`env: [{name: A, valueFrom: {}}]`), "env[0] (A): valueFrom names no source"},
		"two sources":            {app(`env: [{name: A, valueFrom: {fieldRef: {fieldPath: a}, secretKeyRef: {key: k}}}]`), "env[0] (A): valueFrom names more than one source"},
		"no path":                {app(`volumeMounts: [{name: claimed}]`), "volumeMounts[0]: mountPath is required"},
		"a path twice":           {app(`volumeMounts: [{name: claimed, mountPath: /a}, {name: claimed, mountPath: /a}]`), "volumeMounts[1]: mountPath /a is given twice"},
		"no volume":              {app(`volumeMounts: [{name: data, mountPath: /a}]`), `volumeMounts: no volume "data"`},
		"a misspelt resource":    {app(`resources: {limits: {mem: 1Gi}}`), `resources.limits: "mem" is no resource of containers`},
		"less than nothing":      {app(`resources: {requests: {cpu: -1}}`), "resources.requests.cpu -1 is less than 0"},
		"a probe of nothing":     {app(`livenessProbe: {periodSeconds: 5}`), "livenessProbe: neither exec, grpc, httpGet nor tcpSocket is given"},
		"a probe of two":         {app(`readinessProbe: {tcpSocket: {port: 1}, exec: {command: [a]}}`), "readinessProbe: more than one of"},
		"a probe without a port": {app(`startupProbe: {httpGet: {path: /}}`), "startupProbe.httpGet.port 0"},
		"a port as text":         {app(`readinessProbe: {tcpSocket: {port: "80"}}`), `readinessProbe.tcpSocket.port "80"`},
		"a scheme":               {app(`readinessProbe: {httpGet: {port: 80, scheme: http}}`), `readinessProbe.httpGet.scheme: "http"`},
		"two successes":          {app(`livenessProbe: {tcpSocket: {port: 80}, successThreshold: 2}`), "livenessProbe.successThreshold 2 is not 1"},
		"a negative period":      {app(`readinessProbe: {tcpSocket: {port: 80}, periodSeconds: -1}`), "readinessProbe.periodSeconds -1 is less than 0"},
		"a probe that ends":      {app("") + "\ninitContainers: [{name: once, image: i, readinessProbe: {tcpSocket: {port: 80}}}]", "initContainers: [0] (once): readinessProbe: an init container has none"},
		"a hook that ends":       {app("") + "\ninitContainers: [{name: once, image: i, lifecycle: {}}]", "initContainers: [0] (once): lifecycle: an init container has none"},
		"a volume's name":        {app("") + "\nvolumes: [{name: Data}]", `volumes: [0]: name "Data"`},
		"a nameless volume":      {app("") + "\nvolumes: [{emptyDir: {}}]", "volumes: [0]: name is required"},
		"a volume of two types":  {app("") + "\nvolumes: [{name: a, emptyDir: {}, hostPath: {path: /}}]", "volumes: [0] (a): more than one type of volume is given"},
		"a DNS policy":           {app("") + "\ndnsPolicy: Cluster", `dnsPolicy: "Cluster" is none of`},
	} {
		t.Run(name, func(t *testing.T) {
			var template corev1.PodTemplateSpec
			if err := yaml.UnmarshalStrict([]byte(c.spec), &template.Spec); err != nil {
				t.Fatal(err)
			}
			err := Refused(nil, func(v *Validation) { v.template(&Workload{Template: &template, Claims: []string{"claimed"}}) })
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "; ")):
				t.Errorf("got %v, want %s alone", err, c.want)
			}
		})
	}
}

// app is a template of one container with these fields.
func app(fields string) string {
	if fields != "" {
		fields = ", " + fields
	}
	return "containers: [{name: app, image: i" + fields + "}]"
}
