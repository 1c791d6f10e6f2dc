package bounds

import (
	"fmt"
	"io"
	"strings"
)

// object is one object as a line of JSON. The texts of spec and more may be
// empty; more begins with a comma.
func object(w io.Writer, apiVersion, kind, name, metadata, more string) error {
	_, err := fmt.Fprintf(w, `{"apiVersion":%q,"kind":%q,"metadata":{"name":%q,"namespace":"shop","uid":"%s-%s","creationTimestamp":"2026-11-01T10:00:00Z"%s}%s}`+"\n",
		apiVersion, kind, name, strings.ToLower(kind), name, metadata, more)
	return err
}

// pod is a Pod that runs.
func pod(w io.Writer, name, labels, owners string) error {
	return object(w, "v1", "Pod", name, `,"labels":`+labels+owners,
		`,"spec":{"nodeName":"n","containers":[{"name":"main","image":"web:1"}]},"status":{"phase":"Running"}`)
}

// workload is a controller of a kind with a selector.
func workload(w io.Writer, kind, name, selector, labels, owners string) error {
	group := "apps/v1"
	if kind == "CloneSet" {
		group = "apps.kruise.io/v1alpha1"
	}
	return object(w, group, kind, name, owners, fmt.Sprintf(
		`,"spec":{"replicas":1,"selector":%s,"template":{"metadata":{"labels":%s},"spec":{"containers":[{"name":"main","image":"web:1"}]}}}`, selector, labels))
}

