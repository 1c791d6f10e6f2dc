package bundle

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// source opens text with room for so many bytes of decoded objects.
func source(t *testing.T, text []byte, room int) *Source {
	t.Helper()
	c, err := gather([]string{"-"}, bytes.NewReader(text), room)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.settleNow(&captured); err != nil {
		t.Fatal(err)
	}
	return &Source{content: c, view: c.view(nil)}
}

// What is decoded when it is asked for is what would have been decoded at once.
func TestDeferredIsTheSame(t *testing.T) {
	deferredOnes := 0
	for _, text := range readable(t) {
		at := source(t, text, maxDecoded)
		later := source(t, text, 0)
		for _, k := range view.Kinds() {
			var before, after []metav1.ObjectMeta
			for i, obj := range later.view.AllMetadata(k) {
				if _, ok := obj.(*deferred); ok {
					deferredOnes++
				}
				before = append(before, objectMeta(at.view.AllMetadata(k)[i]))
				after = append(after, objectMeta(obj))
			}
			if diff := cmp.Diff(before, after, equal()); diff != "" {
				t.Errorf("metadata of %s: -at once +later:\n%s", k.Resource, diff)
			}
			if diff := cmp.Diff(at.view.All(k), later.view.All(k), equal()); diff != "" {
				t.Errorf("%s: -at once +later:\n%s", k.Resource, diff)
			}
		}
		if diff := cmp.Diff(at.view.Notes(), later.view.Notes()); diff != "" {
			t.Errorf("notes: %s", diff)
		}
		if diff := cmp.Diff(bundleOf(t, at), bundleOf(t, later)); diff != "" {
			t.Errorf("written: %s", diff)
		}
	}
	if deferredOnes < 10 {
		t.Errorf("only %d objects were deferred", deferredOnes)
	}
}

// Metadata that is read from the JSON again is that of the object, whatever else
// in it looks alike.
func TestDeferredMetadata(t *testing.T) {
	var text strings.Builder
	for i := range maxShared + 1 { // more sets of labels, and more owners, than are looked for
		fmt.Fprintf(&text, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p-%05[1]d","namespace":"shop","labels":{"app":"web","i":"%[1]d"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"s-%[1]d","uid":"u-%[1]d"}]}}`+"\n", i)
	}
	shared := text.Len()
	for i, metadata := range []string{
		`"labels":{"a":"1","b":""},"annotations":{"c":"2"},"generateName":"web-","finalizers":["x"]`,
		`"labels":{"a" : "\"","b":"\u0041"},"annotations":{"\\":"{\"labels\":{}}"},"generateName":"\u0041"`,
		`"annotations":{"labels":"{"},"labels":{"generateName":"x","annotations":"y"},"generateName":"web"`,
		`"labels":{},"annotations":{},"generateName":"","finalizers":[]`,
		`"labels":null,"annotations":null`,
		`"labels":{"a":"1","b":"2"},"deletionTimestamp":"2026-11-01T10:00:00Z","deletionGracePeriodSeconds":30,"generation":7,"resourceVersion":"8","uid":"u","creationTimestamp":"2026-11-01T09:00:00Z"`,
	} {
		for _, form := range []string{
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"z-%d","namespace":"shop",%s},"spec":{"nodeSelector":{"labels":"x"}}}`,
			`{"spec":{"affinity":{"labels":{"spec":"1"},"annotations":{"spec":"1"},"generateName":"spec"}},"apiVersion":"v1","kind":"Pod","metadata":{"name":"y-%d","namespace":"shop",%s}}`,
		} {
			fmt.Fprintf(&text, form+"\n", i, metadata)
		}
	}
	at, later := source(t, []byte(text.String()), 1<<40).view, source(t, []byte(text.String()), 0).view
	inRaw := 0
	for i, obj := range later.AllMetadata(view.Pods) {
		if diff := cmp.Diff(objectMeta(at.AllMetadata(view.Pods)[i]), objectMeta(obj), equal()); diff != "" {
			t.Fatalf("metadata of %s: -at once +later:\n%s", obj.GetName(), diff)
		}
		if obj.(*deferred).has.any(labelsInRaw) {
			inRaw++
		}
	}
	if inRaw == 0 || inRaw > strings.Count(text.String()[shared:], "\n")+1 {
		t.Errorf("%d objects have their labels in the JSON alone", inRaw)
	}
	if diff := cmp.Diff(at.All(view.Pods)[maxShared:], later.All(view.Pods)[maxShared:], equal()); diff != "" {
		t.Errorf("-at once +later:\n%s", diff)
	}
}

// readable are the texts of all files that can be read.
func readable(t *testing.T) (texts [][]byte) {
	t.Helper()
	v, reads := cluster()
	_, tried := answers(t, v, reads)
	var whole bytes.Buffer
	if err := Write(&whole, v, tried, WriteOptions{Unredacted: true}); err != nil {
		t.Fatal(err)
	}
	texts = append(texts, whole.Bytes(), []byte(named(t, "list of the server").text))
	err := filepath.WalkDir("testdata/ok", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func bundleOf(t *testing.T, s *Source) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, s.view, everything(), WriteOptions{Unredacted: true}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Whoever asks gets one and the same object, through whatever door.
func TestDeferredIsOne(t *testing.T) {
	v := source(t, []byte(named(t, "JSON lines").text), 0).view
	var asking sync.WaitGroup
	got := make([]metav1.Object, 8)
	for i := range got {
		asking.Go(func() {
			if i%2 == 0 {
				got[i], _ = v.Held(view.Pods, "shop", "web-1")
			} else {
				got[i] = v.All(view.Pods)[1]
			}
		})
	}
	asking.Wait()
	for _, obj := range got {
		if obj == nil || obj != got[0] || obj.GetName() != "web-1" {
			t.Errorf("got %v and %v", obj, got[0])
		}
	}
}

// A whole object is the same one as long as somebody has it, and is given up once
// nobody has and there is no room to keep it.
func TestDeferredIsGivenUp(t *testing.T) {
	for _, k := range []view.Kind{view.Pods, view.Events, view.PersistentVolumeClaims, view.ReplicaSets, view.ControllerRevisions, view.CloneSets} {
		text := fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":"a","namespace":"shop","creationTimestamp":"2026-11-01T10:00:00Z"}}`, k.GroupVersion(), k.Kind)
		d := source(t, []byte(text), 0).view.AllMetadata(k)[0].(*deferred)
		fills := func() { d.of.recent.keep(nil, maxRecent); runtime.GC() }
		whole := d.Decoded()
		if fills(); d.Decoded() != whole {
			t.Errorf("%s: another object while one is in use", k.Kind)
		}
		runtime.KeepAlive(whole)
		if fills(); d.whole.Load().object() != nil {
			t.Errorf("%s: it is held, though nobody has it", k.Kind)
		}
		d.Decoded()
		if runtime.GC(); d.whole.Load().object() == nil {
			t.Errorf("%s: it is given up at once, though there is room", k.Kind)
		}
		if d.Decoded().GetName() != "a" {
			t.Errorf("%s: decoded again, it is another", k.Kind)
		}
	}
}

