package admission

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// enforce is the label with the Pod Security Standard that a namespace enforces, and privileged
// the one that forbids nothing (pod-security-admission/api/constants.go, v0.37.1).
const (
	enforce    = "pod-security.kubernetes.io/enforce"
	privileged = "privileged"
)

// security doubts that Pods are accepted which do not surely keep to what their namespace
// enforces, in any of its versions. What is exempted is not known.
func (ns Namespace) security(pod *corev1.Pod) []Doubt {
	level := ns.Labels[enforce]
	if level == "" || level == privileged {
		return nil
	}
	standards := baseline
	if level != "baseline" {
		standards = slices.Concat(baseline, restrictedOnly)
	}
	var found []string
	for _, c := range containers(&pod.Spec) {
		for _, of := range standards {
			if !slices.Contains(found, of.what) && of.fails(pod, c) {
				found = append(found, of.what)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return []Doubt{{Why: fmt.Sprintf("PodSecurity %s may refuse the Pods (label %s of the namespace): %s", level, enforce, strings.Join(found, ", "))}}
}

// standard is one check of the Pod Security Standards, under the reason that upstream gives. What it
// passes passes upstream's of each version; some that it fails do as well.
type standard struct {
	what  string
	fails func(*corev1.Pod, *corev1.Container) bool
}

// baseline and restrictedOnly are those of pod-security-admission/policy (v0.36.3).
var (
	baseline = []standard{
		{"host namespaces", func(p *corev1.Pod, _ *corev1.Container) bool {
			return p.Spec.HostNetwork || p.Spec.HostPID || p.Spec.HostIPC
		}},
		{"hostPath volumes", func(p *corev1.Pod, _ *corev1.Container) bool {
			return slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.HostPath != nil })
		}},
		{"hostPort", func(_ *corev1.Pod, c *corev1.Container) bool {
			return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.HostPort != 0 })
		}},
		{"privileged", func(_ *corev1.Pod, c *corev1.Container) bool { return ptr.Deref(security(c).Privileged, false) }},
		{"non-default capabilities", func(_ *corev1.Pod, c *corev1.Container) bool {
			add := security(c).Capabilities
			return add != nil && slices.ContainsFunc(add.Add, func(name corev1.Capability) bool { return name != "NET_BIND_SERVICE" })
		}},
		{"procMount", func(_ *corev1.Pod, c *corev1.Container) bool {
			return ptr.Deref(security(c).ProcMount, corev1.DefaultProcMount) != corev1.DefaultProcMount
		}},
		{"seLinuxOptions", func(p *corev1.Pod, c *corev1.Container) bool {
			return podSecurity(p).SELinuxOptions != nil || security(c).SELinuxOptions != nil
		}},
		{"sysctls", func(p *corev1.Pod, _ *corev1.Container) bool { return len(podSecurity(p).Sysctls) > 0 }},
		{"hostProcess", func(p *corev1.Pod, c *corev1.Container) bool {
			return podSecurity(p).WindowsOptions != nil || security(c).WindowsOptions != nil
		}},
		{"probe or lifecycle host", func(_ *corev1.Pod, c *corev1.Container) bool { return callsHost(c) }},
		{"AppArmor profile", func(p *corev1.Pod, c *corev1.Container) bool {
			return unconfined(podSecurity(p).AppArmorProfile) || unconfined(security(c).AppArmorProfile) || annotated(p, "apparmor.")
		}},
		{"seccompProfile", func(p *corev1.Pod, c *corev1.Container) bool {
			return laxSeccomp(podSecurity(p).SeccompProfile) || laxSeccomp(security(c).SeccompProfile) || annotated(p, "seccomp.")
		}},
	}
	restrictedOnly = []standard{
		{"restricted volume types", func(p *corev1.Pod, _ *corev1.Container) bool {
			return slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return !ordinary(v.VolumeSource) })
		}},
		{"allowPrivilegeEscalation != false", func(_ *corev1.Pod, c *corev1.Container) bool {
			return ptr.Deref(security(c).AllowPrivilegeEscalation, true)
		}},
		{"unrestricted capabilities", func(_ *corev1.Pod, c *corev1.Container) bool {
			drop := security(c).Capabilities
			return drop == nil || !slices.Contains(drop.Drop, "ALL")
		}},
		{"runAsNonRoot != true", func(p *corev1.Pod, c *corev1.Container) bool {
			whole := podSecurity(p).RunAsNonRoot
			return !ptr.Deref(whole, true) || !ptr.Deref(security(c).RunAsNonRoot, ptr.Deref(whole, false))
		}},
		{"runAsUser=0", func(p *corev1.Pod, c *corev1.Container) bool {
			return ptr.Deref(podSecurity(p).RunAsUser, 1) == 0 || ptr.Deref(security(c).RunAsUser, 1) == 0
		}},
		{"seccompProfile", func(p *corev1.Pod, c *corev1.Container) bool {
			return podSecurity(p).SeccompProfile == nil && security(c).SeccompProfile == nil
		}},
	}
)

func podSecurity(p *corev1.Pod) corev1.PodSecurityContext {
	return ptr.Deref(p.Spec.SecurityContext, corev1.PodSecurityContext{})
}

func security(c *corev1.Container) corev1.SecurityContext {
	return ptr.Deref(c.SecurityContext, corev1.SecurityContext{})
}

func laxSeccomp(p *corev1.SeccompProfile) bool {
	return p != nil && p.Type != corev1.SeccompProfileTypeRuntimeDefault && p.Type != corev1.SeccompProfileTypeLocalhost
}

func unconfined(p *corev1.AppArmorProfile) bool {
	return p != nil && p.Type != corev1.AppArmorProfileTypeRuntimeDefault && p.Type != corev1.AppArmorProfileTypeLocalhost
}

// annotated reports whether a Pod has an annotation of former profiles.
func annotated(p *corev1.Pod, profile string) bool {
	for key := range p.Annotations {
		if strings.Contains(key, profile) && strings.Contains(key, ".kubernetes.io/") {
			return true
		}
	}
	return false
}

// callsHost reports whether a probe or a hook of a container names a host.
func callsHost(c *corev1.Container) bool {
	var all []corev1.ProbeHandler
	for _, p := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		if p != nil {
			all = append(all, p.ProbeHandler)
		}
	}
	if l := c.Lifecycle; l != nil {
		for _, h := range []*corev1.LifecycleHandler{l.PostStart, l.PreStop} {
			if h != nil {
				all = append(all, corev1.ProbeHandler{HTTPGet: h.HTTPGet, TCPSocket: h.TCPSocket})
			}
		}
	}
	return slices.ContainsFunc(all, func(h corev1.ProbeHandler) bool {
		return h.HTTPGet != nil && h.HTTPGet.Host != "" || h.TCPSocket != nil && h.TCPSocket.Host != ""
	})
}

// ordinary reports whether a volume is of one of the types that each version allows. One
// without a source is an emptyDir, or of a claim.
func ordinary(v corev1.VolumeSource) bool {
	return v == corev1.VolumeSource{} || v.ConfigMap != nil || v.CSI != nil || v.DownwardAPI != nil || v.EmptyDir != nil ||
		v.Ephemeral != nil || v.PersistentVolumeClaim != nil || v.Projected != nil || v.Secret != nil
}
