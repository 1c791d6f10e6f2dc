package faults

import (
	"fmt"
	"hash/fnv"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
)

// commands are the questions; each is asked in each of its forms.
var commands = []struct {
	line  string
	forms []string
}{
	{"explain rs/web-7b46c4b544 -n shop", answers},
	{"explain rs/web-7b46c4b544 -n blog", answers},
	{"explain rc/comments -n blog", answers},
	{"explain deploy/web -n shop", answers},
	{"explain clonesets -n shop", answers},
	{"explain rs -A", answers},
	{"plan rs/web-7b46c4b544 -n shop --replicas 1", answers},
	{"plan rs/web-7b46c4b544 -n shop --replicas 2", answers}, // which keeps Pods, in zones
	{"plan rs/web-7b46c4b544 -n shop --replicas 5 --until-stable", answers},
	{"plan -n shop -f testdata/change.yaml", answers},
	{"plan -n shop -f testdata/change.yaml --dry-run=server", answers},
	{"orphans -A", answers},
	{"orphans -A --context b", answers},
	{"orphans -n blog", answers},
	{"owners pod/web-7b46c4b544-2k5qt -n shop", answers},
	{"owners deploy/web -n shop --dependents", answers},
	{"owners deploy/web -n shop --cascade foreground", answers},
	{"expectations rs/web-7b46c4b544 -n shop", answers},
	{"wait rs/web-7b46c4b544 -n blog --timeout 2s", waits},
	{"wait deploy/web -n shop --timeout 2s", waits},
	{"wait rc/comments -n blog --timeout 2s", waits},
	{"snapshot rs/web-7b46c4b544 -n shop -o json", []string{"snapshot"}},
	{"snapshot -n shop -o json", []string{"snapshot"}},
	{"version", []string{"version"}},
	{"explain rs/web-7b46c4b544 -n shop --contexts a,b", answers},
	{"orphans -A --contexts a,b", answers},
}

// answers are the forms of an answer: how it is printed, or how it ends.
var answers = []string{"text", "json", "name", "exit-code"}

// waits are the forms of a wait: its exit status is that of --exit-code in any case.
var waits = []string{"text", "json"}

func arguments(line, form string) []string {
	args := strings.Fields(line)
	switch form {
	case "json", "name":
		return append(args, "-o", form)
	case "exit-code":
		args = append(args, "--exit-code")
	}
	if verb := args[0]; verb == "explain" || verb == "plan" || verb == "orphans" || verb == "owners" || verb == "expectations" {
		return append(args, "-o", "wide") // a caveat is a line, with its code
	}
	return args
}

var notRead = regexp.MustCompile(`\bNotRead\b`)

// TestEveryFailure fails the requests of every command. What takes the time is
// waiting, so that many are tried at once.
func TestEveryFailure(t *testing.T) {
	objs := map[string][]bundle.Object{}
	for cluster, files := range clusters {
		objs[cluster] = objects(t, files)
	}
	only := regexp.MustCompile(os.Getenv("FAULTS_OF"))
	var all []*command
	few, many := make(chan struct{}, 2), make(chan struct{}, 64)
	for _, c := range commands {
		if only.MatchString(c.line) {
			all = append(all, &command{line: c.line, forms: c.forms, objs: objs})
		}
	}
	each(all, func(c *command) { c.slots = few; c.unharmed(t) })
	each(all, func(c *command) { c.slots = many; c.try(t) })
}

// each does something about all of them at once.
func each[T any](all []T, do func(T)) {
	var group sync.WaitGroup
	for _, one := range all {
		group.Go(func() { do(one) })
	}
	group.Wait()
}

// command is one question, asked of clusters that hold objects.
type command struct {
	line  string
	forms []string
	objs  map[string][]bundle.Object
	// slots bound how many run at once.
	slots chan struct{}
	// full are the answers without a failure, by form, and requests what they asked for.
	full     map[string]said
	requests []request
}

