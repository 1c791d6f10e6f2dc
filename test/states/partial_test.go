package states

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestPartialFiles leaves one object after the other out of each state's file, of those
// that another object there names. What an answer says for certain without it is so with
// it, and where it says less it is called partial.
func TestPartialFiles(t *testing.T) {
	partial := 0
	for _, group := range states {
		for _, s := range group {
			t.Run(s.name, func(t *testing.T) { partial += newLacking(t, s).check() })
		}
	}
	if partial == 0 {
		t.Error("no answer was partial")
	}
}

// object is one of a file.
type object struct {
	kind view.Kind
	metav1.Object
}

func (o object) id() string { return o.kind.Kind + "/" + o.GetNamespace() + "/" + o.GetName() }

// lacking is a state of which objects are left out.
type lacking struct {
	*testing.T
	all     []object
	profile profile.Profile
}

func newLacking(t *testing.T, s state) *lacking {
	t.Helper()
	a := newAsked(t, s)
	src, err := bundle.Open([]string{a.file}, nil, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := src.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &lacking{T: t}
	if l.profile, err = profile.New(profile.Options{Emulate: version(s), Releases: plugins.All().Releases()}); err != nil {
		t.Fatal(err)
	}
	for _, k := range view.Kinds() {
		for _, o := range v.All(k) {
			l.all = append(l.all, object{k, o})
		}
	}
	return l
}

// view holds all but one object, as files that don't say what they hold; nil for all, as
// one that does.
func (l *lacking) view(left *object) *view.View {
	b := view.NewBuilder(now)
	if left != nil {
		b = view.NewOpenBuilder(now)
	} else {
		for _, k := range view.Kinds() {
			b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
		}
	}
	for _, o := range l.all {
		if left == nil || o.id() != left.id() {
			b.Add(o.kind, o.Object)
		}
	}
	return b.View()
}

// named are the objects that others name: without them, a file can be told from a cluster
// that never had them.
func (l *lacking) named() map[string]bool {
	all := map[string]bool{}
	for _, o := range l.all {
		for _, ref := range o.GetOwnerReferences() {
			all[ref.Kind+"/"+o.GetNamespace()+"/"+ref.Name] = true
		}
		switch o := o.Object.(type) {
		case *corev1.Pod:
			for _, v := range o.Spec.Volumes {
				if v.PersistentVolumeClaim != nil && o.Spec.NodeName != "" && o.Status.Phase == corev1.PodRunning {
					all["PersistentVolumeClaim/"+o.Namespace+"/"+v.PersistentVolumeClaim.ClaimName] = true
				}
			}
			if metav1.GetControllerOfNoCopy(o) != nil {
				all["ControllerRevision/"+o.Namespace+"/"+o.Labels[appsv1.ControllerRevisionHashLabelKey]] = true
			}
		case *appsv1.StatefulSet:
			all["ControllerRevision/"+o.Namespace+"/"+o.Status.CurrentRevision] = true
			all["ControllerRevision/"+o.Namespace+"/"+o.Status.UpdateRevision] = true
		}
	}
	return all
}

// certain are the acts that are certain, with what they lead to.
func certain(d *decision.Decision) map[string]int {
	all := map[string]int{}
	add := func(by string, acts []decision.Action) {
		for _, a := range acts {
			if a.Certainty == decision.Certain {
				to := ""
				if a.To != nil {
					to = fmt.Sprint(" to ", *a.To)
				}
				all[fmt.Sprintf("%s: %s %s%s", by, a.Verb, a.Object, to)] += a.Count
			}
		}
	}
	add(d.Target.String(), d.Actions)
	for _, e := range d.Follows {
		add(e.Cause.String(), e.Actions)
	}
	return all
}

// decide decides about a target that is scaled, or not where replicas is nil.
func (l *lacking) decide(v *view.View, c controller.Controller, o object, replicas *int32) (*decision.Decision, error) {
	var changes []decision.Change
	if replicas != nil {
		changed, all, err := c.WhatIf.Change(o.Object, whatif.Fields{Replicas: replicas})
		if err != nil {
			return nil, err
		}
		v, changes = v.With(o.kind, changed).AsWhatIf(), all
	}
	return c.Run(v.Reader(), l.profile, view.Target{Kind: o.kind, Namespace: o.GetNamespace(), Name: o.GetName()}, changes)
}

func (l *lacking) check() (partial int) {
	named, whole := l.named(), l.view(nil)
	for _, left := range l.all {
		if !named[left.id()] {
			continue
		}
		files := l.view(&left)
		for _, o := range l.all {
			c, _, ok := plugins.All().ForKind(o.kind.GroupResource())
			if !ok || o.id() == left.id() {
				continue
			}
			t := view.Target{Kind: o.kind, Namespace: o.GetNamespace(), Name: o.GetName()}
			if c.Unsaved != nil && c.Unsaved(files.Reader(), t) != nil {
				partial++ // the commands refuse to answer
				continue
			}
			for _, replicas := range []*int32{nil, new(int32), new(int32(2)), new(int32(12))} {
				want, wrong := l.decide(whole, c, o, replicas)
				got, err := l.decide(files, c, o, replicas)
				switch {
				case err != nil && errors.As(err, new(*decision.Unanswered)), wrong != nil:
					partial++
				case err != nil:
					l.Errorf("%s without %s: %v", o.id(), left.id(), err)
				default:
					partial += l.compare(fmt.Sprintf("%s without %s, replicas %s", o.id(), left.id(), shown(replicas)), want, got)
				}
			}
		}
	}
	return partial
}

func shown(n *int32) string {
	if n == nil {
		return "as they are"
	}
	return fmt.Sprint(*n)
}

func (l *lacking) compare(what string, whole, files *decision.Decision) (partial int) {
	want, got := certain(whole), certain(files)
	for _, act := range slices.Sorted(maps.Keys(got)) {
		if got[act] != want[act] {
			l.Errorf("%s: %s ×%d is certain, with it ×%d\n%v\n%v", what, act, got[act], want[act], files.Answer, whole.Answer)
		}
	}
	if files.Partial {
		return 1
	}
	if !maps.Equal(got, want) {
		l.Errorf("%s: certain is %v, with it %v, and the answer is not called partial", what, got, want)
	}
	return 0
}
