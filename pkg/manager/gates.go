package manager

// SetGate is a feature gate as it is set.
type SetGate struct {
	Gate
	Source Source
	// By says which other gate sets it; empty for none.
	By string
}

// gatesOf are the feature gates that are read here in a minor, as they are set, by name.
func (p Program) gatesOf(minor int, a Arguments) map[string]SetGate {
	gates := map[string]SetGate{}
	add := func(all []Gate) {
		for _, g := range all {
			if _, known := gates[g.Name]; !known {
				set := SetGate{Gate: g}
				set.On, set.Source = a.gate(g)
				gates[g.Name] = set
			}
		}
	}
	for _, c := range p.In(minor) {
		add(c.Gates)
		add(c.AnyGate)
	}
	implied := p.impliedIn(minor)
	for _, i := range implied {
		add(i.When)
	}
	for _, i := range implied {
		i.apply(gates)
	}
	return gates
}

func (p Program) impliedIn(minor int) (all []Implied) {
	for _, i := range p.Implied {
		if i.Since <= minor && minor <= i.Until {
			all = append(all, i)
		}
	}
	return all
}

// Imply sets what follows from some gates of a minor: others are left out.
func (p Program) Imply(minor int, on map[string]bool) {
	gates := map[string]SetGate{}
	for name := range on {
		gates[name] = SetGate{Gate: Gate{Name: name, On: on[name]}}
	}
	for _, i := range p.impliedIn(minor) {
		i.apply(gates)
	}
	for name, g := range gates {
		on[name] = g.On
	}
}

// apply sets what follows from the gates.
func (i Implied) apply(gates map[string]SetGate) {
	for _, w := range i.When {
		cause, read := gates[w.Name]
		if !read || cause.On != i.On {
			continue
		}
		for _, name := range i.Then {
			if g, read := gates[name]; read && g.On != i.Set {
				g.On, g.Source, g.By = i.Set, cause.Source, w.Name+" is "+onOff(i.On)
				gates[name] = g
			}
		}
		return
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// as returns gates as they are set, those of an older release where that knows them.
func as(all []Gate, set, older map[string]SetGate) (out []SetGate) {
	for _, g := range all {
		now, known := older[g.Name]
		if !known {
			now = set[g.Name]
		}
		now.InStart = g.InStart
		out = append(out, now)
	}
	return out
}
