// Package render answers: how does a Decision look, to a person and to a program?
//
// It reads Decisions and nothing else, and it is the only package that knows
// of tables and colours. Sentences come with the Decision; what is made here
// is their arrangement.
package render
