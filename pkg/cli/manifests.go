package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/live"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
)

// manifests is the what-if of --filename: all objects are laid over the View.
// Without arguments the answer is about the controllers among them.
func (f *planFlags) manifests(env Env, args []string) (session, error) {
	if given := f.fields.Given(); len(given) > 0 {
		return session{}, usageError("--%s and --filename are two different changes: give one of them", given[0])
	}
	if slices.Contains(f.filenames, "-") && slices.Contains(f.from, "-") {
		return session{}, usageError("standard input (-) can be either the manifest or the cluster: give one of them as a file")
	}
	objs, left, err := bundle.ReadManifests(f.filenames, env.In, f.recursive)
	if err != nil {
		return session{}, err
	}
	m := manifests{objs: objs, namespace: *f.config.Namespace, files: len(f.from) > 0, server: &serverSide{}, merges: map[string]merge{}, parser: env.parser()}
	if err := m.check(); err != nil {
		return session{}, err
	}
	subjects, err := m.subjects(f.filenames, args)
	if err == nil {
		m.warn(env, left)
	}
	s := session{subjects: subjects, pick: f.pickFlags, whatIf: m.laidOver, creates: m.hold, together: m.together}
	s.opening = func(ctx context.Context, o *opened) {
		if m.server.cluster = o; f.allowDryRun {
			m.server.open(ctx, o)
		}
	}
	return s, err
}

// manifests are the objects of --filename.
type manifests struct {
	objs []bundle.Object
	// namespace is --namespace, empty when it was not given.
	namespace string
	// files is true where the cluster is what files hold.
	files bool
	// server plays the manifests through, if that was asked for.
	server *serverSide
	// merges are the latest ones, by manifest: what a View holds is mostly what the one
	// before held.
	merges map[string]merge
	parser
}

// merge is what became of live with a manifest over it.
type merge struct {
	live, applied metav1.Object
	changes       []decision.Change
	err           error
}

// check refuses what kubectl apply refuses before it asks the cluster, versions and fields
// that do not exist and another namespace than the flag's, and two manifests of one object.
func (m manifests) check() error {
	for _, o := range m.objs {
		w := m.manifestOf(o)
		if served := o.Kind.Served(); !slices.Contains(served, o.Kind.Version) {
			return fmt.Errorf("%s:%d: %s: no API server has a %s of %s; the group %s has %s: write it as one of them",
				o.File, o.Line, w, o.Kind.Kind, o.Kind.GroupVersion(), o.Kind.Group, join(served))
		}
		if err := w.Check(); err != nil {
			return fmt.Errorf("%s:%d: %w", o.File, o.Line, err)
		}
		if m.namespace != "" && w.Namespace != "" && w.Namespace != m.namespace {
			return fmt.Errorf("%s:%d: %s is in another namespace than --namespace %s: change one of them", o.File, o.Line, w, m.namespace)
		}
	}
	return m.twice(m.namespace)
}

func (m manifests) manifestOf(o bundle.Object) whatif.Manifest {
	obj := whatif.Manifest{Kind: o.Kind, Namespace: o.Obj.GetNamespace(), Name: o.Obj.GetName(), JSON: o.Raw}
	if p, _, ok := m.controllers.ForKind(o.Kind.GroupResource()); ok {
		obj.Default, obj.Validated = p.Admit.Default, p.Admit.Validated
	}
	return obj
}

func (m manifests) subjects(filenames, args []string) ([]subject, error) {
	if len(args) > 0 {
		return m.parseSubjects(args)
	}
	var subjects []subject
	for _, o := range m.objs {
		if s, err := m.subjectOf(o.Kind.Resource, ""); err == nil {
			s.names, s.namespace = []string{o.Obj.GetName()}, o.Obj.GetNamespace()
			subjects = append(subjects, s)
		}
	}
	if len(subjects) == 0 {
		return nil, usageError("none of the objects in %s is of a modelled kind (%s): name the one to look at, such as rs/web", join(filenames), m.controllers.KindNames())
	}
	return subjects, nil
}

// builtIn are kinds of workloads that every cluster has, workloads all that are read also
// where no controller of theirs is modelled.
var (
	builtIn   = []view.Kind{view.StatefulSets, view.DaemonSets, view.Jobs}
	workloads = slices.Concat(builtIn, []view.Kind{view.AdvancedDaemonSets, view.AdvancedStatefulSets, view.BroadcastJobs, view.UnitedDeployments})
)

// unmodelled are those of some kinds that no controller is registered for.
func (p parser) unmodelled(kinds []view.Kind) []view.Kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(k view.Kind) bool {
		_, _, found := p.controllers.ForKind(k.GroupResource())
		return found
	})
}

// warn names what of the manifests no plan is about: a pipeline must not take it for
// something that changes nothing. left counts what is not read, by kind.
func (m manifests) warn(env Env, left map[string]int) {
	unplanned := m.unmodelled(workloads)
	for _, o := range m.objs {
		if slices.ContainsFunc(unplanned, func(k view.Kind) bool { return k.GroupKind() == o.Kind.GroupKind() }) {
			left[o.Kind.Kind]++
		}
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(left)) {
		parts = append(parts, fmt.Sprintf("%d %s", left[kind], kind))
	}
	if len(parts) > 0 {
		fmt.Fprintf(env.ErrOut, "warning: not planned, since no controller of the kind is modelled: %s\n", strings.Join(parts, ", "))
	}
}

// hold reports whether the target is among the manifests, so that it need not be
// in the cluster.
func (m manifests) hold(t view.Target) bool {
	for _, o := range m.objs {
		namespace := o.Obj.GetNamespace()
		if namespace == "" {
			namespace = t.Namespace
		}
		if sameTarget(t, view.Target{Kind: o.Kind, Namespace: namespace, Name: o.Obj.GetName()}) {
			return true
		}
	}
	return false
}

