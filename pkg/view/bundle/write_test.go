package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

var captured = time.Date(2026, 11, 1, 12, 0, 0, 123456789, time.UTC)

func meta(namespace, name string, set ...string) metav1.ObjectMeta {
	m := metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: "uid-x", ResourceVersion: "41",
		CreationTimestamp: metav1.NewTime(captured.Add(-time.Hour).Truncate(time.Second)),
	}
	for _, app := range set {
		m.Labels = map[string]string{"app": app}
	}
	return m
}

func pod(name, app string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: meta("shop", name, app),
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "web", Image: "nginx:1.29",
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("100m")}},
		}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
}

func event(name, uid string) *corev1.Event {
	return &corev1.Event{
		ObjectMeta:     meta("shop", name),
		InvolvedObject: corev1.ObjectReference{Kind: "ReplicaSet", Name: "web", UID: "uid-x", Namespace: "shop", APIVersion: uid},
		Reason:         "SuccessfulCreate", Message: "Created pod: yes\n- \"no\": 0x1\n",
		EventTime: metav1.NewMicroTime(captured.Truncate(time.Microsecond)),
	}
}

func partial(m metav1.ObjectMeta) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: m}
}

func selector(t *testing.T, text string) labels.Selector {
	t.Helper()
	sel, err := labels.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return sel
}

// cluster is a View with every sort of read.
func cluster() (*view.View, []view.Need) {
	b := view.NewBuilder(captured)
	b.Note("ClockSkew", "the server's clock is 3s ahead")
	replicas := int32(3)
	b.Add(view.ReplicaSets, &appsv1.ReplicaSet{
		ObjectMeta: meta("shop", "web", "web"),
		Spec:       appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: metav1.SetAsLabelSelector(labels.Set{"app": "web"})},
	})
	b.Add(view.Pods, pod("web-1", "web"))
	b.Add(view.Pods, pod("web-2", "web"))
	b.Add(view.Pods, partial(meta("shop", "db-1", "db")))
	b.Add(view.Pods, partial(meta("shop", "null", "yes")))
	b.Add(view.Events, event("web.1", "apps/v1"))
	b.Add(view.Events, &corev1.Event{ObjectMeta: meta("shop", "zero")})
	b.Add(view.Leases, &coordinationv1.Lease{ObjectMeta: meta("kube-system", "kube-controller-manager")})
	b.Add(view.Namespaces, &corev1.Namespace{ObjectMeta: meta("", "shop")})

	full := func(k view.Kind, namespace, name string) view.Need {
		return view.Need{Kind: k, Namespace: namespace, Name: name, Detail: view.Full}
	}
	web := full(view.Pods, "shop", "")
	web.Selector = "app=web"
	ofWeb := full(view.Events, "shop", "")
	ofWeb.Fields = "involvedObject.uid=other"
	needs := []view.Need{
		full(view.ReplicaSets, "shop", "web"), full(view.ReplicaSets, "shop", "gone"), web,
		{Kind: view.Pods, Namespace: "shop"}, full(view.Events, "shop", ""), full(view.Leases, "kube-system", "kube-controller-manager"),
		full(view.Namespaces, "", "shop"), full(view.Jobs, "", ""),
	}
	for _, n := range needs {
		b.Reads(n, nil)
	}
	quota := full(view.ResourceQuotas, "shop", "")
	b.Reads(quota, fmt.Errorf("%s: %w", quota, apierrors.NewForbidden(view.ResourceQuotas.GVR().GroupResource(), "", errors.New("no"))))
	daemons := full(view.DaemonSets, "", "")
	b.Reads(daemons, fmt.Errorf("%s: not read within 5s", daemons))
	sets := full(view.StatefulSets, "", "")
	b.Reads(sets, &view.NotInInput{Need: sets})
	return b.View(), append(needs, quota, daemons, sets)
}

// answers is what a View returns to needs: objects, or a failure.
func answers(t *testing.T, v *view.View, needs []view.Need) (map[string]any, []view.Read) {
	t.Helper()
	r := v.Reader()
	out := map[string]any{}
	for _, n := range needs {
		switch err := r.Err(n); {
		case err != nil:
			out[n.ID()] = []any{err.Error(), apierrors.ReasonForError(err)}
		case n.Detail == view.Metadata:
			var metas []metav1.ObjectMeta
			for _, o := range r.Metadata(n) {
				metas = append(metas, objectMeta(o))
			}
			out[n.ID()] = metas
		case n.Name != "":
			o, _ := view.Get[metav1.Object](r, n)
			out[n.ID()] = o
		default:
			out[n.ID()] = view.List[metav1.Object](r, n, selector(t, n.Selector))
		}
	}
	if len(r.Missing()) > 0 {
		t.Errorf("missing %v", r.Missing())
	}
	return out, r.Asked()
}

func objectMeta(o metav1.Object) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(), ResourceVersion: o.GetResourceVersion(),
		Labels: o.GetLabels(), CreationTimestamp: o.GetCreationTimestamp(), Annotations: o.GetAnnotations(),
		GenerateName: o.GetGenerateName(), Generation: o.GetGeneration(), Finalizers: o.GetFinalizers(),
		OwnerReferences: o.GetOwnerReferences(), DeletionTimestamp: o.GetDeletionTimestamp(), DeletionGracePeriodSeconds: o.GetDeletionGracePeriodSeconds(),
	}
}

