package bundle

// arenaChunk is how much an arena takes at a time.
const arenaChunk = 1 << 20

// arena keeps the JSON of many objects without the room between them.
type arena struct{ chunk []byte }

// keep copies valid JSON without the space between its tokens.
func (a *arena) keep(raw []byte) []byte {
	if cap(a.chunk)-len(a.chunk) < len(raw) {
		a.chunk = make([]byte, 0, max(arenaChunk, len(raw)))
	}
	start := len(a.chunk)
	a.chunk = compact(a.chunk, raw)
	return a.chunk[start:len(a.chunk):len(a.chunk)]
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
