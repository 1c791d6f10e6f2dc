package cloneset

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestConformance asks a kruise oracle (test/oracle) about random states and
// demands that what the real controller did in every order of pods lies
// between what is certain and what is possible. CLONESET_ORACLE is the
// oracle's path, CLONESET_STATES how many states, CLONESET_SEED where to start.
func TestConformance(t *testing.T) {
	path := os.Getenv("CLONESET_ORACLE")
	if path == "" {
		t.Skip("CLONESET_ORACLE names no oracle")
	}
	o := startOracle(t, path)
	n, first := number2("CLONESET_STATES", 2000), number2("CLONESET_SEED", 0)
	did := map[string]int{}
	for seed := first; seed < first+n; seed++ {
		w := newWorld(uint64(seed))
		d := w.decide(t)
		for _, run := range o.ask(t, w) {
			if problems := compareRun(d, run, did); len(problems) > 0 {
				t.Fatalf("seed %d: %s\n%s\n%s", seed, strings.Join(problems, "\n"), w.describe(), describeRun(d, run))
			}
		}
	}
	t.Log(did)
}

func number2(name string, otherwise int) int {
	n := otherwise
	_, _ = fmt.Sscan(os.Getenv(name), &n)
	return n
}

// world is one random state.
type world struct {
	r         *rand.Rand
	cs        map[string]any
	pods      []*corev1.Pod
	claims    []*corev1.PersistentVolumeClaim
	revisions []*appsv1.ControllerRevision
	nodes     []*corev1.Node
	gates     map[string]bool
	// calm worlds have as many pods as wanted and little else going on, so
	// that the controller comes to update them.
	calm bool
}

var worldNow = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func newWorld(seed uint64) *world {
	w := &world{r: rand.New(rand.NewPCG(seed, 1)), gates: map[string]bool{}, calm: seed%3 > 0}
	for _, g := range []string{profile.CloneSetPartitionRollback, profile.PreparingUpdateAsUpdate} {
		w.gates[g] = w.r.IntN(4) == 0
	}
	current, wanted := w.r.IntN(3), 1+w.r.IntN(2)
	for i := range 3 {
		w.revisions = append(w.revisions, w.revision(i))
	}
	if wanted == 1 && w.r.IntN(2) == 0 {
		w.revisions = w.revisions[:2]
		current = min(current, 1)
	}
	w.cloneSet(current, wanted)
	pods := w.r.IntN(8)
	if w.calm {
		pods = w.cs["spec"].(map[string]any)["replicas"].(int)
	}
	for i := range pods {
		w.pods = append(w.pods, w.pod(i))
	}
	for _, zone := range []string{"a", "a", "b"} {
		name := fmt.Sprintf("n%d", len(w.nodes))
		w.nodes = append(w.nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"zone": zone, hostname: name}}})
	}
	return w
}

func (w *world) one(of ...any) any { return of[w.r.IntN(len(of))] }

func (w *world) maybe(in int) bool { return w.r.IntN(in) == 0 }

func templateNo(i int) map[string]any {
	c := map[string]any{"name": "main", "image": fmt.Sprintf("web:%d", i)}
	if i == 2 {
		c["env"] = []any{map[string]any{"name": "E", "value": "x"}}
	}
	return map[string]any{"metadata": map[string]any{"labels": map[string]any{"app": "web"}}, "spec": map[string]any{"containers": []any{c}}}
}

func (w *world) revision(i int) *appsv1.ControllerRevision {
	cr := &appsv1.ControllerRevision{ObjectMeta: w.owned(fmt.Sprintf("sample-r%d", i)), Revision: int64(i + 1)}
	cr.Data.Raw = canonical(templateNo(i)).raw
	return cr
}

func (w *world) owned(name string) metav1.ObjectMeta {
	yes := true
	return metav1.ObjectMeta{
		Name: name, Namespace: "shop", UID: typesUID(name), ResourceVersion: "5", Labels: map[string]string{"app": "web"},
		CreationTimestamp: metav1.Time{Time: worldNow.Add(-time.Hour)},
		OwnerReferences:   []metav1.OwnerReference{{APIVersion: "apps.kruise.io/v1alpha1", Kind: "CloneSet", Name: "sample", UID: "cs-uid", Controller: &yes, BlockOwnerDeletion: &yes}},
	}
}