// owned are owner references to ReplicaSets, the first one to the controller.
func owned(names ...string) string {
	refs := make([]string, len(names))
	for i, name := range names {
		refs[i] = fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"ReplicaSet","name":%q,"uid":"replicaset-%s","controller":%t}`, name, name, i == 0)
	}
	return `,"ownerReferences":[` + strings.Join(refs, ",") + `]`
}

// each writes with every function, for every i below n.
func each(n int, write ...func(i int) error) error {
	for i := range n {
		for _, f := range write {
			if err := f(i); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	webLabels   = `{"app":"web"}`
	webSelector = `{"matchLabels":{"app":"web"}}`
)

// selects is the selector of the i-th controller, and the labels of the i-th Pod.
type selects func(i int) (selector, labels string)

// oneSelector is the same one for all.
func oneSelector(int) (string, string) { return webSelector, webLabels }

// absentKeys match what lacks a key, each another one.
func absentKeys(i int) (string, string) {
	return fmt.Sprintf(`{"matchExpressions":[{"key":"k-%d","operator":"DoesNotExist"}]}`, i), webLabels
}

// otherValues match what has any value but one, each another one. Each Pod has
// a value that one of them does not match.
func otherValues(i int) (string, string) {
	return fmt.Sprintf(`{"matchExpressions":[{"key":"app","operator":"NotIn","values":["v-%d"]}]}`, i+1), fmt.Sprintf(`{"app":"v-%d"}`, i)
}

// overlapping is n controllers of a kind and n Pods without an owner, which all
// or nearly all of them select.
func overlapping(by selects, kind string) func(w io.Writer, n int) error {
	return func(w io.Writer, n int) error {
		return each(n,
			func(i int) error {
				selector, labels := by(i)
				return workload(w, kind, fmt.Sprintf("web-%d", i), selector, labels, "")
			},
			func(i int) error {
				_, labels := by(i)
				return pod(w, fmt.Sprintf("a-%d", i), labels, "")
			})
	}
}

// ownSets is n ReplicaSets of one selector with a Pod each.
func ownSets(w io.Writer, n int) error {
	return each(n,
		func(i int) error {
			return workload(w, "ReplicaSet", fmt.Sprintf("web-%d", i), webSelector, webLabels, "")
		},
		func(i int) error {
			return pod(w, fmt.Sprintf("a-%d", i), webLabels, owned(fmt.Sprintf("web-%d", i)))
		})
}

// contestedSets is n Deployments of one selector and n ReplicaSets that each
// may adopt.
func contestedSets(w io.Writer, n int) error {
	return each(n,
		func(i int) error {
			return workload(w, "Deployment", fmt.Sprintf("web-%d", i), webSelector, webLabels, "")
		},
		func(i int) error {
			return workload(w, "ReplicaSet", fmt.Sprintf("old-%d", i), webSelector, webLabels, `,"labels":`+webLabels)
		})
}

// oneAdopter is a ReplicaSet and n Pods that it adopts, and deletes but for one.
func oneAdopter(w io.Writer, n int) error {
	if err := workload(w, "ReplicaSet", "web", webSelector, webLabels, ""); err != nil {
		return err
	}
	return each(n, func(i int) error { return pod(w, fmt.Sprintf("p-%d", i), webLabels, "") })
}

// releasedPods is two ReplicaSets and n Pods, each of which the one releases
// and the other adopts.
func releasedPods(w io.Writer, n int) error {
	if err := workload(w, "ReplicaSet", "web", webSelector, webLabels, ""); err != nil {
		return err
	}
	if err := workload(w, "ReplicaSet", "db", `{"matchLabels":{"app":"db"}}`, `{"app":"db"}`, ""); err != nil {
		return err
	}
	return each(n, func(i int) error { return pod(w, fmt.Sprintf("p-%d", i), `{"app":"db"}`, owned("web")) })
}

// cycle is n ReplicaSets of one selector, each controlled by the next and the
// last one by the first.
func cycle(w io.Writer, n int) error {
	return each(n, func(i int) error {
		return workload(w, "ReplicaSet", fmt.Sprintf("web-%d", i), webSelector, webLabels, owned(fmt.Sprintf("web-%d", (i+1)%n)))
	})
}

// chain is a Pod that ReplicaSet web-0 controls, which the next one controls,
// and so on. The last one controls nothing that goes on.
func chain(w io.Writer, n int) error {
	err := each(n, func(i int) error {
		owner := owned(fmt.Sprintf("web-%d", i-1))
		if i == 0 {
			owner = ""
		}
		return workload(w, "ReplicaSet", fmt.Sprintf("web-%d", i), fmt.Sprintf(`{"matchLabels":{"app":"w-%d"}}`, i), fmt.Sprintf(`{"app":"w-%d"}`, i), owner)
	})
	if err != nil {
		return err
	}
	return pod(w, "a", fmt.Sprintf(`{"app":"w-%d"}`, n-1), owned(fmt.Sprintf("web-%d", n-1)))
}

// diamonds is n levels of two ReplicaSets, which both of the level above own.
// There are 2 to the power of n ways from the Pod to the top.
func diamonds(w io.Writer, n int) error {
	both := func(level int) string {
		if level < 0 {
			return ""
		}
		return owned(fmt.Sprintf("l-%d-0", level), fmt.Sprintf("l-%d-1", level))
	}
	selector := func(level int) (string, string) {
		return fmt.Sprintf(`{"matchLabels":{"app":"w-%d"}}`, level), fmt.Sprintf(`{"app":"w-%d"}`, level)
	}
	err := each(n, func(level int) error {
		return each(2, func(side int) error {
			s, l := selector(level)
			return workload(w, "ReplicaSet", fmt.Sprintf("l-%d-%d", level, side), s, l, both(level-1))
		})
	})
	if err != nil {
		return err
	}
	_, labels := selector(n - 1)
	return pod(w, "a", labels, both(n-1))
}

// manyOwners is a Pod that n ReplicaSets own.
func manyOwners(w io.Writer, n int) error {
	return underOwners(w, n, "")
}

func underOwners(w io.Writer, n int, above string) error {
	names := make([]string, n)
	err := each(n, func(i int) error {
		names[i] = fmt.Sprintf("web-%d", i)
		return workload(w, "ReplicaSet", names[i], fmt.Sprintf(`{"matchLabels":{"app":"w-%d"}}`, i), fmt.Sprintf(`{"app":"w-%d"}`, i), above)
	})
	if err != nil {
		return err
	}
	return pod(w, "a", `{"app":"w-0"}`, owned(names...))
}

// underOne is that under one ReplicaSet that owns all of them.
func underOne(w io.Writer, n int) error {
	if err := workload(w, "ReplicaSet", "top", `{"matchLabels":{"app":"top"}}`, `{"app":"top"}`, ""); err != nil {
		return err
	}
	return underOwners(w, n, owned("top"))
}

// absentOwners is a Pod of n owners that do not exist.
func absentOwners(w io.Writer, n int) error {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("gone-%d", i)
	}
	if err := workload(w, "ReplicaSet", "web", webSelector, webLabels, ""); err != nil {
		return err
	}
	return pod(w, "a", webLabels, owned(names...))
}

// oneAbsentOwner is n Pods of an owner that does not exist.
func oneAbsentOwner(w io.Writer, n int) error {
	if err := workload(w, "ReplicaSet", "web", webSelector, webLabels, ""); err != nil {
		return err
	}
	return each(n, func(i int) error { return pod(w, fmt.Sprintf("a-%d", i), webLabels, owned("gone")) })
}

// revisions is a StatefulSet with n revisions, nearly all beyond its limit, and
// n more that nothing owns.
func revisions(w io.Writer, n int) error {
	if err := object(w, "apps/v1", "StatefulSet", "db", "", `,"spec":{"selector":{"matchLabels":{"app":"db"}},"template":{"metadata":{"labels":{"app":"db"}}}},"status":{"currentRevision":"db-0","updateRevision":"db-0"}`); err != nil {
		return err
	}
	owner := `,"labels":{"app":"db"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"db","uid":"statefulset-db","controller":true}]`
	return each(n,
		func(i int) error {
			return object(w, "apps/v1", "ControllerRevision", fmt.Sprintf("db-%d", i), owner, fmt.Sprintf(`,"revision":%d`, i+1))
		},
		func(i int) error {
			return object(w, "apps/v1", "ControllerRevision", fmt.Sprintf("x-%d", i), "", `,"revision":1`)
		})
}

// volumes is a CloneSet with n PersistentVolumeClaims of instances without Pods.
func volumes(w io.Writer, n int) error {
	if err := workload(w, "CloneSet", "web", webSelector, webLabels, ""); err != nil {
		return err
	}
	if err := pod(w, "a", webLabels, ""); err != nil {
		return err
	}
	owner := `,"ownerReferences":[{"apiVersion":"apps.kruise.io/v1alpha1","kind":"CloneSet","name":"web","uid":"cloneset-web","controller":true}]`
	return each(n, func(i int) error {
		return object(w, "v1", "PersistentVolumeClaim", fmt.Sprintf("v-%d", i), fmt.Sprintf(`,"labels":{"apps.kruise.io/cloneset-instance-id":"i-%d"}`, i)+owner, "")
	})
}
