// Package html answers: how does an answer look as one page, to be attached to
// the report of an incident?
//
// The page needs nothing beside itself: no script, no network. It shows more
// than a terminal does, since it is read when the cluster has moved on. What
// comes from the cluster is text in it, whatever it says.
package html