func (w *world) cloneSet(current, wanted int) {
	strategy := map[string]any{
		"type":      w.one(recreate, inPlaceIfPossible, inPlaceIfPossible, inPlaceIfPossible, inPlaceOnly),
		"partition": w.one(0, 1, 2, 3, "40%", "99%", "100%"), "maxUnavailable": w.one(0, 1, 1, 2, 3, "20%", "50%", "12.5%"), "maxSurge": w.one(0, 0, 0, 1, 2, "30%"),
	}
	if w.maybe(6) {
		strategy["paused"] = true
	}
	w.strategies(strategy)
	scale := map[string]any{}
	if w.maybe(4) {
		scale["maxUnavailable"] = w.one(1, 2, "50%")
	}
	if w.maybe(6) {
		scale["podsToDelete"] = []any{fmt.Sprintf("sample-%d", w.r.IntN(5)), "gone"}
	}
	if w.maybe(5) {
		scale["disablePVCReuse"] = true
	}
	spec := map[string]any{
		"replicas": w.r.IntN(7), "selector": map[string]any{"matchLabels": map[string]any{"app": "web"}},
		"template": templateNo(wanted), "updateStrategy": strategy, "scaleStrategy": scale, "minReadySeconds": w.one(0, 0, 0, 600),
		"revisionHistoryLimit": w.one(0, 10),
	}
	if w.maybe(3) {
		spec["lifecycle"] = w.lifecycle()
	}
	if w.maybe(4) {
		spec["template"].(map[string]any)["spec"].(map[string]any)["topologySpreadConstraints"] = []any{map[string]any{"maxSkew": 1, "topologyKey": w.one("zone", hostname), "whenUnsatisfiable": "DoNotSchedule"}}
		for i, cr := range w.revisions {
			if i == wanted {
				cr.Data.Raw = canonical(spec["template"].(map[string]any)).raw
			}
		}
	}
	w.cs = map[string]any{
		"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet",
		"metadata": map[string]any{"name": "sample", "namespace": "shop", "uid": "cs-uid", "generation": 2, "resourceVersion": "9"},
		"spec":     spec, "status": map[string]any{"currentRevision": fmt.Sprintf("sample-r%d", current), "replicas": 0},
	}
}

func (w *world) strategies(strategy map[string]any) {
	switch w.r.IntN(6) {
	case 0:
		strategy["priorityStrategy"] = map[string]any{"weightPriority": []any{map[string]any{"weight": 10, "matchSelector": map[string]any{"matchLabels": map[string]any{"g": "1"}}}}}
	case 1:
		strategy["priorityStrategy"] = map[string]any{"orderPriority": []any{map[string]any{"orderedKey": "g"}}}
	case 2:
		strategy["scatterStrategy"] = []any{map[string]any{"key": "g", "value": "1"}}
	case 3:
		strategy["scatterStrategy"] = []any{map[string]any{"key": "g", "value": "1"}, map[string]any{"key": "g", "value": "2"}}
	}
}

func (w *world) lifecycle() map[string]any {
	l := map[string]any{}
	for _, name := range []string{"preDelete", "inPlaceUpdate", "preNormal"} {
		if w.maybe(2) {
			l[name] = map[string]any{"labelsHandler": map[string]any{"hook-" + strings.ToLower(name): "yes"}}
		}
	}
	return l
}

func (w *world) pod(i int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: w.owned(fmt.Sprintf("sample-%d", i))}
	rev := w.revisions[w.r.IntN(len(w.revisions))].Name
	p.Labels[revisionLabel], p.Labels[templateHashLabel] = w.one(rev, rev, rev, short(rev)).(string), short(rev)
	p.Labels[instanceLabel] = fmt.Sprint(i)
	state := w.one("", normal, normal, normal, normal, normal, preparingNormal, preparingUpdate, updating, stateUpdated, preparingDelete).(string)
	if w.calm && !w.maybe(12) {
		state = w.one("", normal, normal, normal, preparingUpdate).(string)
	}
	if state != "" {
		p.Labels[stateLabel] = state
	}
	for _, key := range []string{"hook-predelete", "hook-inplaceupdate", "hook-prenormal"} {
		if w.maybe(2) {
			p.Labels[key] = "yes"
		}
	}
	if !w.calm && w.maybe(8) {
		p.Labels[specifiedLabel] = "false"
	}
	if w.maybe(2) {
		p.Labels["g"] = fmt.Sprint(w.r.IntN(3))
	}
	if !w.calm && w.maybe(12) {
		p.Labels["app"] = "other"
	}
	if w.maybe(5) {
		p.Annotations = map[string]string{corev1.PodDeletionCost: w.one("1", "-1", "+3", "08").(string)}
	}
	if !w.calm && w.maybe(20) {
		delete(p.Labels, templateHashLabel)
	}
	w.podStatus(p)
	if w.maybe(2) {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: w.owned("data-" + p.Name)}
		claim.Labels[instanceLabel] = fmt.Sprint(i)
		w.claims = append(w.claims, claim)
	}
	return p
}

