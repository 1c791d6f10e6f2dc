package cli

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
)

// unserved adds to the error of kinds that the server has no API for what the
// user can do about it.
func unserved(p controller.Controller, err error) error {
	if p.Install == "" || !apierrors.IsNotFound(err) {
		return err
	}
	return fmt.Errorf("%w; %s", err, p.Install)
}
