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
