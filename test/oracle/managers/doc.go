// Package managers holds package manager's table against upstream's own descriptors
// and flags, which test/oracle/manager compiles.
package managers
