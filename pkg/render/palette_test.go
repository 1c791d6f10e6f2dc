package render

import (
	"math"
	"testing"
)

// TestTonesOnAnyBackground: WCAG asks for a contrast of 3 for what is told
// apart by more than its colour, and 4.5 for running text.
func TestTonesOnAnyBackground(t *testing.T) {
	for name, c := range map[string]struct {
		tone tone
		want float64
	}{"red": {red, 3.8}, "green": {green, 4.4}, "cyan": {cyan, 4.3}, "orange": {orange, 4.4}, "grey": {grey, 4.5}} {
		l := luminance(c.tone)
		if onBlack, onWhite := (l+0.05)/0.05, 1.05/(l+0.05); min(onBlack, onWhite) < c.want {
			t.Errorf("%s: contrast %.2f on black, %.2f on white, want %.1f", name, onBlack, onWhite, c.want)
		}
	}
}

// luminance is that of a tone of xterm's cube (16 to 231) or greys (from 232).
func luminance(t tone) float64 {
	if t >= 232 {
		return linear(8 + 10*(int(t)-232))
	}
	levels := []int{0, 95, 135, 175, 215, 255}
	i := int(t) - 16
	return 0.2126*linear(levels[i/36]) + 0.7152*linear(levels[i/6%6]) + 0.0722*linear(levels[i%6])
}

func linear(level int) float64 {
	c := float64(level) / 255
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}
