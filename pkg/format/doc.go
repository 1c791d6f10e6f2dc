// Package format answers: how do a number, a list, an instant and a span of
// time read in a sentence or in a cell of a table?
package format