// laidOver lays the manifests over the View, once for all targets. A manifest without a
// namespace goes into the target's.
func (m manifests) laidOver(v *view.View, p profile.Profile, _ controller.Controller, t view.Target) (*laid, error) {
	if t.Namespace == "" {
		return &laid{View: v, reader: v.Reader()}, fmt.Errorf("%s/%s is new: say with --namespace where it would be created", t.Kind.Resource, t.Name)
	}
	namespace := t.Namespace
	if !slices.ContainsFunc(m.objs, func(o bundle.Object) bool { return o.Kind.Namespaced && o.Obj.GetNamespace() == "" }) {
		namespace = "" // the same in all
	}
	type key struct {
		of        *serverSide // one for each command
		now       time.Time   // at which new objects are created
		namespace string
	}
	over := view.Derived(v, key{m.server, v.Now(), namespace}, func() overlay { return m.lay(v, p, namespace) })
	return over.laid, over.err
}

// overlay is a View with manifests over it, or why they can't be laid over it.
type overlay struct {
	*laid
	err error
}

// lay leaves out the manifests that are refused: kubectl apply goes on with the others.
func (m manifests) lay(v *view.View, p profile.Profile, namespace string) overlay {
	over := &laid{View: v, reader: v.Reader()}
	if err := m.twice(namespace); err != nil {
		return overlay{over, err}
	}
	if err := m.nowhere(over.reader, namespace); err != nil {
		return overlay{over, err}
	}
	kinds, objs := map[schema.GroupKind]view.Kind{}, map[schema.GroupKind][]metav1.Object{}
	for _, o := range m.objs {
		changed, changes, err := m.stored(over, p, o, namespace)
		if r := asRefusal(err); r != nil {
			over.refusals = append(over.refusals, r)
			continue
		}
		if err != nil {
			return overlay{over, fmt.Errorf("%s:%d: %w", o.File, o.Line, err)}
		}
		gk := o.Kind.GroupKind()
		kinds[gk], objs[gk] = o.Kind, append(objs[gk], admission.Enforced(changed))
		over.changes = append(over.changes, changes...)
	}
	for gk, kind := range kinds {
		over.View = over.With(kind, objs[gk]...)
	}
	over.View = over.AsWhatIf()
	return overlay{laid: over}
}

// stored is the object that a manifest makes, and what that changes. Errors: a refusal, or
// that the API server did not answer.
func (m manifests) stored(over *laid, p profile.Profile, o bundle.Object, namespace string) (metav1.Object, []decision.Change, error) {
	of := m.manifestOf(o).In(namespace)
	t := view.Target{Kind: o.Kind, Namespace: of.Namespace, Name: of.Name}
	at := fmt.Sprintf("%s:%d", o.File, o.Line)
	if instead := m.server.servedInstead(o.Kind, o.Written); instead != "" {
		return nil, nil, &refusal{of: t, at: at, why: fmt.Errorf("%s: the API server has no %s of %s/%s, and serves %s: write it as that", of, o.Kind.Kind, o.Kind.Group, o.Written, instead)}
	}
	changed, changes, err := m.applied(over, of)
	if err != nil {
		if m.server.source == nil || live.Refuses(err) {
			err = &refusal{of: t, at: at, why: err}
		}
		return nil, nil, err
	}
	c, _, _ := m.controllers.ForKind(o.Kind.GroupResource())
	err = over.admitted(c, p, t, changed, changes)
	if r := asRefusal(err); r != nil {
		r.at = at
	}
	return changed, changes, err
}

// twice refuses two manifests of one object: kubectl apply applies one after the other, and
// a plan is of one change.
func (m manifests) twice(namespace string) error {
	type id struct {
		schema.GroupKind
		namespace, name string
	}
	first := map[id]bundle.Object{}
	for _, o := range m.objs {
		of := m.manifestOf(o).In(namespace)
		key := id{o.Kind.GroupKind(), of.Namespace, of.Name}
		if other, found := first[key]; found {
			return fmt.Errorf("%s:%d: %s is in %s:%d already: keep one of them", o.File, o.Line, of, other.File, other.Line)
		}
		first[key] = o
	}
	return nil
}

// liveOf is the object that a manifest changes, nil for a new one.
func liveOf(r *view.Reader, obj whatif.Manifest) metav1.Object {
	live, _ := view.Get[metav1.Object](r, view.Need{
		Kind: obj.Kind, Namespace: obj.Namespace, Name: obj.Name,
		IfMissing: "the manifest is taken as a new object",
	})
	return live
}

// applied lays one manifest over its object, and notes what is not known of that.
func (m manifests) applied(over *laid, obj whatif.Manifest) (metav1.Object, []decision.Change, error) {
	live := liveOf(over.reader, obj)
	if m.server.source != nil {
		return m.server.apply(over.reader, obj, live)
	}
	of := m.merges[obj.String()]
	if of.live == nil || of.live != live { // a new object is created at the View's time
		of.live = live
		of.applied, of.changes, of.err = obj.Apply(live, metav1.Time{Time: over.reader.Now()})
		m.merges[obj.String()] = of
	}
	if of.err != nil {
		return nil, nil, of.err
	}
	kept, err := obj.Kept(live, of.applied)
	if n := len(kept); n > 0 {
		over.unread = append(over.unread, fmt.Sprintf("the snapshot leaves out what kubectl apply applied last to %s: %s, which the manifest does not mention, is taken to stay, and is removed if that had it", obj, format.Some(kept[:min(n, format.Most)], n)))
	}
	return of.applied, of.changes, err
}
