package render

// Options are how a person wants to see a Decision.
type Options struct {
	// Wide shows every criterion and the exact patches.
	Wide bool
	// All shows every row of what is otherwise folded to what decides.
	All bool
	// NoHeaders leaves the header of a list away, and what stands around its rows.
	NoHeaders bool
	// InOrder leaves the objects of a list in the order that the user asked for.
	InOrder bool
	// Colour marks verbs; it never carries meaning alone.
	Colour bool
	// Input are the flags by which the next command of ours reads the same files, empty for a
	// cluster.
	Input string
	// Width is the terminal's, 0 when the output is none.
	Width int
}
