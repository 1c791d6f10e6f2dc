package driver

import (
	"fmt"
	"reflect"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver/edge"
)

// uidTracking is the part of controller.UIDTrackingControllerExpectations
// that the driver uses. Versions before 1.28 have the same methods without
// a logger; loggerless adapts them.
type uidTracking interface {
	SetExpectations(logger logr.Logger, key string, add, del int) error
	ExpectDeletions(logger logr.Logger, key string, deletedKeys []string) error
	DeleteExpectations(logger logr.Logger, key string)
	GetUIDs(key string) sets.String
}

type uidTrackingNoLogger interface {
	SetExpectations(key string, add, del int) error
	ExpectDeletions(key string, deletedKeys []string) error
	DeleteExpectations(key string)
	GetUIDs(key string) sets.String
}

type loggerless struct{ uidTrackingNoLogger }

func (l loggerless) SetExpectations(_ logr.Logger, key string, add, del int) error {
	return l.uidTrackingNoLogger.SetExpectations(key, add, del)
}

func (l loggerless) ExpectDeletions(_ logr.Logger, key string, deletedKeys []string) error {
	return l.uidTrackingNoLogger.ExpectDeletions(key, deletedKeys)
}

func (l loggerless) DeleteExpectations(_ logr.Logger, key string) {
	l.uidTrackingNoLogger.DeleteExpectations(key)
}

// expectations reads and writes a controller's real expectations.
type expectations struct {
	tracking uidTracking
	// records holds *controller.ControlleeExpectations by key.
	records cache.Store
}

func newExpectations(rsc any) expectations {
	real := edge.Field(rsc, "expectations").Interface()
	inner := reflect.ValueOf(real).Elem().FieldByName("ControllerExpectationsInterface").Elem()
	return expectations{
		tracking: asUIDTracking(real),
		records:  inner.Elem().FieldByName("Store").Interface().(cache.Store),
	}
}

func asUIDTracking(real any) uidTracking {
	switch t := real.(type) {
	case uidTracking:
		return t
	case uidTrackingNoLogger:
		return loggerless{t}
	}
	panic(fmt.Sprintf("%T has other methods: adapt the driver to this version", real))
}

// reset makes the record for key what the request says, or no record.
func (e expectations) reset(key string, want *contract.Expectations, age time.Duration) error {
	logger := logr.Discard()
	e.tracking.DeleteExpectations(logger, key)
	if want == nil {
		return nil
	}
	// ExpectDeletions stores the key set; SetExpectations then overwrites the
	// counts, which the request may choose freely.
	if err := e.tracking.ExpectDeletions(logger, key, want.DeleteKeys); err != nil {
		return err
	}
	if err := e.tracking.SetExpectations(logger, key, int(want.Adds), int(want.Dels)); err != nil {
		return err
	}
	*e.timestamp(e.record(key)) = time.Now().Add(-age)
	return nil
}

// read returns the record for key, or nil if there is none.
func (e expectations) read(key string) *contract.Expectations {
	record := e.record(key)
	if record == nil {
		return nil
	}
	adds, dels := record.(interface{ GetExpectations() (int64, int64) }).GetExpectations()
	return &contract.Expectations{
		Adds:       adds,
		Dels:       dels,
		DeleteKeys: e.tracking.GetUIDs(key).List(),
		Age:        time.Since(*e.timestamp(record)).String(),
	}
}

func (e expectations) record(key string) any {
	record, _, _ := e.records.GetByKey(key)
	return record
}

func (e expectations) timestamp(record any) *time.Time {
	return edge.Field(record, "timestamp").Addr().Interface().(*time.Time)
}
