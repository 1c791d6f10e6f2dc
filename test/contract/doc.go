// Package contract holds the commands to what a controller need not offer: two
// that were added by one line each go through every verb.
package contract
