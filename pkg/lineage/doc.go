// Package lineage answers: what does an object belong to, what belongs to it,
// and is what the references say so?
//
// References are checked as the garbage collector checks them
// (pkg/controller/garbagecollector/garbagecollector.go, v1.37.1), which also
// tells what it does with an object whose owners are gone or go.
package lineage
