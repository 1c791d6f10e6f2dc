package whatif

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
)

// container is one of a template while it is validated.
type container struct {
	*Validation
	*corev1.Container
	// list is the path of the containers, at the place among them.
	list string
	at   int
	// init: it runs before the others, and ends, unless it is a sidecar.
	init bool
}

// refuse says what is wrong with a field of the container.
func (c *container) refuse(format string, args ...any) {
	at := fmt.Sprintf("[%d]", c.at)
	if c.Name != "" {
		at += " (" + c.Name + ")"
	}
	c.Refuse(c.list, "%s: %s", at, fmt.Sprintf(format, args...))
}

// validate mirrors the part of validateContainerCommon, validateContainers and
// validateInitContainers (pkg/apis/core/validation/validation.go, v1.37.1) that users most
// often get wrong. Fields that have a default may be empty.
func (c *container) validate(volumes map[string]bool) {
	switch problems := validation.IsDNS1123Label(c.Name); {
	case c.Name == "":
		c.refuse("name is required")
	case len(problems) > 0:
		c.Refuse(c.list, "[%d]: name %q: %s", c.at, c.Name, problems[0])
	}
	if c.Image == "" { // spaces around one are refused of Pods, and not of templates
		c.refuse("image is required")
	}
	c.oneOf("imagePullPolicy", string(c.ImagePullPolicy), string(corev1.PullAlways), string(corev1.PullIfNotPresent), string(corev1.PullNever))
	c.oneOf("terminationMessagePolicy", string(c.TerminationMessagePolicy), string(corev1.TerminationMessageReadFile), string(corev1.TerminationMessageFallbackToLogsOnError))
	c.ports()
	c.env()
	c.mounts(volumes)
	c.resources()
	c.probes()
}

// oneOf refuses a value that is none of a field's.
func (c *container) oneOf(field, value string, known ...string) {
	if value != "" && !slices.Contains(known, value) {
		c.refuse("%s: %q is none of %s", field, value, strings.Join(known, ", "))
	}
}

// ports mirrors validateContainerPorts.
func (c *container) ports() {
	names := map[string]bool{}
	for i, p := range c.Ports {
		at := fmt.Sprintf("ports[%d]", i)
		if problems := validation.IsValidPortName(p.Name); p.Name != "" && len(problems) > 0 {
			c.refuse("%s.name %q: %s", at, p.Name, problems[0])
		} else if names[p.Name] {
			c.refuse("%s.name %q is given twice", at, p.Name)
		}
		names[p.Name] = p.Name != ""
		c.port(at+".containerPort", p.ContainerPort)
		if p.HostPort != 0 {
			c.port(at+".hostPort", p.HostPort)
		}
		c.oneOf(at+".protocol", string(p.Protocol), string(corev1.ProtocolSCTP), string(corev1.ProtocolTCP), string(corev1.ProtocolUDP))
	}
}

func (c *container) port(field string, n int32) {
	if problems := validation.IsValidPortNum(int(n)); len(problems) > 0 {
		c.refuse("%s %d: %s", field, n, problems[0])
	}
}

// env mirrors ValidateEnv and validateEnvVarValueFrom. One name may be given twice.
func (c *container) env() {
	for i := range c.Env {
		e := &c.Env[i]
		if e.Name == "" {
			c.refuse("env[%d]: name is required", i)
		} else if strings.Contains(e.Name, "=") {
			c.refuse("env[%d]: name %q has a =", i, e.Name)
		}
		if e.ValueFrom == nil {
			continue
		}
		from := e.ValueFrom
		switch n := given(from.FieldRef != nil, from.ResourceFieldRef != nil, from.ConfigMapKeyRef != nil, from.SecretKeyRef != nil, from.FileKeyRef != nil); {
		case n == 0:
			c.refuse("env[%d] (%s): valueFrom names no source", i, e.Name)
		case e.Value != "":
			c.refuse("env[%d] (%s): value and valueFrom are both given", i, e.Name)
		case n > 1:
			c.refuse("env[%d] (%s): valueFrom names more than one source", i, e.Name)
		}
	}
}

// given counts what is true.
func given(all ...bool) (n int) {
	for _, is := range all {
		if is {
			n++
		}
	}
	return n
}

