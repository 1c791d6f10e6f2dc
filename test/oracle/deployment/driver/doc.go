// Package driver runs upstream's DeploymentController on one state at a time
// and tells what one sync does. See ../README.md.
package driver
