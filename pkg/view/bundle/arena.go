package bundle

import "strings"

// arenaChunk is how much an arena takes at a time.
const arenaChunk = 1 << 20

// arena keeps the JSON of many objects without the room between them.
type arena struct {
	chunk   *strings.Builder
	scratch []byte
}

// keep copies valid JSON without the space between its tokens.
func (a *arena) keep(raw []byte) string {
	a.scratch = compact(a.scratch[:0], raw)
	if a.chunk == nil || a.chunk.Cap()-a.chunk.Len() < len(a.scratch) {
		a.chunk = &strings.Builder{}
		a.chunk.Grow(max(arenaChunk, len(a.scratch)))
	}
	start := a.chunk.Len()
	a.chunk.Write(a.scratch)
	return a.chunk.String()[start:]
}

// compact appends valid JSON without the space between its tokens.
func compact(to, raw []byte) []byte {
	quoted := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			to = append(to, c)
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			continue
		}
		to = append(to, raw[i])
	}
	return to
}
