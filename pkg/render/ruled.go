package render

// ruleID is the ID of a rule where IDs are shown: in wide output. Programs always get it.
//
//go:noinline
func (p *page) ruleID(id string) string {
	if !p.Wide {
		return ""
	}
	return id
}

// ruled is a text with the ID of its rule, where IDs are shown.
//
//go:noinline // a call is shorter than what it does
func (p *page) ruled(text, id string) string {
	if id = p.ruleID(id); id == "" {
		return text
	}
	return text + " [" + id + "]"
}
