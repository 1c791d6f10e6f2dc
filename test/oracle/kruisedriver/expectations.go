package kruisedriver

import (
	"fmt"
	"reflect"
	"sort"
	"time"
	"unsafe"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/openkruise/kruise/pkg/controller/cloneset/utils"
	"github.com/openkruise/kruise/pkg/util/expectations"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// firstUnsatisfied is the field, of both packages' records, of the time at
// which a check first found the expectation unsatisfied.
const firstUnsatisfied = "firstUnsatisfiedTimestamp"

// primeExpectations replaces the controller's expectations by those wanted.
func primeExpectations(key string, wanted *contract.Expectations) error {
	utils.ScaleExpectations = expectations.NewScaleExpectations()
	utils.ResourceVersionExpectations = expectations.NewResourceVersionExpectation()
	if wanted == nil {
		return nil
	}
	if err := primeScale(key, wanted.Scale); err != nil {
		return fmt.Errorf("scale expectations: %w", err)
	}
	for _, e := range wanted.ResourceVersions {
		if err := primeVersion(e); err != nil {
			return fmt.Errorf("resource version expectations: %w", err)
		}
	}
	return nil
}

func primeScale(key string, wanted *contract.ScaleExpectations) error {
	if wanted == nil {
		return nil
	}
	for _, name := range wanted.Create {
		utils.ScaleExpectations.ExpectScale(key, expectations.Create, name)
	}
	for _, name := range wanted.Delete {
		utils.ScaleExpectations.ExpectScale(key, expectations.Delete, name)
	}
	return setUnsatisfied(scaleRecord(key), wanted.UnsatisfiedFor)
}

func primeVersion(wanted contract.ResourceVersionExpectation) error {
	uid := types.UID(wanted.UID)
	utils.ResourceVersionExpectations.Expect(&metav1.ObjectMeta{UID: uid, ResourceVersion: wanted.Version})
	return setUnsatisfied(versionRecords().MapIndex(reflect.ValueOf(uid)), wanted.UnsatisfiedFor)
}

// scaleRecord is a *realControllerScaleExpectations, or the zero Value.
func scaleRecord(key string) reflect.Value {
	return field(utils.ScaleExpectations, "controllerCache").MapIndex(reflect.ValueOf(key))
}

// versionRecords is a map[types.UID]*objectCacheVersions.
func versionRecords() reflect.Value {
	return field(utils.ResourceVersionExpectations, "objectVersions")
}

func setUnsatisfied(record reflect.Value, age string) error {
	if age == "" {
		return nil
	}
	if !record.IsValid() {
		return fmt.Errorf("unsatisfiedFor %q, but nothing is expected", age)
	}
	d, err := time.ParseDuration(age)
	if err != nil {
		return err
	}
	*recordField[time.Time](record, firstUnsatisfied) = time.Now().Add(-d)
	return nil
}

func unsatisfiedFor(record reflect.Value) string {
	first := *recordField[time.Time](record, firstUnsatisfied)
	if first.IsZero() {
		return ""
	}
	return time.Since(first).String()
}

// recordField points to the unexported field of the struct record points to.
func recordField[T any](record reflect.Value, name string) *T {
	f := record.Elem().FieldByName(name)
	if !f.IsValid() || f.Type() != reflect.TypeFor[T]() {
		panic(fmt.Sprintf("%s has no such field %s: adapt the driver to this version", record.Type(), name))
	}
	return (*T)(unsafe.Pointer(f.UnsafeAddr()))
}

// readExpectations is nil if nothing is expected.
func readExpectations(key string) *contract.Expectations {
	seen := contract.Expectations{Scale: readScale(key)}
	records := versionRecords()
	for _, uid := range records.MapKeys() {
		record := records.MapIndex(uid)
		seen.ResourceVersions = append(seen.ResourceVersions, contract.ResourceVersionExpectation{
			UID:            uid.String(),
			Version:        *recordField[string](record, "version"),
			UnsatisfiedFor: unsatisfiedFor(record),
		})
	}
	sort.Slice(seen.ResourceVersions, func(i, j int) bool { return seen.ResourceVersions[i].UID < seen.ResourceVersions[j].UID })
	if seen.Scale == nil && seen.ResourceVersions == nil {
		return nil
	}
	return &seen
}

func readScale(key string) *contract.ScaleExpectations {
	record := scaleRecord(key)
	if !record.IsValid() {
		return nil
	}
	names := utils.ScaleExpectations.GetExpectations(key)
	return &contract.ScaleExpectations{
		Create:         names[expectations.Create].List(),
		Delete:         names[expectations.Delete].List(),
		UnsatisfiedFor: unsatisfiedFor(record),
	}
}
