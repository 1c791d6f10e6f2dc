package cli

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// gist is a hash of what makes an answer another one. Ages and clock times are not
// part of it: they change all the time.
func gist(ds []*decision.Decision) string {
	hash := sha256.New()
	for _, d := range ds {
		addGist(hash, d)
	}
	return string(hash.Sum(nil))
}

func addGist(hash io.Writer, d *decision.Decision) {
	add := func(parts ...string) { _, _ = io.WriteString(hash, "|"+strings.Join(parts, " ")) } // a hash takes all
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
