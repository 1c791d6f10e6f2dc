package webhook

import "strings"

// defaultPod mirrors SetDefaultPodSpec (apis/apps/defaults/pod.go, v1.9.1),
// which sets what Kubernetes sets in pods, but for the image pull policy.
func defaultPod(pod map[string]any) {
	orSet(pod, "dnsPolicy", "ClusterFirst")
	orSet(pod, "restartPolicy", "Always")
	orSet(pod, "terminationGracePeriodSeconds", int64(30))
	orSet(pod, "schedulerName", "default-scheduler")
	child(pod, "securityContext")
	have(pod, "overhead", roundUp)
	each(pod, "volumes", defaultVolume)
	each(pod, "initContainers", func(c map[string]any) {
		policy := "IfNotPresent"
		if image, _ := c["image"].(string); taggedLatest(image) {
			policy = "Always"
		}
		orSet(c, "imagePullPolicy", policy)
	})
	// A new image under an old tag is to be seen by an update in place.
	each(pod, "containers", func(c map[string]any) { orSet(c, "imagePullPolicy", "Always") })
	for _, list := range []string{"initContainers", "containers"} {
		each(pod, list, defaultContainer)
	}
}

// taggedLatest reports whether an image is named without a tag, or with the tag latest.
func taggedLatest(image string) bool {
	if strings.Contains(image, "@") {
		return false
	}
	name := image[strings.LastIndex(image, "/")+1:]
	_, tag, tagged := strings.Cut(name, ":")
	return !tagged || tag == "latest"
}

func defaultContainer(c map[string]any) {
	child(c, "resources")
	defaultResources(c)
	orSet(c, "terminationMessagePath", "/dev/termination-log")
	orSet(c, "terminationMessagePolicy", "File")
	each(c, "ports", func(p map[string]any) { orSet(p, "protocol", "TCP") })
	each(c, "env", func(e map[string]any) {
		have(e, "valueFrom", func(from map[string]any) { have(from, "fieldRef", defaultField) })
	})
	for _, probe := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		have(c, probe, defaultProbe)
	}
	have(c, "lifecycle", func(l map[string]any) {
		have(l, "postStart", defaultHTTP)
		have(l, "preStop", defaultHTTP)
	})
}

func defaultProbe(p map[string]any) {
	orSet(p, "timeoutSeconds", int64(1))
	orSet(p, "periodSeconds", int64(10))
	orSet(p, "successThreshold", int64(1))
	orSet(p, "failureThreshold", int64(3))
	defaultHTTP(p)
}

func defaultHTTP(handler map[string]any) {
	have(handler, "httpGet", func(get map[string]any) {
		orSet(get, "path", "/")
		orSet(get, "scheme", "HTTP")
	})
}

func defaultField(ref map[string]any) { orSet(ref, "apiVersion", "v1") }

// defaultVolume mirrors SetDefaultPodVolumes.
func defaultVolume(v map[string]any) {
	if len(v) == 1 { // a name alone
		child(v, "emptyDir")
	}
	have(v, "hostPath", func(s map[string]any) {
		if s["type"] == nil {
			s["type"] = ""
		}
	})
	for _, source := range []string{"secret", "configMap", "downwardAPI", "projected"} {
		have(v, source, func(s map[string]any) {
			orSet(s, "defaultMode", int64(0o644))
			each(s, "items", defaultItem)
			each(s, "sources", defaultProjection)
		})
	}
}

func defaultItem(item map[string]any) { have(item, "fieldRef", defaultField) }

func defaultProjection(p map[string]any) {
	have(p, "downwardAPI", func(d map[string]any) { each(d, "items", defaultItem) })
	have(p, "serviceAccountToken", func(t map[string]any) { orSet(t, "expirationSeconds", int64(3600)) })
}
