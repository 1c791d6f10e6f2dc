package admission

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// strict is a Pod that each standard accepts.
func strict() *corev1.Pod {
	c := corev1.Container{Name: "main", SecurityContext: &corev1.SecurityContext{
		AllowPrivilegeEscalation: new(false), RunAsNonRoot: new(true),
		Capabilities:   &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}, Add: []corev1.Capability{"NET_BIND_SERVICE"}},
		SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}}
	p := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{c}}}
	p.Spec.Volumes = []corev1.Volume{
		{Name: "none"}, {Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{}}},
	}
	return p
}

// TestSecurity: what may break the standard that a namespace enforces is in doubt, and only that.
func TestSecurity(t *testing.T) {
	main := func(change func(*corev1.SecurityContext)) func(*corev1.Pod) {
		return func(p *corev1.Pod) { change(p.Spec.Containers[0].SecurityContext) }
	}
	pod := func(change func(*corev1.PodSecurityContext)) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Spec.SecurityContext = &corev1.PodSecurityContext{}
			change(p.Spec.SecurityContext)
		}
	}
	volume := func(v corev1.VolumeSource) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{VolumeSource: v}) }
	}
	host := corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Host: "10.0.0.1"}}
	for name, c := range map[string]struct {
		change               func(*corev1.Pod)
		baseline, restricted string
	}{
		"strict":      {func(*corev1.Pod) {}, "", ""},
		"hostNetwork": {func(p *corev1.Pod) { p.Spec.HostNetwork = true }, "host namespaces", "host namespaces"},
		"hostPID":     {func(p *corev1.Pod) { p.Spec.HostPID = true }, "host namespaces", "host namespaces"},
		"hostIPC":     {func(p *corev1.Pod) { p.Spec.HostIPC = true }, "host namespaces", "host namespaces"},
		"hostPath":    {volume(corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{}}), "hostPath volumes", "hostPath volumes, restricted volume types"},
		"nfs":         {volume(corev1.VolumeSource{NFS: &corev1.NFSVolumeSource{}}), "", "restricted volume types"},
		"claim":       {volume(corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{}}), "", ""},
		"hostPort":    {func(p *corev1.Pod) { p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}} }, "hostPort", "hostPort"},
		"port":        {func(p *corev1.Pod) { p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}} }, "", ""},
		"privileged":  {main(func(s *corev1.SecurityContext) { s.Privileged = new(true) }), "privileged", "privileged"},
		"capability":  {main(func(s *corev1.SecurityContext) { s.Capabilities.Add = []corev1.Capability{"SYS_ADMIN"} }), "non-default capabilities", "non-default capabilities"},
		"drops none":  {main(func(s *corev1.SecurityContext) { s.Capabilities = nil }), "", "unrestricted capabilities"},
		"procMount":   {main(func(s *corev1.SecurityContext) { s.ProcMount = ptr.To(corev1.UnmaskedProcMount) }), "procMount", "procMount"},
		"seLinux":     {pod(func(s *corev1.PodSecurityContext) { s.SELinuxOptions = &corev1.SELinuxOptions{} }), "seLinuxOptions", "seLinuxOptions"},
		"sysctl":      {pod(func(s *corev1.PodSecurityContext) { s.Sysctls = []corev1.Sysctl{{}} }), "sysctls", "sysctls"},
		"Windows":     {main(func(s *corev1.SecurityContext) { s.WindowsOptions = &corev1.WindowsSecurityContextOptions{} }), "hostProcess", "hostProcess"},
		"probe":       {func(p *corev1.Pod) { p.Spec.Containers[0].ReadinessProbe = &corev1.Probe{ProbeHandler: host} }, "probe or lifecycle host", "probe or lifecycle host"},
		"hook": {func(p *corev1.Pod) {
			p.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{TCPSocket: host.TCPSocket}}
		}, "probe or lifecycle host", "probe or lifecycle host"},
		"AppArmor": {main(func(s *corev1.SecurityContext) {
			s.AppArmorProfile = &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeUnconfined}
		}), "AppArmor profile", "AppArmor profile"},
		"annotation": {func(p *corev1.Pod) {
			p.Annotations = map[string]string{"container.apparmor.security.beta.kubernetes.io/main": "unconfined"}
		}, "AppArmor profile", "AppArmor profile"},
		"seccomp": {pod(func(s *corev1.PodSecurityContext) {
			s.SeccompProfile = &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeUnconfined}
		}), "seccompProfile", "seccompProfile"},
		"no seccomp":    {main(func(s *corev1.SecurityContext) { s.SeccompProfile = nil }), "", "seccompProfile"},
		"escalation":    {main(func(s *corev1.SecurityContext) { s.AllowPrivilegeEscalation = nil }), "", "allowPrivilegeEscalation != false"},
		"root":          {main(func(s *corev1.SecurityContext) { s.RunAsNonRoot = nil }), "", "runAsNonRoot != true"},
		"root by Pod":   {pod(func(s *corev1.PodSecurityContext) { s.RunAsNonRoot = new(false) }), "", "runAsNonRoot != true"},
		"user":          {pod(func(s *corev1.PodSecurityContext) { s.RunAsUser = new(int64(0)) }), "", "runAsUser=0"},
		"init":          {func(p *corev1.Pod) { p.Spec.InitContainers = []corev1.Container{{Name: "init"}} }, "", "allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile"},
		"no containers": {func(p *corev1.Pod) { p.Spec.Containers = nil }, "", ""},
	} {
		for level, want := range map[string]string{"": "", "privileged": "", "baseline": c.baseline, "restricted": c.restricted, "Restricted": c.restricted} {
			p := strict()
			c.change(p)
			got := ""
			for _, d := range (Namespace{Labels: map[string]string{enforce: level}}).security(p) {
				_, got, _ = strings.Cut(d.Why, "): ")
			}
			if got != want {
				t.Errorf("%s under %q: got %q, want %q", name, level, got, want)
			}
		}
	}
}
