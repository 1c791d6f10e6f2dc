// Package view answers: what does the cluster look like at one instant, and
// what of it could not be read?
//
// A View is an immutable, indexed set of objects with its own now. It is
// filled live (package live), from files (package bundle), or by laying
// changed objects over another View; nothing downstream knows which.
//
// Deciders read a View through a Reader. The Reader notes every Need that the
// View does not cover yet, so that the question itself decides what is read:
// decide, load what was missing, decide again, until nothing is missing.
package view
