package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// paging is a server that sends pages: the number of the next one is its token.
type paging struct {
	page  func(number int, limit int64) (objects int, err error)
	last  int // number of the last page; 0 for none
	token func(number int) string
	name  func(page, object int) string
	// remain is what a page says remains; nil for nothing.
	remain func(number int) int64

	asked int
}

func (p *paging) list(ctx context.Context, o metav1.ListOptions) (reply, error) {
	page, err := p.whole(ctx, o)
	return reply{decode: func() (runtime.Object, error) { return page, nil }}, err
}

func (p *paging) whole(_ context.Context, o metav1.ListOptions) (runtime.Object, error) {
	p.asked++
	number := 0
	if o.Continue != "" {
		number, _ = strconv.Atoi(o.Continue)
	}
	n, err := p.page(number, o.Limit)
	if err != nil {
		return nil, err
	}
	list := &metav1.PartialObjectMetadataList{Items: make([]metav1.PartialObjectMetadata, n)}
	for i := range list.Items {
		list.Items[i].Name = p.name(number, i)
	}
	if number != p.last || p.last == 0 {
		list.Continue = p.token(number + 1)
		if p.remain != nil {
			list.RemainingItemCount = new(p.remain(number))
		}
	}
	return list, nil
}

// honest sends pages of n objects up to the last one.
func honest(n, last int) *paging {
	return &paging{
		page: func(int, int64) (int, error) { return n, nil }, last: last, token: strconv.Itoa,
		name: func(page, object int) string {
			if object > 0 {
				return "web"
			}
			return fmt.Sprint("web-", page)
		},
	}
}

func TestEveryListEnds(t *testing.T) {
	for name, c := range map[string]struct {
		server *paging
		change func(*paging)
		want   string
		most   int // requests
	}{
		"same token":          {honest(500, 0), func(p *paging) { p.token = func(int) string { return "1" } }, "followed by an earlier one, after 2 pages with 1000 objects", 2},
		"two tokens":          {honest(500, 0), func(p *paging) { p.token = func(n int) string { return strconv.Itoa(n % 2) } }, "an earlier", 4},
		"same objects":        {honest(500, 0), func(p *paging) { p.name = func(int, int) string { return "web" } }, "begins where an earlier one did, after 2 pages", 2},
		"empty pages":         {honest(0, 0), func(*paging) {}, "nearly empty, after 101 pages with 0 objects", 101},
		"small pages":         {honest(3, 0), func(*paging) {}, "nearly empty", 110},
		"ever more objects":   {honest(pageSize, 0), func(*paging) {}, "more than 160000 objects, and does not say how many remain, after 33 pages with 165000 objects", 41},
		"ever as many remain": {honest(500, 0), func(p *paging) { p.remain = func(int) int64 { return 700 } }, "continues after the 1200 objects that it announced, after 23 pages with 11500 objects", 23},
		"ever more remain":    {honest(500, 0), func(p *paging) { p.remain = func(n int) int64 { return 700 + int64(n)*500 } }, "continues after the 1200 objects", 23},
		"too many remain":     {honest(500, 0), func(p *paging) { p.remain = func(int) int64 { return mostObjects } }, "the list holds more than 500000 objects, after 1 pages with 500 objects", 1},
		"ever more objects, as announced": {honest(pageSize, 0), func(p *paging) {
			p.remain = func(n int) int64 { return max(mostObjects-pageSize*int64(n+1), 1) }
		}, "more than 500000 objects", 101},
	} {
		t.Run(name, func(t *testing.T) {
			c.change(c.server)
			_, err := pages{c.server.list, func(int) {}}.read(t.Context(), metav1.ListOptions{})
			var endless *Endless
			if !errors.As(err, &endless) || !strings.Contains(err.Error(), c.want) || c.server.asked > c.most {
				t.Errorf("after %d requests: %v, want %q", c.server.asked, err, c.want)
			}
		})
	}
}

