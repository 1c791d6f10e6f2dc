// Package bundle answers: what does the cluster look like according to these
// files?
//
// Open reads any output of kubectl get -o yaml or -o json: single objects,
// lists, streams of documents, directories such as kubectl cluster-info dump
// writes. Whether such files are complete is unknown, and so is when they were
// made: the View is open, and its now is the newest timestamp in it.
//
// Write makes a bundle, which knows both. It is a stream of YAML documents, or
// one JSON List of the same items. The first is the header:
//
//	apiVersion: kubectl-ctrl.github.io/v1alpha2
//	kind: Bundle
//	capturedAt: "2026-11-01T12:00:00Z"   # RFC 3339, to the nanosecond
//	serverVersion: v1.37.1
//	emulatedVersion: v1.35               # if the server behaves as another one
//	toolVersion: v0.1.0                  # of the writer
//	redacted: true
//	objects: 12                          # that follow; fewer are a file cut short
//	notes:                               # remarks of the source it was made from
//	- code: ClockSkew
//	  message: ...
//	reads:                               # every need that was tried
//	- apiVersion: apps/v1
//	  kind: ReplicaSet
//	  resource: replicasets
//	  namespace: shop
//	  name: web                          # or selector, and fields
//	  detail: full                       # or metadata
//	- apiVersion: v1
//	  kind: ResourceQuota
//	  resource: resourcequotas
//	  namespace: shop
//	  detail: full
//	  reason: Forbidden                  # the API's reason, if it gave one
//	  error: 'resourcequotas in namespace shop: forbidden for this user (list)'
//
// Each further document is an object that a successful read covers, ordered by
// kind, namespace and name. An object of which only metadata was read has no
// members but apiVersion, kind and metadata; a whole object always has more.
//
// Unless asked otherwise, Write leaves out managedFields and the annotation of
// kubectl apply, and replaces what package redact says may be a secret.
package bundle
