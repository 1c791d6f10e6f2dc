// Package picture draws what a terminal shows as an SVG.
package picture
