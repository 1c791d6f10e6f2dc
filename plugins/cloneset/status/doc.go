// Package status answers: what does a sync write into a CloneSet's status
// (cloneset_status.go of Kruise, v1.9.1)?
package status
