// Package webhook answers: what do Kruise's webhooks make of a CloneSet that is
// stored (pkg/webhook/cloneset)?
//
//	defaults.go  what the mutating one sets; claims.go and pods.go for its templates
//	validate.go  what the validating one refuses
package webhook
