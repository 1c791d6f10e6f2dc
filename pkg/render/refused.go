package render

// refusals writes why a change would not be stored, which is all there is to
// say about it.
func (p *page) refusals() {
	if len(p.d.Refused) > 1 {
		p.WriteByte('\n')
		for _, why := range p.d.Refused {
			p.below("  ", clean(why))
		}
	}
	p.WriteByte('\n')
	p.changes()
	if p.d.Manifest != "" {
		p.note("MANIFEST", p.d.Manifest)
	}
	p.modelled(p.d.Modelled, p.d.AsOf)
}
