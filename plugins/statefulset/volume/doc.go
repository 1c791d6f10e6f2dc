// Package volume answers: which PersistentVolumeClaims belong to a Pod of a
// StatefulSet, and which owner references should they have (stateful_set_utils.go of
// Kubernetes, v1.37.1)?
//
//	claims.go  the claims of an ordinal, made from the templates
//	owners.go  their owner references, by persistentVolumeClaimRetentionPolicy
package volume
