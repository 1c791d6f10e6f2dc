package test

import (
	"os"
	"runtime"
	"strconv"
	"testing"
)

// determined are questions whose answers choose among equals, look at many objects
// side by side, or let several controllers act.
var determined = []string{
	"kubectl ctrl explain rs/web-7b46c4b544 --from docs/examples/shop.yaml -o json",
	"kubectl ctrl explain -A --from docs/examples/trouble.yaml -o json",
	"kubectl ctrl plan rs/api --replicas 2 --until-stable --from docs/examples/tied.yaml -o json",
	"kubectl ctrl plan deploy/web --image nginx=nginx:1.28 --until-stable --watch-lag 500ms --from docs/examples/shop.yaml -o json",
	"kubectl ctrl plan clone/cart --partition 0 --until-stable --from docs/examples/cart.yaml",
	"kubectl ctrl orphans -A --from docs/examples/trouble.yaml -o json",
}

// TestSameBytes: the same question has the same answer to the byte, on one processor
// and on sixteen. DETERMINISM_RUNS says how often each is asked; make determinism does
// so a hundred times.
func TestSameBytes(t *testing.T) {
	runs := 2
	if text := os.Getenv("DETERMINISM_RUNS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("DETERMINISM_RUNS=%s: want a number of 1 or more", text)
		}
		runs = n
	}
	t.Chdir("..")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, command := range determined {
		first := run(command)
		if len(first) < 500 {
			t.Errorf("%s: too short an answer to tell anything:\n%s", command, first)
		}
		for _, processors := range []int{1, 16} {
			runtime.GOMAXPROCS(processors)
			for n := range runs {
				if again := run(command); again != first {
					t.Fatalf("%s: run %d on %d processors differs:\n%s\nfrom:\n%s", command, n+1, processors, again, first)
				}
			}
		}
	}
}
