// Package inference answers: what may the real controller still wait to see,
// judging by what can be seen from outside?
//
// Its expectations live in its memory and can't be read. What it wrote can:
// pods carry the time of their creation and of the request to delete them,
// events tell of both and of refusals, its Lease tells since when its memory
// can hold anything, and the counts in status tell how far its cache had read
// when it wrote them. A watch delivers in order, so a status that counts what
// there is, written after the last write, has seen that write.
//
// The result is a verdict with its evidence, what is not known, and where to
// look next. Nothing is said to be satisfied that might not be.
package inference
