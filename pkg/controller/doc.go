// Package controller is the contract of a modelled controller: what it has to
// offer, what it may offer, and what is made of that for all of them alike.
package controller
