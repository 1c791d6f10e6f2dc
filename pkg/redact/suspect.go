package redact

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of packed data: shorter base64 is a word, shorter hexadecimal digits
// are a hash, and longer data that is no text is no checksum.
const (
	minBase64   = 8
	minHex      = 24
	maxChecksum = 64 // bytes
)

// suspect reports whether text may hold an object, or a URL with a password.
func suspect(text string) bool { return serialized(text) || credentials(text) }

// credentials reports whether text holds a URL with a user, whose password may
// follow.
func credentials(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "://")
		if !found {
			return false
		}
		authority, _, _ := strings.Cut(rest, "/")
		if strings.Contains(authority, "@") {
			return true
		}
		text = rest
	}
}

// escapes are what starts or divides an object, and the percent sign, in URLs.
var escapes = []string{"%7b", "%5b", "%3c", "%0a", "%0d", "%25"}

// serialized reports whether text may be an object: JSON and YAML in flow style
// have brackets, XML has tags, other YAML has several lines, and each may be
// packed or be a part of the text, such as of a JSON Web Token.
func serialized(text string) bool {
	if strings.ContainsAny(text, "{[<\n\r") {
		return true
	}
	for word := range strings.FieldsFuncSeq(text, separates) {
		if packed(word) {
			return true
		}
	}
	if !strings.Contains(text, "%") {
		return false
	}
	lower := strings.ToLower(text)
	return slices.ContainsFunc(escapes, func(e string) bool { return strings.Contains(lower, e) })
}

// separates reports whether no base64 has the character, paddings apart.
func separates(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("+/-_", c)
}

// standard turns base64 for URLs into the standard one.
var standard = strings.NewReplacer("-", "+", "_", "/")

// packed reports whether a word is base64 or hexadecimal digits of an object, or
// of compressed data. Base64 of either has capitals, and names of objects have none.
func packed(word string) bool {
	word = strings.TrimPrefix(word, "0x")
	switch {
	case strings.Trim(word, "0123456789abcdefABCDEF") == "":
		data, err := hex.DecodeString(word)
		return err == nil && len(word) >= minHex && holds(data)
	case len(word) < minBase64 || strings.ToLower(word) == word:
		return false
	}
	data, err := base64.RawStdEncoding.DecodeString(standard.Replace(word))
	return err == nil && holds(data)
}

// holds reports whether data may be an object, packed or not.
func holds(data []byte) bool {
	if utf8.Valid(data) {
		return serialized(strings.TrimSpace(string(data)))
	}
	return len(data) > maxChecksum || compressed(data)
}

// compressed reports whether data starts as gzip, zlib, zstd or bzip2 do.
func compressed(data []byte) bool {
	for _, magic := range []string{"\x1f\x8b", "\x78\x01", "\x78\x5e", "\x78\x9c", "\x78\xda", "\x28\xb5\x2f\xfd", "BZh"} {
		if strings.HasPrefix(string(data), magic) {
			return true
		}
	}
	return false
}
