// Package rules holds every rule of the CloneSet controller: its ID, title, text,
// upstream source, and the sentence that its facts make. The files are in the order
// of a sync: gate, scale, rank, update, budget, reasons, status.
package rules
