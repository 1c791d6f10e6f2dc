// Package events answers: when did what an Event tells of last happen, and how
// often?
//
// Writers of Events differ in the fields that they use: the recorder of
// client-go's tools/record counts in place, that of tools/events in a series.
package events
