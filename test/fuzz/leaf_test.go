package fuzz

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// leaf is one value of an object that is neither a list nor a map.
type leaf struct {
	owner object
	path  string
	value any
	// in is the map or the list that holds the value, under key or at index.
	in    any
	key   string
	index int
}

func (l leaf) set(value any) {
	switch in := l.in.(type) {
	case object:
		in[l.key] = value
	case []any:
		in[l.index] = value
	}
}

func (l leaf) String() string {
	metadata := l.owner["metadata"].(object)
	return fmt.Sprintf("%v/%v %s", l.owner["kind"], metadata["name"], l.path)
}

// identity are the leaves that say which object it is: another value makes
// another object.
var identity = []string{".apiVersion", ".kind", ".metadata.name", ".metadata.namespace"}

// leaves lists the leaves of an object in the order of their paths.
func leaves(owner object) []leaf {
	var out []leaf
	var walk func(value any, at leaf)
	walk = func(value any, at leaf) {
		switch v := value.(type) {
		case object:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k], leaf{owner: owner, path: at.path + "." + k, in: v, key: k})
			}
		case []any:
			for i := range v {
				walk(v[i], leaf{owner: owner, path: fmt.Sprintf("%s[%d]", at.path, i), in: v, index: i})
			}
		default:
			if at.value = value; !slices.Contains(identity, at.path) {
				out = append(out, at)
			}
		}
	}
	walk(owner, leaf{})
	return out
}

var (
	isTime    = regexp.MustCompile(`^\d{4}-\d\d-\d\dT`)
	isPercent = regexp.MustCompile(`^\d+%$`)
	isNumber  = regexp.MustCompile(`^\d+(,\d+)*[a-zA-Z]*$`)
	inJSON    = regexp.MustCompile(`:(\d+)\b`)
)

var (
	integers = []any{-1, 0, 1, math.MinInt32, math.MaxInt32, math.MinInt64, math.MaxInt64}
	percents = []any{"-1%", "0%", "1%", "101%", "2147483647%", "9999999999%", "-9223372036854775808%", "%", "0.5%", "NaN%", "Inf%"}
	times    = []any{
		"0001-01-01T00:00:00Z", "0001-01-02T00:00:00Z", "1677-09-21T00:12:43Z", "1970-01-01T00:00:00Z", "2026-11-01T12:00:00Z", "2026-11-01T12:00:05Z",
		"2262-04-11T23:47:17Z", "9999-12-31T23:59:59Z",
	}
	quantities = []any{"-1", "0", "1", "-9223372036854775808", "9223372036854775807", "99999999999999999999", "1e30", "1n", "0x5", "+4"}
	wrong      = []any{"", nil, "x", true, 1.5, []any{}, object{}}
	long       = strings.Repeat("9", 1<<14)
)

// extremes are what is put in the place of a value.
func extremes(value any) []any {
	text, isText := value.(string)
	switch {
	case isText && isTime.MatchString(text):
		return slices.Concat(times, []any{"", nil, 7})
	case isText && isPercent.MatchString(text):
		return slices.Concat(percents, integers, wrong, []any{long + "%"})
	case isText && isNumber.MatchString(text):
		return slices.Concat(quantities, []any{"", nil, "x", 7, long})
	case isText && strings.HasPrefix(text, "{"):
		return []any{
			"", "{}", "null", "[]", "{", inJSON.ReplaceAllString(text, ":-2147483648"), inJSON.ReplaceAllString(text, ":9223372036854775807"),
			strings.ReplaceAll(text, "2026-", "0001-"), strings.ReplaceAll(text, "2026-", "9999-"), strings.ReplaceAll(text, "2026-11-01T11", "2026-11-01T13"),
		}
	case isText:
		return []any{"", nil, 7, long}
	case value == true || value == false:
		return []any{value == false, nil, "true"}
	default:
		return slices.Concat(integers, wrong, []any{"-1%", "9999999999%"})
	}
}
