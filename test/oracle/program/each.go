package program

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Setting is a number that an environment variable overrides.
func Setting(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// States is how many states a version takes: $ORACLE_STATES, such as 3000, or with
// other numbers for some versions 200000,1.36=1000000.
func States(t *testing.T, version string, otherwise int) int {
	t.Helper()
	n, err := statesOf(os.Getenv("ORACLE_STATES"), version, otherwise)
	if err != nil {
		t.Fatalf("ORACLE_STATES: %v", err)
	}
	return n
}

// Over reports whether a version has taken the time it may take, $ORACLE_MINUTES from
// now on; without them it never has. What was compared until then counts.
func Over(t *testing.T) func() bool {
	minutes := Setting(t, "ORACLE_MINUTES", 0)
	end := time.Now().Add(time.Duration(minutes) * time.Minute)
	return func() bool { return minutes > 0 && time.Now().After(end) }
}

func statesOf(text, version string, n int) (int, error) {
	if text == "" {
		return n, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		of, number, named := strings.Cut(part, "=")
		if !named {
			number = part
		}
		value, err := strconv.Atoi(number)
		if err != nil {
			return 0, err
		}
		if !named || of == version {
			n = value
		}
	}
	return n, nil
}

// Each runs a test on a fresh oracle of every version of a product. here leads
// to test/oracle. They run side by side.
func Each(t *testing.T, here, product string, test func(*testing.T, *Process, string)) {
	if testing.Short() {
		t.Skip("builds and runs upstream's controller")
	}
	versions, err := Versions(here, product)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			binary, err := Binary(here, Name(product, version))
			if err != nil {
				t.Fatal(err)
			}
			t.Parallel()
			p, err := Start(binary)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := p.Close(); err != nil {
					t.Error(err)
				}
			}()
			test(t, p, version)
		})
	}
}
