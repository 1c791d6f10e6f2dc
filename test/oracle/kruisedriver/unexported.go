package kruisedriver

import (
	"fmt"
	"reflect"
	"unsafe"
)

// field returns the settable unexported field of the struct that object, a
// pointer, points to.
func field(object any, name string) reflect.Value {
	structure := reflect.ValueOf(object).Elem()
	f := structure.FieldByName(name)
	if !f.IsValid() {
		panic(fmt.Sprintf("%s has no field %s: adapt the driver to this version", structure.Type(), name))
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

func set(object any, name string, value any) {
	field(object, name).Set(reflect.ValueOf(value))
}