// What neighbours have in common is there once, also in the whole objects.
func TestDeferredShares(t *testing.T) {
	owned := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"shop","labels":{"app":"web"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"r","controller":%t}]}}`
	var text string
	for _, pod := range []struct {
		name       string
		controlled bool
	}{{"a", true}, {"b", true}, {"c", false}} {
		text += fmt.Sprintf(owned+"\n", pod.name, pod.controlled)
	}
	pods := source(t, []byte(text), 0).view.All(view.Pods)
	labels := func(i int) uintptr { return reflect.ValueOf(pods[i].GetLabels()).Pointer() }
	owner := func(i int) *metav1.OwnerReference { return &pods[i].GetOwnerReferences()[0] }
	if labels(0) != labels(1) || labels(1) != labels(2) || owner(0) != owner(1) {
		t.Error("equal metadata is there more than once")
	}
	if !*owner(0).Controller || *owner(2).Controller {
		t.Errorf("the controllers are %v and %v", *owner(0).Controller, *owner(2).Controller)
	}
}

// Objects that nobody asks for take a fraction of what they take decoded.
func TestDeferredTakesLittle(t *testing.T) {
	const pods = 4000
	text := []byte(strings.Repeat(named(t, "JSON lines").text[:named(t, "JSON lines").firstEnd()]+"\n", pods))
	for i := range pods { // names that differ
		copy(text[bytes.Index(text, []byte("web-0")):], []byte{'a' + byte(i%26), 'a' + byte(i/26%26), 'a' + byte(i/676%26), 'x', 'y'})
	}
	at, later := held(func() *Source { return source(t, text, maxDecoded) }), held(func() *Source { return source(t, text, 0) })
	if later > at/2 {
		t.Errorf("%d pods take %d bytes, %d decoded", pods, later, at)
	}
}

// held is how much memory what f makes keeps.
func held(f func() *Source) int {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(s)
	return int(after.HeapAlloc) - int(before.HeapAlloc)
}
