// Package selectorindex answers: which of many selectors match an object, and
// which of them could match the same one?
//
// Both answers come from indexes: labels are looked up by the rarest term of
// each selector, and pairs are compared only where no common key keeps them
// apart.
package selectorindex
