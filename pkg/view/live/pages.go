package live

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	// pageSize is the most objects of one answer: pods with all they have are
	// then some tens of megabytes, and a namespace is a page or two.
	pageSize = 5000
	// A page that is too large is asked for again with this part of its objects.
	smaller = 20
	// mostObjects is the most of one list. Kubernetes supports 150,000 pods.
	mostObjects = 500_000
	// mostUnannounced is the most of a list that does not say what remains, as
	// API servers do only for lists with selectors.
	mostUnannounced = 160_000
	// A list may have fewPages of any size. After them its pages hold at least
	// sparsePage objects on average.
	fewPages   = 100
	sparsePage = 50
	// restarts is how often a list begins again whose pages expired.
	restarts = 2
)

// Endless is the error of a list whose pages do not end.
type Endless struct {
	Reason         string
	Pages, Objects int
}

func (e *Endless) Error() string {
	return fmt.Sprintf("%s, after %d pages with %d objects", e.Reason, e.Pages, e.Objects)
}

// pages reads a list page by page. client-go's pager reads the rest in one
// answer when pages expire, and never stops when they do not end.
type pages struct {
	list func(context.Context, metav1.ListOptions) (reply, error)
	// arrived is called with the number of objects of each page.
	arrived func(int)
}

// read returns the whole list. Errors: Endless, TooLarge for a single object or
// for all pages together, and those of the server.
func (p pages) read(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	ctx = withBudget(ctx)
	o.Limit = pageSize
	for try := 0; ; try++ {
		list, err := p.once(ctx, o)
		if try == restarts || !expired(err) {
			return list, err
		}
	}
}

// expired reports whether a list has to begin again: its pages are of a state
// that the server has forgotten.
func expired(err error) bool {
	var later *expiredPage
	return errors.As(err, &later)
}

type expiredPage struct{ error }

func (e *expiredPage) Unwrap() error { return e.error }

// once reads the pages of one state. Each is decoded while the server makes the next
// one.
func (p pages) once(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	var requests sync.WaitGroup
	defer requests.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ask := func(o metav1.ListOptions) *asked {
		a := &asked{options: o}
		a.answered.Add(1)
		requests.Go(func() {
			defer a.answered.Done()
			a.page, a.err = p.list(ctx, o)
		})
		return a
	}
	var all collected
	for next := ask(o); ; {
		page, answered, err := p.page(next, ask)
		if err != nil {
			return nil, err
		}
		m, err := meta.ListAccessor(page)
		if err != nil {
			return nil, err
		}
		if err := complete(m); err != nil {
			return nil, err
		}
		if m.GetContinue() == "" && all.pages == 0 {
			return page, nil
		}
		if err := all.add(page, m); err != nil {
			return nil, err
		}
		if m.GetContinue() == "" {
			return &all.list, nil
		}
		if err := all.goesOn(m.GetContinue()); err != nil {
			return nil, err
		}
		if next = answered.following; next == nil {
			next = ask(answered.behind(m.GetContinue()))
		}
	}
}

// asked is a request for a page.
type asked struct {
	options  metav1.ListOptions
	answered sync.WaitGroup
	page     reply
	err      error
	// following asks for the page behind it; nil as long as nothing does.
	following *asked
}

// behind are the options of a request for the page behind this one.
func (a *asked) behind(token string) metav1.ListOptions {
	o := a.options
	o.Continue, o.ResourceVersion, o.ResourceVersionMatch = token, "", ""
	return o
}

// complete checks that a page of a list is followed by what remains.
func complete(m metav1.ListInterface) error {
	n := m.GetRemainingItemCount()
	if n != nil && *n < 0 {
		return unexpected("the server says that %d objects of the list remain", *n)
	}
	if n != nil && *n > 0 && m.GetContinue() == "" {
		return unexpected("the server sent a part of the list: %d objects remain, and no token to ask for them", *n)
	}
	return nil
}

// page is the page that was asked for, or a smaller one where that is too large, with
// the request that it answers.
func (p pages) page(a *asked, ask func(metav1.ListOptions) *asked) (runtime.Object, *asked, error) {
	for {
		page, err := a.decoded(ask)
		var large *TooLarge
		switch {
		case err == nil:
			p.arrived(meta.LenList(page))
			return page, a, nil
		case errors.As(err, &large) && large.Most == mostOfPage && a.options.Limit > 1:
			a.options.Limit = max(a.options.Limit/smaller, 1)
			a = ask(a.options)
		case a.options.Continue != "" && apierrors.IsResourceExpired(err):
			return nil, nil, &expiredPage{err}
		default:
			return nil, nil, err
		}
	}
}

// decoded waits for the page, and asks for the one behind it while it decodes, where
// the token is known by then.
func (a *asked) decoded(ask func(metav1.ListOptions) *asked) (runtime.Object, error) {
	a.answered.Wait()
	if a.err != nil {
		return nil, a.err
	}
	if a.page.next != "" {
		a.following = ask(a.behind(a.page.next))
	}
	return a.page.decode()
}

// collected is what the pages so far hold.
type collected struct {
	list  metainternalversion.List
	pages int
	// total is how many objects the first page says there are; nil where it
	// does not.
	total *int64
	seen  map[[sha256.Size]byte]bool // what tells pages apart: tokens and first objects
}

func (c *collected) add(page runtime.Object, m metav1.ListInterface) error {
	if c.pages == 0 {
		c.seen = map[[sha256.Size]byte]bool{}
		c.list.ResourceVersion = m.GetResourceVersion()
		if n := m.GetRemainingItemCount(); n != nil {
			c.total = new(*n + int64(meta.LenList(page)))
		}
	}
	c.pages++
	before := len(c.list.Items)
	err := meta.EachListItem(page, func(obj runtime.Object) error {
		c.list.Items = append(c.list.Items, obj)
		return nil
	})
	if err != nil || len(c.list.Items) == before {
		return err
	}
	first, err := meta.Accessor(c.list.Items[before])
	if err != nil {
		return err
	}
	return c.notAgain("object "+first.GetNamespace()+"/"+first.GetName(), "a page of the list begins where an earlier one did")
}

// goesOn checks that the pages so far lead to an end.
func (c *collected) goesOn(next string) error {
	n := len(c.list.Items)
	if reason := c.beyond(int64(n)); reason != "" {
		return c.endless(reason)
	}
	if c.pages > fewPages+n/sparsePage {
		return c.endless("the pages of the list are nearly empty")
	}
	return c.notAgain("token "+next, "a page of the list is followed by an earlier one")
}

// beyond says why n objects, or those that follow, are more than a list holds;
// empty if they are not. Some servers count what remains while it changes.
func (c *collected) beyond(n int64) string {
	switch {
	case c.total == nil && n > mostUnannounced:
		return fmt.Sprintf("the list holds more than %d objects, and does not say how many remain", mostUnannounced)
	case c.total == nil:
		return ""
	case n > mostObjects || *c.total > mostObjects:
		return fmt.Sprintf("the list holds more than %d objects", mostObjects)
	case n > *c.total+*c.total/10+2*pageSize:
		return fmt.Sprintf("the list continues after the %d objects that it announced", *c.total)
	}
	return ""
}

func (c *collected) notAgain(mark, reason string) error {
	sum := sha256.Sum256([]byte(mark))
	if c.seen[sum] {
		return c.endless(reason)
	}
	c.seen[sum] = true
	return nil
}

func (c *collected) endless(reason string) error {
	return &Endless{reason, c.pages, len(c.list.Items)}
}
