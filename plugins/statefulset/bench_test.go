package statefulset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// BenchmarkManyPods decides on a StatefulSet with 10,000 Pods, of which one is updated.
func BenchmarkManyPods(b *testing.B) {
	const n = 10_000
	var text strings.Builder
	fmt.Fprintf(&text, "sts web selector=app=web replicas=%d image=web:2 claims=data retain=Delete/Delete current=web-a update=web-b\n", n)
	text.WriteString("srev web-a of=sts/web image=web:1\nsrev web-b of=sts/web number=2 image=web:2\n")
	for i := range n {
		fmt.Fprintf(&text, "ord web-%d of=sts/web rev=web-a ready=1h claims=data\npvc data-web-%[1]d of=sts/web\n", i)
	}
	v, err := clusterdsl.Parse(text.String())
	if err != nil {
		b.Fatal(err)
	}
	p, t := emulating(b, "1.37", ""), targetOf("web")
	for b.Loop() {
		d, err := statefulset.Decide(v.Reader(), p, t, statefulset.Given{})
		if err != nil || len(d.Actions) != 1 {
			b.Fatalf("%v: %d actions", err, len(d.Actions))
		}
	}
}
