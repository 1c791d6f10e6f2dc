package cli

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// gist is a hash of what makes an answer another one. Ages and clock times are not
// part of it: they change all the time.
func gist(ds []*decision.Decision) string {
	hash := sha256.New()
	w := bufio.NewWriter(hash) // which takes strings as they are
	for _, d := range ds {
		addGist(w, d)
	}
	_ = w.Flush() // a hash takes all
	return string(hash.Sum(nil))
}

func addGist(w io.StringWriter, d *decision.Decision) {
	add := func(parts ...string) {
		_, _ = w.WriteString("|")
		for i, part := range parts {
			if i > 0 {
				_, _ = w.WriteString(" ")
			}
			_, _ = w.WriteString(part)
		}
	}
	of := d.Count.Of
	add(d.Target.Qualified(), fmt.Sprint(of.Int(decision.KeyActive), of.Int(decision.KeySpecReplicas), of.Int(decision.KeyTerminating)))
	add(d.Refused...)
	add(string(d.State))
	for _, c := range d.Causes() {
		add(c.Object.String(), c.Reason)
	}
	for _, u := range d.Updates {
		add(u.Object.Name, string(u.State), u.Rule)
	}
	for _, a := range d.Actions {
		add(string(a.Verb), a.Object.String(), string(a.Certainty), a.Rule)
	}
	for _, c := range d.Claims {
		add(c.Object.String(), string(c.Decision))
	}
	for _, e := range d.Evidence {
		add(e.Source.String(), e.Rule)
	}
	for _, c := range d.Caveats {
		add(c.Code)
	}
	add(d.Gate.Rule, d.Status.Rule, d.NextSync.Rule)
	if d.Timeline != nil {
		add(d.Timeline.Answer, d.Timeline.Cost)
	}
	for _, f := range d.Status.Fields {
		add(f.Stored, f.Next)
	}
}
