package main

import "os"

// resized is nil: Windows has no signal for it.
func resized() <-chan os.Signal { return nil }