func (w *world) podStatus(p *corev1.Pod) {
	p.Spec.Containers = []corev1.Container{{Name: "main", Image: "web:1"}}
	if !w.maybe(8) {
		p.Spec.NodeName = fmt.Sprintf("n%d", w.r.IntN(3))
	}
	p.Status.Phase = w.one(corev1.PodRunning, corev1.PodRunning, corev1.PodRunning, corev1.PodRunning, corev1.PodRunning, corev1.PodPending, corev1.PodFailed).(corev1.PodPhase)
	if w.calm {
		p.Status.Phase = corev1.PodRunning
	}
	p.CreationTimestamp = metav1.Time{Time: worldNow.Add(-time.Duration(1+w.r.IntN(3)) * time.Hour)}
	status := corev1.ConditionTrue
	if w.maybe(4) {
		status = corev1.ConditionFalse
	}
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.Time{Time: worldNow.Add(-time.Duration(1+4*w.r.IntN(4)) * 5 * time.Minute)}}}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Image: "web:1", ImageID: "x", RestartCount: int32(w.r.IntN(2))}}
	if w.maybe(2) {
		p.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: inPlaceReady}}
		if !w.maybe(3) {
			p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: inPlaceReady, Status: w.one(corev1.ConditionTrue, corev1.ConditionTrue, corev1.ConditionFalse).(corev1.ConditionStatus)})
		}
	}
	if p.Labels[stateLabel] == updating && w.maybe(2) {
		p.Annotations = map[string]string{updateAnnotation: fmt.Sprintf(`{"revision":"x","updateTimestamp":"2026-11-01T11:00:00Z","lastContainerStatuses":{"main":{"imageID":%q}}}`, w.one("x", "y"))}
		p.Status.ContainerStatuses[0].Image = w.one("web:1", "web:0").(string)
	}
}

func (w *world) decide(t *testing.T) *decision.Decision {
	t.Helper()
	b := view.NewBuilder(worldNow)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	u := &unstructured.Unstructured{}
	text, err := json.Marshal(w.cs)
	if err == nil {
		err = u.UnmarshalJSON(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	b.Add(view.CloneSets, u)
	for _, p := range w.pods {
		b.Add(view.Pods, p)
	}
	for _, c := range w.claims {
		b.Add(view.PersistentVolumeClaims, c)
	}
	for _, r := range w.revisions {
		b.Add(view.ControllerRevisions, r)
	}
	for _, n := range w.nodes {
		b.Add(view.Nodes, n)
	}
	prof := profile.Profile{Kruise: profile.KruiseOptions{Version: os.Getenv("CLONESET_KRUISE"), Gates: w.gates}}
	d, err := Decide(b.View().Reader(), prof, view.Target{Kind: view.CloneSets, Namespace: "shop", Name: "sample"}, Given{})
	if err != nil {
		t.Fatal(err)
	}
	Rules.Phrase(d)
	return d
}

// oracle is a kruise oracle that runs.
type oracle struct {
	in  *json.Encoder
	out *bufio.Reader
}

func startOracle(t *testing.T, path string) *oracle {
	t.Helper()
	cmd := exec.Command(path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = in.Close(), cmd.Wait() // it ends with its input
	})
	return &oracle{json.NewEncoder(in), bufio.NewReaderSize(out, 1<<20)}
}

type oracleRun struct {
	Writes []struct {
		Verb, Kind, Subresource, Name, Patch, Failed string
		Object                                       json.RawMessage
	}
	Status       status
	RequeueAfter string
	Error        string
}

func (o *oracle) ask(t *testing.T, w *world) []oracleRun {
	t.Helper()
	orders := [][]int{w.r.Perm(len(w.pods)), w.r.Perm(len(w.pods)), w.r.Perm(len(w.pods))}
	err := o.in.Encode(map[string]any{
		"id": "1", "now": worldNow, "gates": w.gates, "cloneSet": w.cs, "pods": w.pods, "pvcs": w.claims,
		"controllerRevisions": w.revisions, "nodes": w.nodes, "orders": orders,
	})
	if err != nil {
		t.Fatal(err)
	}
	line, err := o.out.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Error string
		Runs  []oracleRun
	}
	if err := json.Unmarshal(line, &answer); err != nil || answer.Error != "" {
		t.Fatalf("%v %s\n%s", err, answer.Error, w.describe())
	}
	return answer.Runs
}
