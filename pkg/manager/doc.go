// Package manager answers: which controllers does a controller manager have, which
// of them does it start, with which settings, and how is each of these known?
package manager
