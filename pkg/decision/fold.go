package decision

// Folded counts what is left out of an answer in a list.
type Folded struct {
	// Ignored is the number of claims that are ignored and left out.
	Ignored int `json:"ignored,omitempty"`
	// Contested is the number of objects that other controllers may adopt first, and whose
	// claims, actions, updates and expectations are left out. So are rankings.
	Contested int `json:"contested,omitempty"`
}

// Fold returns d with no more than most of the claims that it ignores, and of
// the objects that others may adopt first. Where hundreds of controllers select
// the same objects, each Decision holds all of them. Counts stay whole.
func (d *Decision) Fold(most int) *Decision {
	f := folding{most: most, gone: map[string]string{}}
	for _, a := range d.Actions {
		if a.Contested() {
			f.contested(a.Object)
		}
	}
	short := *d
	short.Claims = f.claims(d.Claims)
	if f.folded == (Folded{}) {
		return d
	}
	counts := f.folded // what is left out must not stay with them
	short.Folded = &counts
	if f.folded.Contested == 0 {
		return &short
	}
	short.Actions = kept(d.Actions, func(a Action) bool { return !f.left(a.Object) })
	short.Updates = kept(d.Updates, func(u Update) bool { return !f.left(u.Object) })
	short.Expectations.After = f.expectation(d.Expectations.After)
	short.Ranking, short.MoreRankings = nil, nil // one with gaps is no order
	return &short
}

// folding is what is left out of one Decision.
type folding struct {
	most, adopted, ignored int
	// gone are the kinds of objects by namespace/name, as expectations name them.
	gone   map[string]string
	folded Folded
}

//go:noinline
func keyOf(r Ref) string { return r.Namespace + "/" + r.Name }

//go:noinline // it is called at many places
func (f *folding) left(r Ref) bool {
	kind, gone := f.gone[keyOf(r)]
	return gone && kind == r.Kind
}

func (f *folding) contested(r Ref) {
	if f.adopted++; f.adopted > f.most {
		f.gone[keyOf(r)] = r.Kind
		f.folded.Contested++
	}
}

func (f *folding) claims(all []Claim) []Claim {
	return kept(all, func(c Claim) bool {
		if c.Decision == Ignored {
			f.ignored++
		}
		if c.Decision == Ignored && f.ignored > f.most {
			f.folded.Ignored++
			return false
		}
		return !f.left(c.Object)
	})
}

func (f *folding) expectation(e *Expectation) *Expectation {
	if e == nil {
		return nil
	}
	short := *e
	stays := func(key string) bool { return f.gone[key] == "" }
	short.DeleteKeys, short.PossibleKeys = kept(e.DeleteKeys, stays), kept(e.PossibleKeys, stays)
	return &short
}

// kept is a copy, so that nothing holds what is left out.
func kept[T any](all []T, stays func(T) bool) []T {
	if all == nil {
		return nil
	}
	out := []T{}
	for _, one := range all {
		if stays(one) {
			out = append(out, one)
		}
	}
	return out
}
