package trace

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// TestHeld: what a record holds at one time is bounded, not how much it says.
func TestHeld(t *testing.T) {
	type delta struct {
		kind, name string
		typ        cache.DeltaType
		tombstone  bool
	}
	const half = mostHeld / 2
	for name, c := range map[string]struct {
		deltas []delta
		refuse bool
	}{
		"again and again": {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "a"}}, false},
		"two":             {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "b"}}, false},
		"three":           {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "b"}, {kind: "/v1/Pod", name: "c"}}, true},
		"three kinds":     {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Node", name: "a"}, {kind: "/v1/Event", name: "a"}}, true},
		"one deleted":     {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "b"}, {kind: "/v1/Pod", name: "b", typ: cache.Deleted}, {kind: "/v1/Pod", name: "c"}}, false},
		"one missed":      {[]delta{{kind: "/v1/Pod", name: "a"}, {kind: "/v1/Pod", name: "b"}, {kind: "/v1/Pod", name: "b", tombstone: true}, {kind: "/v1/Pod", name: "c"}}, false},
	} {
		var h held
		var err error
		for _, d := range c.deltas {
			err = h.take(line{Kind: d.kind, Type: d.typ, Tombstone: d.tombstone}, &metav1.ObjectMeta{Namespace: "shop", Name: d.name}, half)
		}
		if refused := err != nil && strings.Contains(err.Error(), "more than 1024 MiB"); refused != c.refuse || err != nil && !c.refuse {
			t.Errorf("%s: %v", name, err)
		}
	}
}
