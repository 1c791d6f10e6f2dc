// Package schema answers: which fields have the documents that the program prints?
//
// It reads the Go types of the documents and their comments, and writes both as a
// JSON Schema and as tables. A field, a type or a value without a comment is an error.
package schema
