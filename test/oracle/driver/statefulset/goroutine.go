package statefulset

import (
	"bytes"
	"runtime"
)

// goroutine is the number of the goroutine that calls: a stack begins with
// "goroutine 7 [running]".
func goroutine() string {
	buf := make([]byte, 64)
	fields := bytes.Fields(buf[:runtime.Stack(buf, false)])
	return string(fields[1])
}
