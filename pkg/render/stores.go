package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// lookupsText says what a sync looked up in the stores.
func lookupsText(l *entry.Lookups) string {
	var all []string
	of := ""
	for _, x := range l.All {
		text := lookupText(x)
		if x.Resource != of {
			of = x.Resource
			text = of + " " + text
		}
		all = append(all, text)
	}
	if l.More > 0 {
		all = append(all, fmt.Sprintf("and %d more", l.More))
	}
	return l.Key + " looks up " + strings.Join(all, ", ")
}

// lookupText is one look-up with what it found.
func lookupText(x entry.Lookup) string {
	text := ""
	switch {
	case x.Index == entry.WholeStore:
		text = "all"
	case x.Index != "":
		text = fmt.Sprintf("by %s %s", indexName(x.Index, x.Own), x.Key)
	case x.Key == "":
		text = format.Plural(x.Calls, "key")
	default:
		text = "by key " + x.Key
	}
	text += fmt.Sprintf(": %d", x.Objects)
	if x.Calls > 1 && (x.Index != "" || x.Key != "") {
		text += fmt.Sprintf(" (%d times)", x.Calls)
	}
	return text
}

// indexName marks an index of this tool.
func indexName(name string, own bool) string {
	if own {
		return name + " (own)"
	}
	return name
}

// store writes what is in a store, and what syncs have looked up there; nothing of an empty
// one that no sync looked at.
func (t *tracer) store(s entry.Store) {
	looked := func(x entry.Index) bool { return x.Lookups > 0 }
	if s.Objects+s.ByKey+s.Whole == 0 && !slices.ContainsFunc(s.Indexes, looked) {
		return
	}
	text := fmt.Sprintf("store of %s: %s", s.Resource, format.Plural(s.Objects, "object"))
	for _, x := range s.Indexes {
		text += fmt.Sprintf("; index %s, %s", indexName(x.Name, x.Own), format.Plural(x.Keys, "key"))
		if x.Lookups > 0 {
			text += fmt.Sprintf(", %s of at most %s", format.Plural(x.Lookups, "look-up"), format.Plural(x.Most, "object"))
		}
	}
	if s.ByKey > 0 {
		text += fmt.Sprintf("; %s by key", format.Plural(s.ByKey, "look-up"))
	}
	if s.Whole > 0 {
		text += fmt.Sprintf("; %s of all objects", format.Plural(s.Whole, "look-up"))
	}
	t.more(text)
}

// detector says where objects in caches are watched for changes.
func (t *tracer) detector(d entry.Detector) {
	manager := d.Manager
	if d.Reason != "" {
		manager = "not visible, " + d.Reason
	}
	t.more(fmt.Sprintf("mutation detector (KUBE_CACHE_MUTATION_DETECTOR): here %s; in kube-controller-manager %s", d.Here, manager))
}
