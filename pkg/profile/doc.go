// Package profile answers: which controller, at which version and with which
// feature gates, is being modelled, and how was each of these learned?
package profile
