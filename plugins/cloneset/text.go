package cloneset

import (
	"fmt"
	"strings"
)

func list(names []string) string { return strings.Join(names, ", ") }

// join lists batches as 1+2+4.
func join(batches []int) string {
	text := make([]string, len(batches))
	for i, b := range batches {
		text[i] = fmt.Sprint(b)
	}
	return strings.Join(text, "+")
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// withTag adds the tag that an image without one has.
func withTag(image string) string {
	if strings.Contains(image, ":") {
		return image
	}
	return image + ":latest"
}
