package kruisedriver

import (
	"fmt"
	"time"

	"github.com/openkruise/kruise/pkg/util/expectations"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

const (
	// defaultExpectationTimeout is that of the flag expectation-timeout.
	defaultExpectationTimeout = 5 * time.Minute
	// defaultServerVersion is new enough for the subresource resize.
	defaultServerVersion = "v1.36.3"
)

// applyFlags sets what kruise-manager's arguments, and its first call to the
// API server, would have set.
func (up Upstream) applyFlags(flags contract.Flags) (err error) {
	timeout := defaultExpectationTimeout
	if flags.ExpectationTimeout != "" {
		if timeout, err = time.ParseDuration(flags.ExpectationTimeout); err != nil {
			return fmt.Errorf("expectationTimeout: %w", err)
		}
	}
	expectations.ExpectationTimeout = timeout
	scalingExcludePreparingDelete = flags.ScalingExcludePreparingDelete
	if up.SetServerVersion == nil {
		return nil
	}
	version := flags.ServerVersion
	if version == "" {
		version = defaultServerVersion
	}
	up.SetServerVersion(version)
	return nil
}
