package view

// Reading is a read that is under way.
type Reading struct {
	Need Need
	// Objects is how many have arrived. A server that sends lists whole keeps
	// it at 0 until the end.
	Objects int
}

// Reporter is a Source that can tell what a Load is waiting for.
type Reporter interface {
	// Reading lists the reads that are under way, in the order in which they
	// were begun. It may be called at any time, from anywhere.
	Reading() []Reading
}
