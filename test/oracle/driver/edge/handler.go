package edge

import (
	"fmt"
	"reflect"
	"unsafe"

	"k8s.io/client-go/tools/cache"
)

// handler is a cache.ResourceEventHandler. OnAdd has another parameter since
// 1.27, and the way to register a handler has changed as well, so both are
// reached by reflection.
type handler struct{ real reflect.Value }

// handlerOf is the one handler that a controller registered with an informer
// that is never started.
func handlerOf(informer cache.SharedIndexInformer) handler {
	processor := Field(informer, "processor").Interface()
	listeners := Field(processor, "listeners")
	var all []reflect.Value
	if listeners.Kind() == reflect.Map {
		all = listeners.MapKeys()
	} else {
		for i := range listeners.Len() {
			all = append(all, listeners.Index(i))
		}
	}
	if len(all) != 1 {
		panic(fmt.Sprintf("%d handlers are registered, not one: adapt the driver to this version", len(all)))
	}
	f := all[0].Elem().FieldByName("handler")
	return handler{reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Elem()}
}

// call calls a method with these arguments, and with zero for any that follow.
func (h handler) call(method string, args ...any) {
	m := h.real.MethodByName(method)
	in := make([]reflect.Value, m.Type().NumIn())
	for i := range in {
		if in[i] = reflect.Zero(m.Type().In(i)); i < len(args) {
			in[i] = reflect.ValueOf(args[i])
		}
	}
	m.Call(in)
}
