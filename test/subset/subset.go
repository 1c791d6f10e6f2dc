// Package subset holds answers about files that lack an object to those about all of them.
package subset

import (
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// replicas are those that each object is asked about, besides its own.
var replicas = []int32{0, 1, 2, 3, 5, 8}

// Case is a cluster of which files may lack objects.
type Case struct {
	Controllers controller.Registry
	Profile     profile.Profile
	// Whole holds all objects.
	Whole *view.View
}

// Check leaves out one object after the other of those that others refer to. What an answer
// then says for certain is so in the whole cluster, and what it no longer says though files
// with that object do, it lacks with a caveat, or in an error. doubted is how many answers are
// partial.
func (c Case) Check() (doubted int, err error) {
	all := objectsOf(c.Whole)
	cluster, whole := all.cluster(c.Whole.Now()), all.files(c.Whole.Now(), "")
	for _, lacking := range all.missed() {
		files := all.files(c.Whole.Now(), lacking.GetUID())
		for _, o := range all {
			if o.GetUID() == lacking.GetUID() {
				continue
			}
			n, err := c.compare(views{cluster, whole, files}, lacking, o)
			if err != nil {
				return doubted, fmt.Errorf("without %s %s: %w", lacking.kind.Kind, lacking.GetName(), err)
			}
			doubted += n
		}
	}
	return doubted, nil
}

// views are of a cluster, of files that hold all of it, and of those that lack an object.
type views struct{ cluster, whole, files *view.View }

// compare asks about an object as it is, and with other numbers of replicas.
func (c Case) compare(v views, lacking, o object) (doubted int, err error) {
	one, _, ok := c.Controllers.ForRef(decision.Ref{APIVersion: o.kind.GroupVersion().String(), Kind: o.kind.Kind})
	if !ok {
		return 0, nil
	}
	asked := []metav1.Object{o.Object}
	for _, n := range replicas {
		changed, _, err := one.WhatIf.Change(o.Object, whatif.Fields{Replicas: &n})
		if err != nil {
			return 0, err
		}
		asked = append(asked, changed)
	}
	for i, obj := range asked {
		t := view.Target{Kind: o.kind, Namespace: obj.GetNamespace(), Name: obj.GetName()}
		is, err := c.ask(one, v.cluster.With(o.kind, obj), t, lacking)
		if err != nil {
			continue // there is nothing to compare with
		}
		whole, err := c.ask(one, v.whole.With(o.kind, obj), t, lacking)
		if err != nil {
			continue
		}
		got, err := c.ask(one, v.files.With(o.kind, obj), t, lacking)
		if err != nil {
			doubted++
			continue
		}
		if got.partial {
			doubted++
		}
		if err := got.within(is, whole); err != nil {
			return doubted, fmt.Errorf("%s %s, question %d: %w", o.kind.Kind, obj.GetName(), i, err)
		}
	}
	return doubted, nil
}

// said is what an answer says for certain, and whether a caveat says that it is partial, or
// names what it lacks.
type said struct {
	certain map[string]int
	partial bool
}

func (c Case) ask(one controller.Controller, v *view.View, t view.Target, lacking object) (said, error) {
	r := v.Reader()
	d, err := one.Run(r, c.Profile, t, nil)
	if err != nil {
		return said{}, err
	}
	s := said{certain: map[string]int{}}
	for _, a := range d.Actions {
		if a.Certainty == decision.Certain {
			s.certain[fmt.Sprintf("%s %s %s", a.Verb, a.Object.Kind, a.Object.Name)] += a.Count
		}
	}
	for _, gap := range r.Gaps() {
		s.partial = s.partial || gap.Partial || gap.Absent == lacking.kind.GroupResource()
	}
	for _, caveat := range d.Caveats {
		s.partial = s.partial || strings.Contains(caveat.Message, lacking.GetName())
	}
	return s, nil
}

func (s said) within(is, whole said) error {
	for act, n := range s.certain {
		if is.certain[act] != n {
			return fmt.Errorf("%q (%d) is certain, and in the cluster it is not (%d)", act, n, is.certain[act])
		}
	}
	if len(s.certain) != len(whole.certain) && !s.partial {
		return fmt.Errorf("certain is %v, with it %v, and no caveat says why", s.certain, whole.certain)
	}
	return nil
}

// objects are all that a cluster holds.
type objects []object

type object struct {
	kind view.Kind
	metav1.Object
}

func objectsOf(v *view.View) (all objects) {
	for _, k := range view.Kinds() {
		for _, o := range v.All(k) {
			all = append(all, object{k, o})
		}
	}
	return all
}

// cluster says that it holds everything.
func (all objects) cluster(now time.Time) *view.View {
	b := view.NewBuilder(now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	all.into(b, "")
	return b.View()
}

// files are of unknown completeness, and lack an object.
func (all objects) files(now time.Time, lacks types.UID) *view.View {
	b := view.NewOpenBuilder(now)
	all.into(b, lacks)
	return b.View()
}

func (all objects) into(b *view.Builder, lacks types.UID) {
	for _, o := range all {
		if lacks == "" || o.GetUID() != lacks {
			b.Add(o.kind, o.Object)
		}
	}
}

// missed are the objects that others refer to as their owner, or that Pods name: files that
// lack one can be told from a cluster without it. A Pod that owns a claim may be gone.
func (all objects) missed() (missed objects) {
	owners, named := map[types.UID]bool{}, map[string]bool{}
	for _, o := range all {
		for _, ref := range o.GetOwnerReferences() {
			owners[ref.UID] = true
		}
		if pod, ok := o.Object.(*corev1.Pod); ok {
			for _, name := range namedBy(pod) {
				named[name] = true
			}
		}
	}
	for _, o := range all {
		if owners[o.GetUID()] && !o.kind.Same(view.Pods) || named[o.kind.Kind+" "+o.GetName()] {
			missed = append(missed, o)
		}
	}
	return missed
}

// namedBy are the kinds and names of what a Pod shows to be there: the node that it is on,
// the claims that it uses there, and its revision.
func namedBy(pod *corev1.Pod) (names []string) {
	if name := pod.Labels[appsv1.ControllerRevisionHashLabelKey]; name != "" {
		names = append(names, view.ControllerRevisions.Kind+" "+name)
	}
	if pod.Spec.NodeName == "" || view.Ended(pod) {
		return names
	}
	names = append(names, view.Nodes.Kind+" "+pod.Spec.NodeName)
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			names = append(names, view.PersistentVolumeClaims.Kind+" "+v.PersistentVolumeClaim.ClaimName)
		}
	}
	return names
}