func TestHonestListsAreReadWhole(t *testing.T) {
	gone := apierrors.NewResourceExpired("the provided continue parameter is too old")
	for name, c := range map[string]struct {
		server *paging
		change func(*paging)
		want   int
		err    string
	}{
		"150,000 objects": {honest(pageSize, 29), func(*paging) {}, 150_000, ""},
		"480,000 objects, as announced": {honest(pageSize, 95), func(p *paging) {
			p.remain = func(n int) int64 { return pageSize * int64(95-n) }
		}, 480_000, ""},
		"more than were announced":   {honest(500, 21), func(p *paging) { p.remain = func(int) int64 { return 500 } }, 11_000, ""},
		"of a server with own pages": {honest(100, 1499), func(*paging) {}, 150_000, ""},
		"a page or two":              {honest(3, 1), func(*paging) {}, 6, ""},
		"large objects": {honest(1, 40), func(p *paging) {
			p.page = func(_ int, limit int64) (int, error) {
				if limit > 12 {
					return 0, &TooLarge{"a page", "/pods", mostOfPage}
				}
				return int(limit), nil
			}
		}, 41 * 12, ""},
		"one that is too large": {honest(1, 40), func(p *paging) {
			p.page = func(int, int64) (int, error) { return 0, &TooLarge{"a page", "/pods", mostOfPage} }
		}, 0, "a page of /pods holds more than 24 MiB"},
		"pages expire once": {honest(10, 3), func(p *paging) {
			failed := false
			p.page = func(number int, _ int64) (int, error) {
				if number == 2 && !failed {
					failed = true
					return 0, gone
				}
				return 10, nil
			}
		}, 40, ""},
		"pages always expire": {honest(10, 3), func(p *paging) {
			p.page = func(number int, _ int64) (int, error) {
				if number == 2 {
					return 0, gone
				}
				return 10, nil
			}
		}, 0, "too old"},
	} {
		t.Run(name, func(t *testing.T) {
			c.change(c.server)
			list, err := pages{c.server.list, func(int) {}}.read(t.Context(), metav1.ListOptions{})
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || meta.LenList(list) != c.want {
				t.Errorf("%d objects, %v; want %d", meta.LenList(list), err, c.want)
			}
		})
	}
}

// TestEndlessIsSaid: the need is not read, at once, and the reason says what to do.
func TestEndlessIsSaid(t *testing.T) {
	a := serve(t, shop())
	a.intercept = func(w http.ResponseWriter, _ *request) bool {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"apiVersion":"v1","kind":"PodList","metadata":{"continue":"again"},"items":[{"metadata":{"name":"web","namespace":"shop","uid":"uid-of-web"}}]}`))
		return true
	}
	s, _ := open(t, a.config(), Options{})
	err := load(t, s, shopPods).Reader().Err(shopPods)
	if want := "pods in namespace shop: a page of the list begins where an earlier one did, after 2 pages with 2 objects: ask for one --namespace"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	if n := len(a.received()); n != 2 {
		t.Errorf("%d requests", n)
	}
}

// TestPagesAreMadeWhileOthersAreDecoded: the next page is asked for as soon as its
// token is known, and no request outlives the list.
func TestPagesAreMadeWhileOthersAreDecoded(t *testing.T) {
	server, asked := honest(2, 2), make(chan string, 3)
	list := func(ctx context.Context, o metav1.ListOptions) (reply, error) {
		asked <- o.Continue
		page, err := server.whole(ctx, o)
		m, _ := meta.ListAccessor(page)
		return reply{m.GetContinue(), func() (runtime.Object, error) {
			for token := ""; token != m.GetContinue(); {
				token = <-asked
			}
			return page, err
		}}, err
	}
	all, err := pages{list, func(int) {}}.read(t.Context(), metav1.ListOptions{})
	if err != nil || meta.LenList(all) != 6 {
		t.Errorf("%d objects, %v", meta.LenList(all), err)
	}
}

func TestNoRequestOutlivesItsList(t *testing.T) {
	var ended atomic.Bool
	list := func(ctx context.Context, o metav1.ListOptions) (reply, error) {
		if o.Continue != "" {
			<-ctx.Done()
			ended.Store(true)
			return reply{}, ctx.Err()
		}
		return reply{"1", func() (runtime.Object, error) { return nil, errors.New("torn") }}, nil
	}
	if _, err := (pages{list, func(int) {}}).read(t.Context(), metav1.ListOptions{}); err == nil || err.Error() != "torn" {
		t.Errorf("got %v", err)
	}
	if !ended.Load() {
		t.Error("the request for the page behind goes on")
	}
}
