package clusterdsl

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Now is the instant of every sketch.
var Now = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// Namespace is where the objects of a sketch live.
const Namespace = "shop"

// Parse reads a sketch into a View that holds everything there is. A sketch that
// begins with "files" is one of files that don't say what they hold.
func Parse(text string) (*view.View, error) {
	b := view.NewBuilder(Now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	b.FromFiles(!strings.Contains(text, "node ")) // most leave out the nodes that their Pods name
	if rest, files := strings.CutPrefix(text, "files\n"); files {
		b, text = view.NewOpenBuilder(Now), "\n"+rest
	}
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if err := add(b, words); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return b.View(), nil
}

func add(b *view.Builder, words []string) error {
	if len(words) < 2 {
		return fmt.Errorf("%q: want a kind and a name", words)
	}
	o, err := read(words[1], words[2:])
	if err != nil {
		return err
	}
	if err := o.add(b, words[0]); err != nil {
		return err
	}
	return o.check(words[0])
}

// add adds the object to the View.
func (o *object) add(b *view.Builder, kind string) error {
	switch kind {
	case "pod":
		o.budgetAnnotations()
		trouble := o.trouble()
		p := o.pod()
		p.Spec.Containers[0].Image, _ = o.take("image")
		p.Spec.Containers[0].Resources = o.resources()
		o.mount(&p.Spec)
		trouble(p)
		b.Add(view.Pods, p)
	case "rs":
		b.Add(view.ReplicaSets, o.replicaSet())
	case "rc":
		b.Add(view.ReplicationControllers, o.replicationController())
	case "ds":
		b.Add(view.DaemonSets, o.daemonSet())
	case "sts":
		b.Add(view.StatefulSets, o.statefulSet())
	case "deployment":
		b.Add(view.Deployments, o.deployment())
	case "deploy":
		b.Add(view.Deployments, o.rollout())
	case "set":
		b.Add(view.ReplicaSets, o.set())
	case "quota":
		b.Add(view.ResourceQuotas, o.quota())
	case "limits":
		b.Add(view.LimitRanges, o.limitRange())
	case "event":
		b.Add(view.Events, o.event())
	case "lease":
		b.Add(view.Leases, o.lease())
	case "namespace":
		b.Add(view.Namespaces, o.namespace())
	default:
		return o.addOther(b, kind)
	}
	return nil
}

// object is a line: known words by key, all others as labels.
type object struct {
	metav1.ObjectMeta
	words map[string]string
	// used are the words that were looked up.
	used map[string]bool
}

// lookup is a known word, if the line has it.
func (o *object) lookup(key string) (string, bool) {
	o.used[key] = true
	v, ok := o.words[key]
	return v, ok
}

// text is a known word, empty where the line lacks it.
func (o *object) text(key string) string {
	v, _ := o.lookup(key)
	return v
}

// labels are the keys of labels, besides those with a domain. Other words that
// nothing reads are typos, and a sketch with one would show something else than it
// says.
var labels = map[string]bool{
	"app": true, "broadcastjob-controller-uid": true, "broadcastjob-name": true, "checked": true, "controller-revision-hash": true, "first": true,
	"group": true, "hash": true, "hold": true, "job": true, "order": true, "pod-template-hash": true, "tier": true, "zone": true,
}

// check refuses words that mean nothing for this kind of object.
func (o *object) check(kind string) error {
	for _, key := range slices.Sorted(maps.Keys(o.Labels)) {
		if !labels[key] && !strings.Contains(key, "/") {
			return fmt.Errorf("%s %s: unknown word %s", kind, o.Name, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(o.words)) {
		if !o.used[key] {
			return fmt.Errorf("%s %s: a %[1]s has no %[3]s", kind, o.Name, key)
		}
	}
	return nil
}

// keys are the words that are not labels.
var keys = map[string]bool{
	"of": true, "uid": true, "age": true, "deleting": true, "generation": true, "cost": true,
	"node": true, "phase": true, "ready": true, "notready": true, "restarts": true, "sidecar": true, "init": true,
	"selector": true, "template": true, "replicas": true, "minReady": true, "status": true, "failure": true, "failed": true,
	"request": true, "pods": true, "volumes": true, "cpu": true, "cordoned": true, "tainted": true, "tolerates": true, "scope": true, "renewed": true, "terminating": true,
	"reason": true, "message": true, "count": true, "in": true, "kind": true, "last": true,
	"ref": true, "generate": true, "mirror": true, "finalizer": true, "finished": true, "id": true, "revision": true,
	"blocks": true, "bound": true, "lost": true, "by": true, "creator": true, "wrote": true, "deleted": true, "acquired": true, "began": true, "history": true, "managed": true, "subsets": true, "podrev": true, "ns": true,
}

func read(name string, words []string) (*object, error) {
	o := &object{words: map[string]string{}, used: map[string]bool{}}
	o.Name, o.Namespace, o.UID, o.Labels = name, Namespace, types.UID(name), map[string]string{}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		if keys[key] {
			o.words[key] = value
		} else {
			o.Labels[key] = value
		}
	}
	return o, o.metadata()
}

func (o *object) metadata() error {
	if ns, ok := o.lookup("ns"); ok {
		o.Namespace = ns
	}
	if uid, ok := o.lookup("uid"); ok {
		o.UID = types.UID(uid)
	}
	o.Generation = int64(o.number("generation", 1))
	o.CreationTimestamp = o.ago("age", 24*time.Hour)
	if o.has("deleting") {
		t := metav1.Time{Time: Now.Add(30 * time.Second)}
		o.DeletionTimestamp = &t
	}
	if o.has("deleted") {
		t := metav1.Time{Time: o.ago("deleted", 0).Add(30 * time.Second)}
		o.DeletionTimestamp, o.DeletionGracePeriodSeconds = &t, new(int64(30))
	}
	if o.has("wrote") {
		o.wrote("kube-controller-manager")
	}
	if cost, ok := o.lookup("cost"); ok {
		o.Annotations = map[string]string{"controller.kubernetes.io/pod-deletion-cost": cost}
	}
	o.adorn()
	return o.owner()
}

// owner reads of=kind/name, or of=kind/name@uid for a reference whose UID is
// not the name.
func (o *object) owner() error {
	of, ok := o.lookup("of")
	if !ok {
		return nil
	}
	kind, name, ok := strings.Cut(of, "/")
	if !ok {
		return fmt.Errorf("of=%s: want kind/name", of)
	}
	ref := reference(kind, name)
	ref.Controller = new(true)
	if o.has("blocks") {
		ref.BlockOwnerDeletion = new(true)
	}
	o.OwnerReferences = append(o.OwnerReferences, ref)
	return nil
}

func (o *object) has(key string) bool { _, ok := o.lookup(key); return ok }

func (o *object) number(key string, otherwise int) int {
	n := otherwise
	if text, ok := o.lookup(key); ok {
		if _, err := fmt.Sscan(text, &n); err != nil {
			panic(fmt.Sprintf("%s=%s: %v", key, text, err))
		}
	}
	return n
}

func (o *object) ago(key string, otherwise time.Duration) metav1.Time {
	d := otherwise
	if text, ok := o.lookup(key); ok {
		var err error
		if d, err = time.ParseDuration(text); err != nil {
			panic(fmt.Sprintf("%s=%s: %v", key, text, err))
		}
	}
	return metav1.Time{Time: Now.Add(-d)}
}
