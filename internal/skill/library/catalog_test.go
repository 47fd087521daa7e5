package library_test

import (
	"fmt"
	"strings"
	"testing"
)

// A model with a large context window receives the descriptions of all skills in full; one with a
// small or unknown window receives them shortened.
func TestK18_TheCatalogueGrowsWithTheWindowOfTheModel(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("Compares funds by cost and risk, ", 30))
	skills := map[string]string{}
	for i := range 20 {
		skills[fmt.Sprintf("skill-%02d", i)] = "description: \"" + long + "\"\n---\nCompare.\n"
	}
	lib := newLibrary(t, skills)
	for window, whole := range map[int]int{0: 0, 128_000: 0, 1_000_000: 20} {
		if got := strings.Count(lib.Catalog(window), long); got != whole {
			t.Errorf("with a window of %d tokens %d descriptions are whole, want %d", window, got, whole)
		}
	}
}
