package podtemplate

import "strings"

// filled is a field that the API fills with a value where it is not set.
type filled struct {
	field string
	value any
}

// defaults are those of Pod templates by the objects that have them (SetDefaults_PodSpec
// and others of pkg/apis/core/v1/defaults.go, and SetObjectDefaults_StatefulSet of
// pkg/apis/apps/v1/zz_generated.defaults.go, v1.37.1), but for those that depend on other
// fields and those of volume types that Kubernetes has removed. "[]" is each item of a list.
var defaults = map[string][]filled{
	"spec": {
		{"dnsPolicy", "ClusterFirst"}, {"restartPolicy", "Always"}, {"securityContext", map[string]any{}},
		{"terminationGracePeriodSeconds", 30}, {"schedulerName", "default-scheduler"},
	},
	"spec.volumes[].secret":                                           {{"defaultMode", 0o644}},
	"spec.volumes[].configMap":                                        {{"defaultMode", 0o644}},
	"spec.volumes[].downwardAPI":                                      {{"defaultMode", 0o644}},
	"spec.volumes[].downwardAPI.items[].fieldRef":                     {{"apiVersion", "v1"}},
	"spec.volumes[].projected":                                        {{"defaultMode", 0o644}},
	"spec.volumes[].projected.sources[].serviceAccountToken":          {{"expirationSeconds", 3600}},
	"spec.volumes[].projected.sources[].downwardAPI.items[].fieldRef": {{"apiVersion", "v1"}},
	"spec.volumes[].hostPath":                                         {{"type", ""}},
	"spec.volumes[].iscsi":                                            {{"iscsiInterface", "default"}},
	"spec.volumes[].ephemeral.volumeClaimTemplate.spec":               {{"volumeMode", "Filesystem"}},
}

// ofContainers are the defaults of containers of each kind, below one of them.
var ofContainers = map[string][]filled{
	"":                             {{"terminationMessagePath", "/dev/termination-log"}, {"terminationMessagePolicy", "File"}},
	".ports[]":                     {{"protocol", "TCP"}},
	".env[].valueFrom.fieldRef":    {{"apiVersion", "v1"}},
	".env[].valueFrom.fileKeyRef":  {{"optional", false}},
	".lifecycle.postStart.httpGet": ofHTTP,
	".lifecycle.preStop.httpGet":   ofHTTP,
}

var (
	ofHTTP  = []filled{{"path", "/"}, {"scheme", "HTTP"}}
	ofProbe = []filled{{"timeoutSeconds", 1}, {"periodSeconds", 10}, {"successThreshold", 1}, {"failureThreshold", 3}}
	ofGRPC  = []filled{{"service", ""}}
)

func init() {
	for _, probe := range []string{".livenessProbe", ".readinessProbe", ".startupProbe"} {
		ofContainers[probe], ofContainers[probe+".httpGet"], ofContainers[probe+".grpc"] = ofProbe, ofHTTP, ofGRPC
	}
	for below, all := range ofContainers {
		for _, list := range containers {
			defaults[list+below] = all
		}
	}
}

var containers = []string{"spec.containers[]", "spec.initContainers[]", "spec.ephemeralContainers[]"}

// Fill sets the defaults of a Pod template that was decoded from JSON.
func Fill(template map[string]any) {
	for path, all := range defaults {
		each(template, strings.Split(path, "."), func(obj map[string]any) {
			for _, f := range all {
				if obj[f.field] == nil {
					obj[f.field] = f.value
				}
			}
		})
	}
	for _, list := range containers {
		each(template, strings.Split(list, "."), fillPullPolicy)
	}
	each(template, []string{"spec", "volumes[]"}, func(volume map[string]any) {
		if len(volume) == 1 { // its name
			volume["emptyDir"] = map[string]any{}
		}
	})
}

// each visits the objects at a path.
func each(obj map[string]any, path []string, visit func(map[string]any)) {
	if len(path) == 0 {
		visit(obj)
		return
	}
	name, isList := strings.CutSuffix(path[0], "[]")
	items := []any{obj[name]}
	if isList {
		items, _ = obj[name].([]any)
	}
	for _, item := range items {
		if next, ok := item.(map[string]any); ok {
			each(next, path[1:], visit)
		}
	}
}

// fillPullPolicy mirrors SetDefaults_Container (pkg/apis/core/v1/defaults.go, v1.37.1):
// Always for an image without a tag and for the tag latest.
func fillPullPolicy(container map[string]any) {
	if container["imagePullPolicy"] != nil {
		return
	}
	image, _ := container["image"].(string)
	container["imagePullPolicy"] = "IfNotPresent"
	name, _, pinned := strings.Cut(image[strings.LastIndex(image, "/")+1:], "@")
	_, tag, tagged := strings.Cut(name, ":")
	if tag == "latest" || !tagged && !pinned {
		container["imagePullPolicy"] = "Always"
	}
}
