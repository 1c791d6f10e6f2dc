package live

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const (
	podList     = `{"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"1"}`
	partialList = `{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList","metadata":{"resourceVersion":"1"}`
	cloneList   = `{"apiVersion":"apps.kruise.io/v1alpha1","kind":"CloneSetList","metadata":{"resourceVersion":"1"}`
	webOfShop   = `"metadata":{"name":"web-1","namespace":"shop","uid":"uid-of-web-1"}`
	noTokenLeft = `{"apiVersion":"v1","kind":"PodList","metadata":{"remainingItemCount":3},"items":[]}`
)

// TestOtherAnswers: what is not the list that was asked for is not read, at once.
func TestOtherAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		need view.Need
		body string
		want string
	}{
		"nothing":              {shopPods, `{}`, "the server sent an object without a kind instead of v1 PodList"},
		"an array":             {oneClone, `{"items":[]}`, "an object without a kind instead of apps.kruise.io/v1alpha1 CloneSetList"},
		"nothing for metadata": {barePods, `{}`, "the server sent an object without a kind instead of meta.k8s.io/v1 PartialObjectMetadataList"},
		"Services":             {shopPods, `{"apiVersion":"v1","kind":"ServiceList","items":[]}`, "the server sent v1 ServiceList instead of v1 PodList"},
		"bare Services":        {barePods, `{"apiVersion":"v1","kind":"ServiceList","items":[]}`, "v1 ServiceList instead of"},
		"of another group":     {shopClones, `{"apiVersion":"apps/v1","kind":"CloneSetList","items":[]}`, "apps/v1 CloneSetList instead of"},
		"one object":           {shopPods, `{"apiVersion":"v1","kind":"Pod",` + webOfShop + `}`, "v1 Pod instead of v1 PodList"},
		"no items":             {shopPods, podList + `}`, "the server sent a PodList without items"},
		"no bare items":        {barePods, partialList + `}`, "a PartialObjectMetadataList without items"},
		"no untyped items":     {shopClones, cloneList + `}`, "a CloneSetList without items"},
		"items in capitals":    {shopPods, podList + `,"Items":[]}`, "a PodList without items"},
		"items of another":     {shopPods, podList + `,"items":[{` + webOfShop + `},{"apiVersion":"v1","kind":"Service",` + webOfShop + `}]}`, "a PodList whose items[1] is v1 Service"},
		"bare items":           {barePods, partialList + `,"items":[{"apiVersion":"v1","kind":"Service",` + webOfShop + `}]}`, "items[0] is v1 Service"},
		"untyped items":        {shopClones, cloneList + `,"items":[{"apiVersion":"apps.kruise.io/v1alpha1","kind":"DaemonSet",` + webOfShop + `}]}`, "items[0] is apps.kruise.io/v1alpha1 DaemonSet"},
		"an item that is null": {shopPods, podList + `,"items":[null]}`, "the server sent a Pod without a name"},
		"without a uid":        {shopPods, podList + `,"items":[{"metadata":{"name":"web-1","namespace":"shop"}}]}`, "the server sent Pod shop/web-1 without a uid"},
		"of another namespace": {shopPods, podList + `,"items":[{"metadata":{"name":"web-1","namespace":"blog"}}]}`, "the server sent Pod blog/web-1, which was not asked for"},
		"of another name":      {oneClone, cloneList + `,"items":[{"metadata":{"name":"db","namespace":"shop"}}]}`, "the server sent CloneSet shop/db, which was not asked for"},
		"a part":               {shopPods, noTokenLeft, "the server sent a part of the list: 3 objects remain, and no token to ask for them"},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, shop())
			a.intercept = answering(c.body)
			s, _ := open(t, a.config(), Options{})
			err := load(t, s, c.need).Reader().Err(c.need)
			var other *Unexpected
			if !errors.As(err, &other) || !strings.HasPrefix(err.Error(), c.need.String()+": ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if n := len(a.received()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func answering(body string) func(http.ResponseWriter, *request) bool {
	return func(w http.ResponseWriter, _ *request) bool {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
		return true
	}
}

