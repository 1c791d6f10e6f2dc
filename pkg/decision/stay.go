package decision

import (
	"maps"
	"slices"
	"sort"
)

// Stay is where the Pods are that a scale-down keeps.
type Stay struct {
	// Pods is how many Pods the scale-down keeps for certain, of those that the controller
	// chooses from. What updates them later is not in it, unless all rounds are.
	Pods int `json:"pods"`
	// Among is how many Pods the controller chooses from.
	Among int `json:"among"`
	// Others is how many Pods there are besides.
	Others int `json:"others,omitempty"`
	// Nodes are the nodes of the Pods that the controller chose from, those that keep the
	// most first.
	Nodes []Place `json:"nodes"`
	// Zones are the zones of these nodes; absent where not all are known.
	Zones []Place `json:"zones,omitempty"`
	// unplaced is how many Pods it chose from that are on no node.
	unplaced int
}

// Place is a node or a zone, with the Pods there.
type Place struct {
	// Name is the name of the node or zone.
	Name string `json:"name"`
	// Kept is how many Pods there are kept for certain.
	Kept int `json:"kept"`
	// Possible is how many Pods there are among those of which some are deleted.
	Possible int `json:"possible"`
	// Before is how many Pods there are before the scale-down.
	Before int `json:"before"`
}

// Staying says which Pods a scale-down keeps, and on which nodes; nil where that is not known,
// or rounds create Pods.
func (d *Decision) Staying() *Stay {
	if d.Timeline != nil && d.Timeline.Totals.Create > 0 {
		return nil
	}
	orders := slices.Clone(d.MoreRankings)
	orders = append(orders, d.Ranking)
	for _, e := range d.Follows {
		orders = append(orders, e.Ranking)
	}
	nodes, fates := map[string]*Place{}, d.fates()
	for pod, node := range d.Placed {
		at(nodes, node).count(fates.staying(Ref{Kind: podKind, Namespace: d.Target.Namespace, Name: pod}))
	}
	for _, o := range orders {
		if o == nil {
			continue
		}
		for _, r := range o.Rows {
			f := r.End()
			if d.Timeline != nil {
				f = fates.staying(r.Object)
			}
			at(nodes, r.Node).count(f)
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	s := &Stay{}
	for _, p := range nodes {
		s.Pods, s.Among = s.Pods+p.Kept, s.Among+p.Before
	}
	if none := nodes[""]; none != nil {
		s.unplaced = none.Before
		delete(nodes, "")
	}
	s.Nodes = places(nodes)
	return s
}

// staying is the fate of a Pod as far as the rounds come: what they, or a sync that deletes none,
// wait for may not happen.
func (f *fates) staying(pod Ref) Fate {
	fate := f.of(pod).Fate
	_, waits := f.d.DeletionHeld[pod.Name]
	switch {
	case !waits || fate != Doomed:
		return fate
	case f.d.Timeline == nil:
		waits = len(f.atOnce) == 0
	default:
		done, _ := f.onRounds(pod)
		waits = done != Doomed
	}
	if waits {
		return AtRisk
	}
	return fate
}

// In groups the nodes by their zones, if all Pods that there are were chosen from, and the
// zones of all their nodes are known.
func (s *Stay) In(zoneOf map[string]string, pods int) {
	zones, seen := map[string]*Place{}, s.unplaced
	for _, n := range s.Nodes {
		zone := zoneOf[n.Name]
		if zone == "" {
			return
		}
		z := at(zones, zone)
		z.Kept, z.Possible, z.Before = z.Kept+n.Kept, z.Possible+n.Possible, z.Before+n.Before
		seen += n.Before
	}
	if seen >= pods {
		s.Zones = places(zones)
	}
}

// Emptied are the zones that lose all their Pods, or may, while another one keeps several.
func (s *Stay) Emptied() (all []Place) {
	if slices.ContainsFunc(s.Zones, func(p Place) bool { return p.Kept > 1 }) {
		for _, p := range s.Zones {
			if p.Kept == 0 {
				all = append(all, p)
			}
		}
	}
	return all
}

func (p *Place) count(f Fate) {
	p.Before++
	switch f {
	case Safe:
		p.Kept++
	case AtRisk:
		p.Possible++
	}
}

func at(all map[string]*Place, name string) *Place {
	if all[name] == nil {
		all[name] = &Place{Name: name}
	}
	return all[name]
}

func places(all map[string]*Place) []Place {
	out := make([]Place, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, *all[name])
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Kept > out[j].Kept })
	return out
}
