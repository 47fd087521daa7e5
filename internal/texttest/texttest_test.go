package texttest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/texttest"
)

// judged is a test that writes down why it would fail.
type judged struct {
	testing.TB
	faults []string
}

func (j *judged) Helper() {}

func (j *judged) Errorf(format string, args ...any) {
	j.faults = append(j.faults, fmt.Sprintf(format, args...))
}

func (j *judged) Fatalf(format string, args ...any) { j.Errorf(format, args...) }

func TestHolds_NamesEachPartThatIsMissing(t *testing.T) {
	j := &judged{TB: t}
	texttest.Holds(j, "one two", "one", "three", "four")
	want := []string{"the text lacks \"three\":\none two", "the text lacks \"four\":\none two"}
	if !slices.Equal(j.faults, want) {
		t.Errorf("Holds says %q, want %q", j.faults, want)
	}
}

func TestLacks_NamesEachPartThatIsThere(t *testing.T) {
	j := &judged{TB: t}
	texttest.Lacks(j, "one two", "one", "three", "two")
	want := []string{"the text holds \"one\":\none two", "the text holds \"two\":\none two"}
	if !slices.Equal(j.faults, want) {
		t.Errorf("Lacks says %q, want %q", j.faults, want)
	}
}

func TestGolden_IsWrittenOnlyWhereThatIsAskedFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "a.golden")
	j := &judged{TB: t}
	texttest.Golden(j, file, "drawn\n", false)
	if len(j.faults) == 0 || !strings.Contains(j.faults[0], "write it with -update") {
		t.Errorf("without the file Golden says %q", j.faults)
	}
	j.faults = nil
	texttest.Golden(j, file, "drawn\n", true)
	texttest.Golden(j, file, "drawn\n", false)
	if len(j.faults) > 0 {
		t.Errorf("once written Golden says %q", j.faults)
	}
	texttest.Golden(j, file, "drawn", false)
	if len(j.faults) != 1 || !strings.Contains(j.faults[0], file) {
		t.Errorf("of a byte too few Golden says %q", j.faults)
	}
	if kept, err := os.ReadFile(file); string(kept) != "drawn\n" || err != nil {
		t.Errorf("the file holds %q, %v, want what was written", kept, err)
	}
}
