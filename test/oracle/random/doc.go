// Package random answers, for tests: where do the choices of a drawn state come
// from?
//
// A seed names a state, and draws it fast; rapid draws one for a property test,
// and can shrink it. Both favour small numbers alike.
package random
