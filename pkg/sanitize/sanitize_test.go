package sanitize

import (
	"encoding/json"
	"testing"
	"unicode"

	"sigs.k8s.io/yaml"
)

func TestEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"plain – ünicode 日本 ✓ 🙂": "plain – ünicode 日本 ✓ 🙂",
		"\x1b[2J":                `\u001b[2J`,
		"a\u202eb":               `a\u202eb`,
		"\u009b31m\x7f":          `\u009b31m\u007f`,
		"one\ntwo\tthree\r":      "one\ntwo" + `\u0009three\u000d`,
		"a\u2028b":               `a\u2028b`,
		"we\u200bb":              `we\u200bb`,
		"web\U000e0041":          `web\U000e0041`,
		"👩\u200d🚀":               `👩\u200d🚀`,
		"":                       "",
		"\x1b":                   `\u001b`,
		"\n\x1b\n":               "\n" + `\u001b` + "\n",
		"a\x9b31m":               "a\ufffd31m",
		"\ufffd\xff\x1b":         "\ufffd\ufffd" + `\u001b`,
	} {
		if got := Escaped(text, "\n"); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// ignorable are the code points of Default_Ignorable_Code_Point in Unicode's
// DerivedCoreProperties.txt, and what else is never shown.
var ignorable = [][2]rune{
	{0x00AD, 0x00AD}, {0x034F, 0x034F}, {0x061C, 0x061C}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},
	{0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F},
	{0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
	{0x1FFFE, 0x1FFFF}, {0xE0000, 0xE0FFF}, {0x10FFFE, 0x10FFFF},
}

func TestInvisibleIsEscaped(t *testing.T) {
	for _, span := range ignorable {
		for r := span[0]; r <= span[1]; r++ {
			if !isUnsafe(r) {
				t.Errorf("%U is taken for visible", r)
			}
		}
	}
}

// What people write has no escapes.
func TestVisibleIsKept(t *testing.T) {
	for r := rune(0xa0); r <= unicode.MaxRune; r++ {
		if isUnsafe(r) && unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) {
			t.Errorf("%U is taken for invisible", r)
		}
	}
}

// Escapes are valid where they are written, and read back to the same text.
func TestEscapesReadBack(t *testing.T) {
	for r := rune(0x7f); r <= unicode.MaxRune; r++ {
		if !isUnsafe(r) || 0xE0100 < r && r < 0xE0FF0 {
			continue
		}
		text := "a" + string(r) + "b"
		var fromJSON, fromYAML string
		if err := json.Unmarshal([]byte(`"`+EscapedJSON(text, "")+`"`), &fromJSON); err != nil || fromJSON != text {
			t.Errorf("%U as JSON is %q, %v", r, fromJSON, err)
		}
		if err := yaml.Unmarshal([]byte(`"`+Escaped(text, "")+`"`), &fromYAML); err != nil || fromYAML != text {
			t.Errorf("%U as YAML is %q, %v", r, fromYAML, err)
		}
	}
}
