// Package sanitize answers: may this text be shown on a terminal?
//
// Names, labels and messages come from whoever may write to the cluster. What
// moves a cursor, changes the terminal's state, or reorders or hides what is
// shown is written as an escape instead. So is what is not shown at all: two
// names that differ by it look the same.
package sanitize

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// firstSpecial is the first character behind ASCII and the C1 controls that may
// be unsafe: the soft hyphen. Most text ends below it.
const firstSpecial = '\u00ad'

// isUnsafe reports whether r is a control character, which line ends and tabs are
// as well, or breaks or reorders text, or is invisible. Invisible are the
// characters that Unicode lets programs ignore (Default_Ignorable_Code_Point),
// other format characters, and noncharacters.
func isUnsafe(r rune) bool {
	if r < firstSpecial {
		return unicode.IsControl(r)
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Noncharacter_Code_Point)
}

// Escaped writes unsafe characters, except those in keep, as Go and YAML do: \u
// and four hexadecimal digits, or \U and eight.
//
//go:noinline // it is called at many places
func Escaped(text, keep string) string { return escaped(text, keep, escape) }

// EscapedJSON is Escaped for JSON, which writes characters beyond U+FFFF as two
// surrogates. The data is the same.
func EscapedJSON(text, keep string) string { return escaped(text, keep, escapeJSON) }

// escaped copies what lies between such characters, as most text has none but
// line ends. Bytes that are no UTF-8 become U+FFFD: some terminals obey them.
func escaped(text, keep string, escape func(rune) string) string {
	changes := func(r rune) bool {
		return r == utf8.RuneError || isUnsafe(r) && !strings.ContainsRune(keep, r)
	}
	at := strings.IndexFunc(text, changes)
	if at < 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for ; at >= 0; at = strings.IndexFunc(text, changes) {
		b.WriteString(text[:at])
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError {
			b.WriteRune(r)
		} else {
			b.WriteString(escape(r))
		}
		text = text[at+size:]
	}
	b.WriteString(text)
	return b.String()
}

func escape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

func escapeJSON(r rune) string {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return escape(r)
}