func (c *command) run(t *testing.T, i *injector, timeout time.Duration, form string) said {
	c.slots <- struct{}{}
	defer func() { <-c.slots }()
	return run(t, c.objs, i, timeout, arguments(c.line, form))
}

// unharmed asks without a failure, again where that finds no time on a machine that is
// busy.
func (c *command) unharmed(t *testing.T) {
	c.full = map[string]said{}
	for _, form := range c.forms {
		var i *injector
		for range 5 {
			i = newInjector()
			if c.full[form] = c.run(t, i, patient, form); c.full[form].status != 2 {
				break
			}
		}
		if c.requests = i.order; c.full[form].status == 2 || notRead.MatchString(c.full[form].out) {
			t.Errorf("%s: %s without a failure: %s", c.line, form, c.full[form])
			c.requests = nil
			return
		}
	}
}

// try asks with each failure.
func (c *command) try(t *testing.T) {
	each(trials(c.line, c.forms, c.requests), func(one trial) {
		limit := impatient
		wrong, late := c.fail(t, one, limit)
		for range 2 {
			if wrong == "" || !late {
				break
			}
			limit *= 3
			wrong, late = c.fail(t, one, limit)
		}
		if wrong != "" {
			t.Errorf("%s: %s: %s", c.line, one, wrong)
		}
	})
}

// fail asks with a failure, and says what is wrong with the answer, empty for
// nothing. late: something took too long, which on a busy machine need not be
// what failed; an answer is wrong if it is so with more time as well.
func (c *command) fail(t *testing.T, one trial, limit time.Duration) (wrong string, late bool) {
	i := newInjector()
	i.trigger, i.fault, i.left = one.request, one.fault, one.span
	full, got := c.full[one.form], c.run(t, i, limit, one.form)
	late = strings.Contains(got.out+got.err, "not read within") || strings.Contains(got.out+got.err, "imeout")
	if strings.HasPrefix(c.line, "wait ") {
		wrong = judgeWait(got, full)
	} else {
		var unnamed []request
		wrong, unnamed = judge(got, full, one.form, i.lost())
		for _, q := range unnamed {
			if wrong == "" && c.misses(t, full, trial{q, one.fault, -1, one.form}, limit) {
				wrong = "no caveat names " + q.resource()
			}
		}
	}
	if wrong != "" {
		wrong = fmt.Sprintf("%s\nlost: %v\n%s", wrong, i.lost(), difference(full, got))
	}
	return wrong, late
}

// misses reports whether the answer needs the request of the trial: whether it
// is judged wrong when that one is lost, and no other. A command may read ahead
// what it has no use for in the end; then the caveats need not name it.
func (c *command) misses(t *testing.T, full said, one trial, limit time.Duration) bool {
	i := newInjector()
	i.trigger, i.fault, i.left, i.alone = one.request, one.fault, one.span, true
	wrong, unnamed := judge(c.run(t, i, limit, one.form), full, one.form, i.lost())
	return wrong != "" || len(unnamed) > 0
}

// trial is one failure of one run.
type trial struct {
	request request
	fault   fault
	span    int
	form    string
}

func (t trial) String() string {
	return fmt.Sprintf("%s, %s of %s, %s", t.form, t.fault.name, t.request, map[int]string{1: "once", 2: "twice", -1: "from there on"}[t.span])
}

// trials are all there are with FAULTS=all, else one for each request.
func trials(line string, forms []string, requests []request) (all []trial) {
	for _, q := range requests {
		var some []trial
		for _, f := range faults {
			for _, span := range []int{1, 2, -1} {
				for _, form := range forms {
					some = append(some, trial{q, f, span, form})
				}
			}
		}
		if os.Getenv("FAULTS") != "all" {
			one := pick(line+q.String(), len(some))
			some = some[one : one+1]
		}
		all = append(all, some...)
	}
	return all
}

// pick is one of n, the same one for a text each time.
func pick(text string, n int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return int(h.Sum32() % uint32(n))
}
