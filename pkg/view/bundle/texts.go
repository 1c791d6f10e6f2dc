package bundle

import "strings"

// textsOf are the entries of the first member of a name in compact JSON whose value
// is an object, as they are there, and as parts of raw. ok is false where some are
// no texts. They differ from the decoded ones where they need unquoting, or where
// another member has the name.
func textsOf(raw, name string) (found map[string]string, ok bool) {
	_, rest, ok := strings.Cut(raw, `"`+name+`":{`)
	if !ok {
		return nil, false
	}
	found = map[string]string{}
	for !strings.HasPrefix(rest, "}") {
		var key, value string
		rest = strings.TrimPrefix(rest, ",")
		if key, rest, ok = quoted(rest); !ok || !strings.HasPrefix(rest, ":") {
			return nil, false
		}
		if value, rest, ok = quoted(rest[len(":"):]); !ok {
			return nil, false
		}
		found[key] = value
	}
	return found, true
}

// textOf is the value of the first member of a name in compact JSON, if that is a
// text. See textsOf.
func textOf(raw, name string) (found string, ok bool) {
	_, rest, ok := strings.Cut(raw, `"`+name+`":`)
	if !ok {
		return "", false
	}
	found, _, ok = quoted(rest)
	return found, ok
}

// quoted is the text in quotes at the start of JSON, as it is there, and what comes
// after it.
func quoted(raw string) (text, rest string, ok bool) {
	if !strings.HasPrefix(raw, `"`) {
		return "", "", false
	}
	return strings.Cut(raw[len(`"`):], `"`)
}

// part is text as a part of raw, if raw has it.
func part(raw, text string) string {
	if i := strings.Index(raw, text); i >= 0 {
		return raw[i : i+len(text)]
	}
	return text
}
