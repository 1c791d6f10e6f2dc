package memory

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// length is how many steps a sequence has before everything is forgotten.
const length = 250

// draw makes the steps of a sequence.
type draw struct{ *rand.Rand }

func newDraw(seed int) draw { return draw{rand.New(rand.NewPCG(uint64(seed), 6))} }

// sequence draws steps, among them waits that often stop at an edge: exactly
// at, one nanosecond before and after the five minutes of a timeout.
func (d draw) sequence(kinds []func(draw) string) []string {
	steps := make([]string, length)
	for i := range steps {
		if d.IntN(12) == 0 {
			steps[i] = "wait " + d.of("1ns", "1s", "59s", "2m", "2m30s", "4m59.999999999s", "5m", "5m0.000000001s")
		} else {
			steps[i] = kinds[d.IntN(len(kinds))](d)
		}
	}
	return steps
}

func (d draw) of(words ...string) string { return words[d.IntN(len(words))] }
func (d draw) key() string               { return d.of("shop/web", "shop/api") }
func (d draw) pod() string               { return d.of("shop/a", "shop/b", "shop/c", "shop/d") }
func (d draw) few() int                  { return d.IntN(6) - 1 }

// pods are one to five, some of them the same.
func (d draw) pods() string {
	pods := make([]string, 1+d.IntN(5))
	for i := range pods {
		pods[i] = d.pod()
	}
	return strings.Join(pods, ",")
}

// version is mostly a number like another, and sometimes nothing that upstream
// expects. "-" is the empty one.
func (d draw) version() string {
	if d.IntN(8) == 0 {
		return d.of("-", "0", "07", "x9", "18446744073709551615", "18446744073709551616", "100000000000000000000")
	}
	return fmt.Sprint(95 + d.IntN(10))
}

// kubernetes are the steps that Kubernetes' expectations can take.
var kubernetes = []func(draw) string{
	func(d draw) string { return fmt.Sprintf("set %s %d %d", d.key(), d.few(), d.few()) },
	func(d draw) string { return fmt.Sprintf("creations %s %d", d.key(), d.few()) },
	func(d draw) string { return "deletions " + d.key() + " " + d.pods() },
	func(d draw) string { return fmt.Sprintf("raise %s %d %d", d.key(), d.few(), d.few()) },
	func(d draw) string { return fmt.Sprintf("lower %s %d %d", d.key(), d.few(), d.few()) },
	func(d draw) string { return "created " + d.key() },
	func(d draw) string { return "created " + d.key() },
	func(d draw) string { return "deleted " + d.key() + " " + d.pod() },
	func(d draw) string { return "deleted " + d.key() + " " + d.pod() },
	func(d draw) string {
		if d.IntN(5) > 0 {
			return "created " + d.key()
		}
		return "forget " + d.key()
	},
	func(d draw) string {
		return "wrote " + d.of("web", "api") + " " + d.of("u1", "u1", "u1", "u2") + " " + d.resource() + " " + d.version()
	},
	func(d draw) string { return "read " + d.of("pods", "replicasets.apps") + " " + d.version() },
	func(d draw) string { return "ready " + d.of("web", "api") },
	func(d draw) string {
		if d.IntN(4) > 0 {
			return "ready web"
		}
		return "clear " + d.of("web", "api") + " " + d.of("u1", "u2", "-")
	},
}

// resource is sometimes one that has no cache.
func (d draw) resource() string { return d.of("pods", "pods", "replicasets.apps", "daemonsets.apps") }

// kruise are the steps that Kruise's expectations can take.
var kruise = []func(draw) string{
	func(d draw) string { return "expect " + d.key() + " " + d.of("create", "delete") + " " + d.pod() },
	func(d draw) string { return "observe " + d.key() + " " + d.of("create", "delete") + " " + d.pod() },
	func(d draw) string { return "observe " + d.key() + " " + d.of("create", "delete") + " " + d.pod() },
	func(d draw) string { return "look " + d.key() },
	func(d draw) string {
		if d.IntN(4) > 0 {
			return "look " + d.key()
		}
		return "forget " + d.key()
	},
	func(d draw) string { return "expectVersion " + d.of("u1", "u2") + " " + d.version() },
	func(d draw) string { return "observeVersion " + d.of("u1", "u2") + " " + d.version() },
	func(d draw) string { return "lookVersion " + d.of("u1", "u2") + " " + d.version() },
	func(d draw) string {
		if d.IntN(4) > 0 {
			return "lookVersion u1 " + d.version()
		}
		return "forgetVersion u1 -"
	},
}