// mounts mirrors ValidateVolumeMounts.
func (c *container) mounts(volumes map[string]bool) {
	paths := map[string]bool{}
	for i, m := range c.VolumeMounts {
		if !volumes[m.Name] {
			c.refuse("volumeMounts: no volume %q", m.Name)
		}
		switch {
		case m.MountPath == "":
			c.refuse("volumeMounts[%d]: mountPath is required", i)
		case paths[m.MountPath]:
			c.refuse("volumeMounts[%d]: mountPath %s is given twice", i, m.MountPath)
		}
		paths[m.MountPath] = true
	}
}

// resources mirrors validateContainerResourceName and ValidateContainerResourceRequirements.
func (c *container) resources() {
	for _, list := range []struct {
		name string
		of   corev1.ResourceList
	}{{"limits", c.Resources.Limits}, {"requests", c.Resources.Requests}} {
		for name, q := range list.of {
			if !isContainerResource(string(name)) {
				c.refuse("resources.%s: %q is no resource of containers", list.name, name)
			}
			if q.Sign() < 0 {
				c.refuse("resources.%s.%s %s is less than 0", list.name, name, q.String())
			}
		}
	}
	for name, request := range c.Resources.Requests {
		if limit, limited := c.Resources.Limits[name]; limited && request.Cmp(limit) > 0 {
			c.refuse("resources.requests.%s %s is more than its limit %s", name, request.String(), limit.String())
		}
	}
}

// isContainerResource mirrors IsStandardContainerResourceName (pkg/apis/core/helper/
// helpers.go, v1.37.1); names with a domain are anybody's.
func isContainerResource(name string) bool {
	switch corev1.ResourceName(name) {
	case corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage:
		return true
	}
	return strings.HasPrefix(name, corev1.ResourceHugePagesPrefix) || strings.Contains(name, "/")
}

// probes mirrors validateProbe, validateLivenessProbe and validateStartupProbe, and what
// validateInitContainers forbids those that end.
func (c *container) probes() {
	sidecar := c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
	for _, p := range []struct {
		name  string
		probe *corev1.Probe
		once  bool // a success is one
	}{{"livenessProbe", c.LivenessProbe, true}, {"readinessProbe", c.ReadinessProbe, false}, {"startupProbe", c.StartupProbe, true}} {
		switch {
		case p.probe == nil:
		case c.init && !sidecar:
			c.refuse("%s: an init container has none, unless its restartPolicy is Always", p.name)
		default:
			c.probe(p.name, p.probe)
			if n := p.probe.SuccessThreshold; p.once && n > 1 {
				c.refuse("%s.successThreshold %d is not 1", p.name, n)
			}
		}
	}
	if c.init && !sidecar && c.Lifecycle != nil {
		c.refuse("lifecycle: an init container has none, unless its restartPolicy is Always")
	}
}

func (c *container) probe(name string, p *corev1.Probe) {
	switch n := given(p.Exec != nil, p.HTTPGet != nil, p.TCPSocket != nil, p.GRPC != nil); {
	case n == 0:
		c.refuse("%s: neither exec, grpc, httpGet nor tcpSocket is given", name)
	case n > 1:
		c.refuse("%s: more than one of exec, grpc, httpGet and tcpSocket is given", name)
	}
	if p.HTTPGet != nil {
		c.portOrName(name+".httpGet.port", p.HTTPGet.Port)
		c.oneOf(name+".httpGet.scheme", string(p.HTTPGet.Scheme), string(corev1.URISchemeHTTP), string(corev1.URISchemeHTTPS))
	}
	if p.TCPSocket != nil {
		c.portOrName(name+".tcpSocket.port", p.TCPSocket.Port)
	}
	for _, n := range []struct {
		field string
		value int32
	}{
		{"initialDelaySeconds", p.InitialDelaySeconds}, {"timeoutSeconds", p.TimeoutSeconds}, {"periodSeconds", p.PeriodSeconds},
		{"successThreshold", p.SuccessThreshold}, {"failureThreshold", p.FailureThreshold},
	} {
		if n.value < 0 {
			c.refuse("%s.%s %d is less than 0", name, n.field, n.value)
		}
	}
}

// portOrName mirrors ValidatePortNumOrName.
func (c *container) portOrName(field string, port intstr.IntOrString) {
	if port.Type == intstr.Int {
		c.port(field, port.IntVal)
	} else if problems := validation.IsValidPortName(port.StrVal); len(problems) > 0 {
		c.refuse("%s %q: %s", field, port.StrVal, problems[0])
	}
}
