package whatif

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestSetImages: a name is of containers and init containers, * of all, and only what changes
// is noted.
func TestSetImages(t *testing.T) {
	for name, c := range map[string]struct {
		images map[string]string
		want   []string
		err    string
	}{
		"a container":       {map[string]string{"main": "foo:1"}, []string{"containers[main].image: nginx:1 → foo:1"}, ""},
		"an init container": {map[string]string{"init": "foo:1"}, []string{"initContainers[init].image: busybox:1 → foo:1"}, ""},
		"every one":         {map[string]string{"*": "foo:1"}, []string{"containers[main].image: nginx:1 → foo:1", "containers[new].image: unset → foo:1", "initContainers[init].image: busybox:1 → foo:1"}, ""},
		"all but one":       {map[string]string{"*": "foo:1", "init": "bar:1", "new": "baz:1"}, []string{"containers[main].image: nginx:1 → foo:1", "containers[new].image: unset → baz:1", "initContainers[init].image: busybox:1 → bar:1"}, ""},
		"the same":          {map[string]string{"side": "foo:1"}, nil, ""},
		"none":              {map[string]string{"main": "foo:1", "mian": "foo:1"}, nil, `the template has no container "mian"; it has main, side, new; init containers: init`},
	} {
		t.Run(name, func(t *testing.T) {
			spec := corev1.PodSpec{
				InitContainers: []corev1.Container{{Name: "init", Image: "busybox:1"}},
				Containers:     []corev1.Container{{Name: "main", Image: "nginx:1"}, {Name: "side", Image: "foo:1"}, {Name: "new"}},
			}
			changes, err := Fields{Images: c.images}.SetImages(decision.Ref{}, ContainersOf(&spec))
			if err == nil && c.err != "" || err != nil && err.Error() != c.err {
				t.Errorf("error %v, want %q", err, c.err)
			}
			var got []string
			for _, change := range changes {
				got = append(got, change.Path+": "+change.From+" → "+change.To)
			}
			var want []string
			for _, line := range c.want {
				want = append(want, "spec.template.spec."+line)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			for _, container := range ContainersOf(&spec) {
				if to := c.images[container.Name]; to != "" && err == nil && container.Image != to {
					t.Errorf("%s has image %s, want %s", container.Name, container.Image, to)
				}
			}
		})
	}
}
