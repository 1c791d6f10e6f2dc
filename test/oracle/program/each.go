package program

import (
	"os"
	"strconv"
	"testing"
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
