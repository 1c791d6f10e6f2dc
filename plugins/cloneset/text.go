package cloneset

import (
	"fmt"
	"strings"
)

// join lists batches as 1+2+4.
func join(batches []int) string {
	text := make([]string, len(batches))
	for i, b := range batches {
		text[i] = fmt.Sprint(b)
	}
	return strings.Join(text, "+")
}

// withTag adds the tag that an image without one has.
func withTag(image string) string {
	if strings.Contains(image, ":") {
		return image
	}
	return image + ":latest"
}