// TestOtherAnswersInProtobuf: a type that is decoded is the one that is stored.
func TestOtherAnswersInProtobuf(t *testing.T) {
	for name, c := range map[string]struct {
		need view.Need
		body runtime.Object
	}{
		"another list":      {shopPods, &corev1.ServiceList{}},
		"one object":        {shopPods, pod("shop", "web-1", "7")},
		"of no name":        {shopPods, &corev1.PodList{Items: make([]corev1.Pod, 1)}},
		"metadata, no name": {barePods, &metav1.PartialObjectMetadataList{Items: make([]metav1.PartialObjectMetadata, 1)}},
	} {
		a := serve(t, shop())
		a.intercept = func(w http.ResponseWriter, r *request) bool {
			a.write(w, r, c.body)
			return true
		}
		s, _ := open(t, a.config(), Options{})
		if err := load(t, s, c.need).Reader().Err(c.need); !errors.As(err, new(*Unexpected)) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestOtherObject: the GET that stands in for a list answers with what was asked for.
func TestOtherObject(t *testing.T) {
	for body, want := range map[string]string{
		`{}`: "an object without a kind instead of",
		`{"apiVersion":"v1","kind":"Service",` + webOfShop + `}`:                              "v1 Service instead of",
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-2","namespace":"shop"}}`:     "Pod shop/web-2, which was not asked for",
		`{"apiVersion":"v1","kind":"PodList","metadata":{"name":"web-1","namespace":"shop"}}`: "v1 PodList instead of",
	} {
		for _, detail := range []view.Detail{view.Full, view.Metadata} {
			one := view.Need{Kind: view.Pods, Namespace: "shop", Name: "web-1", Detail: detail}
			a := serve(t, shop())
			refuse := forbid("list pods")
			a.intercept = func(w http.ResponseWriter, r *request) bool { return refuse(w, r) || answering(body)(w, r) }
			s, _ := open(t, a.config(), Options{})
			if err := load(t, s, one).Reader().Err(one); !errors.As(err, new(*Unexpected)) || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
}

// TestHonestAnswers: the forms in which API servers send a list.
func TestHonestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		need view.Need
		body string
		want int
	}{
		"null":               {shopPods, podList + `,"items":null}`, 0},
		"untyped null":       {shopClones, cloneList + `,"items":null}`, 0},
		"bare null":          {barePods, partialList + `,"items":null}`, 0},
		"empty":              {shopPods, podList + `,"items":[]}`, 0},
		"items without kind": {shopPods, podList + `,"items":[{` + webOfShop + `}]}`, 1},
		"items with kind":    {shopPods, podList + `,"items":[{"apiVersion":"v1","kind":"Pod",` + webOfShop + `}]}`, 1},
		"bare items":         {barePods, partialList + `,"items":[{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata",` + webOfShop + `}]}`, 1},
		"no bare form":       {barePods, podList + `,"items":[{"apiVersion":"v1","kind":"Pod",` + webOfShop + `,"spec":{"containers":[{}]}}]}`, 1},
		"nothing remains":    {shopPods, `{"apiVersion":"v1","kind":"PodList","metadata":{"remainingItemCount":0},"items":[]}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, shop())
			a.intercept = func(w http.ResponseWriter, r *request) bool { return r.Verb != "watch" && answering(c.body)(w, r) }
			s, _ := open(t, a.config(), Options{})
			v := load(t, s, c.need)
			if err := v.Reader().Err(c.need); err != nil || len(v.AllMetadata(c.need.Kind)) != c.want {
				t.Errorf("%d objects, %v; want %d", len(v.AllMetadata(c.need.Kind)), err, c.want)
			}
		})
	}
}