// equal compares API objects as the API does; the type of an object is known
// from its kind and often empty.
func equal() cmp.Options {
	return cmp.Options{
		cmpopts.IgnoreTypes(metav1.TypeMeta{}),
		cmp.Comparer(func(a, b metav1.Time) bool { return a.Equal(&b) }),
		cmp.Comparer(func(a, b metav1.MicroTime) bool { return a.Equal(&b) }),
		cmp.Comparer(func(a, b resource.Quantity) bool { return a.Cmp(b) == 0 }),
		cmpopts.EquateEmpty(),
	}
}

func reopen(t *testing.T, text []byte) *Source {
	t.Helper()
	s, err := Open([]string{"-"}, bytes.NewReader(text), Options{})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return s
}

func TestRoundTrip(t *testing.T) {
	for _, o := range []WriteOptions{
		{Format: YAML, Server: view.ServerVersion{Version: "v1.37.1", Emulated: "v1.35"}},
		{Format: JSON, Server: view.ServerVersion{Version: "v1.37.1"}, Unredacted: true},
	} {
		t.Run(string(o.Format), func(t *testing.T) {
			v, needs := cluster()
			want, reads := answers(t, v, needs)
			var out bytes.Buffer
			if err := Write(&out, v, reads, o); err != nil {
				t.Fatal(err)
			}
			s := reopen(t, out.Bytes())
			got, again := answers(t, s.view, needs)
			if diff := cmp.Diff(want, got, equal()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if !s.view.Now().Equal(captured) {
				t.Errorf("now %s", s.view.Now())
			}
			if diff := cmp.Diff(v.Notes(), s.view.Notes()); diff != "" {
				t.Error(diff)
			}
			server := o.Server
			server.Basis = "bundle"
			if got, _ := s.Version(context.Background()); got != server {
				t.Errorf("version %+v", got)
			}
			var twice bytes.Buffer
			if err := Write(&twice, s.view, again, o); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(out.String(), twice.String()); diff != "" {
				t.Errorf("a bundle of a bundle differs:\n%s", diff)
			}
		})
	}
}

func TestWriteLayout(t *testing.T) {
	b := view.NewBuilder(captured)
	b.Add(view.ReplicaSets, partial(meta("shop", "web")))
	b.Add(view.Pods, pod("web-1", "web"))
	b.Add(view.Pods, pod("db-1", "db"))
	b.Add(view.Pods, pod("cache-1", "cache"))
	reads := []view.Read{
		{Need: view.Need{Kind: view.ReplicaSets, Namespace: "shop"}},
		{Need: view.Need{Kind: view.Pods, Namespace: "shop", Selector: "app in (db,web)"}},
		{Need: view.Need{Kind: view.Pods, Namespace: "shop", Selector: "app=web", Detail: view.Full}},
		{Need: view.Need{Kind: view.Pods, Namespace: "shop"}, Err: errors.New("no")},
	}
	var out bytes.Buffer
	if err := Write(&out, b.View(), reads, WriteOptions{ToolVersion: "v0.1.0"}); err != nil {
		t.Fatal(err)
	}
	golden(t, "layout.golden", out.String())
}

func TestFieldsNarrowEvents(t *testing.T) {
	for fields, want := range map[string]int{
		"involvedObject.name=web":                            2,
		"involvedObject.uid=uid-x,involvedObject.name=web":   2,
		"involvedObject.apiVersion=apps/v1":                  1,
		"involvedObject.apiVersion!=apps/v1":                 1,
		"metadata.name=a":                                    1,
		"source=kubelet,involvedObject.kind=Pod":             0,
		"source=kubelet":                                     2,
		"involvedObject.namespace=shop,type=,reason!=Failed": 2,
	} {
		b := view.NewBuilder(captured)
		b.Add(view.Events, event("a", "apps/v1"))
		b.Add(view.Events, event("b", "v1"))
		got := pick(b.View(), []view.Read{{Need: view.Need{Kind: view.Events, Namespace: "shop", Fields: fields}}})
		if len(got) != want {
			t.Errorf("%s: %d events, want %d", fields, len(got), want)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	v, _ := cluster()
	if err := Write(&bytes.Buffer{}, v, nil, WriteOptions{Format: "xml"}); err == nil || !strings.Contains(err.Error(), `bundle format is "xml", expected yaml or json`) {
		t.Error(err)
	}
	if err := Write(fullDisk{}, v, nil, WriteOptions{}); err == nil || err.Error() != "cannot write bundle: disk full" {
		t.Error(err)
	}
}

// An object of a cluster that no bundle can be read back with is an error before
// it is laid out, which takes memory by its depth times its size.
func TestWriteDeepObject(t *testing.T) {
	for _, format := range []Format{YAML, JSON} {
		var deep any = "x"
		for range 9000 {
			deep = map[string]any{"x": deep}
		}
		b := view.NewBuilder(captured)
		b.Add(view.CloneSets, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet", "metadata": map[string]any{"namespace": "shop", "name": "deep"}, "spec": deep,
		}})
		var out bytes.Buffer
		err := Write(&out, b.View(), []view.Read{{Need: view.Need{Kind: view.CloneSets, Detail: view.Full}}}, WriteOptions{Format: format})
		want := "cannot write cloneset/shop/deep: values are nested deeper than 200: name the objects to write, without this one"
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }
