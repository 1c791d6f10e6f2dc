package edge

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Field gives settable access to a possibly unexported field of the struct
// that ptr points to. A missing field is an upstream change the oracle must
// not paper over, so it panics.
func Field(ptr any, name string) reflect.Value {
	f := reflect.ValueOf(ptr).Elem().FieldByName(name)
	if !f.IsValid() {
		panic(fmt.Sprintf("%T has no field %s: adapt the driver to this version", ptr, name))
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// HasField reports whether this version's struct has the field at all.
func HasField(ptr any, name string) bool {
	return reflect.ValueOf(ptr).Elem().FieldByName(name).IsValid()
}

// methodValue is how the compiler lays out a bound method such as
// rsc.syncReplicaSet: the code, then the receiver.
type methodValue struct {
	_        uintptr
	receiver unsafe.Pointer
}

// BoundReceiver returns the object that the method value in a func field is
// bound to, as the same pointer type as ptr. NewReplicationManager copies the
// struct that NewBaseController returned, while its syncHandler stays bound to
// the original; only the original's fields matter to a sync.
func BoundReceiver(ptr any, funcField string) any {
	f := Field(ptr, funcField)
	mv := *(**methodValue)(unsafe.Pointer(f.UnsafeAddr()))
	return reflect.NewAt(reflect.TypeOf(ptr).Elem(), mv.receiver).Interface()
}
