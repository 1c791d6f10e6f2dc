// Package admission answers, for tests: does package admission say of Pods,
// LimitRanges and ResourceQuotas what the API server's own code says?
//
// An oracle started with the argument "admission" creates the same object until
// upstream's defaults, validation, LimitRanger or quota evaluator refuse it
// (driver/admission). Cases are drawn by seed.
package admission
