// Package browser answers: do the pages that -o html writes look right in a
// real browser?
//
// It drives Chromium (Debian's package chromium) over a pipe, in the DevTools
// protocol, so that it needs no driver and no port. `make pages` runs it.
package browser
