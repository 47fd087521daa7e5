package golden_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/golden"
)

// recorder is a testing.TB that records failures.
type recorder struct {
	testing.TB
	failures []string
}

func (j *recorder) Helper() {}

func (j *recorder) Errorf(format string, args ...any) {
	j.failures = append(j.failures, fmt.Sprintf(format, args...))
}

func (j *recorder) Fatalf(format string, args ...any) { j.Errorf(format, args...) }

func TestContains_NamesEachPartThatIsMissing(t *testing.T) {
	j := &recorder{TB: t}
	golden.Contains(j, "one two", "one", "three", "four")
	want := []string{"missing \"three\" in:\none two", "missing \"four\" in:\none two"}
	if !slices.Equal(j.failures, want) {
		t.Errorf("Holds says %q, want %q", j.failures, want)
	}
}

func TestNotContains_NamesEachPartThatIsThere(t *testing.T) {
	j := &recorder{TB: t}
	golden.NotContains(j, "one two", "one", "three", "two")
	want := []string{"unexpected \"one\" in:\none two", "unexpected \"two\" in:\none two"}
	if !slices.Equal(j.failures, want) {
		t.Errorf("Lacks says %q, want %q", j.failures, want)
	}
}

func TestCheckFile_IsWrittenOnlyWhereThatIsAskedFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "a.golden")
	j := &recorder{TB: t}
	golden.CheckFile(j, file, "drawn\n", false)
	if len(j.failures) == 0 || !strings.Contains(j.failures[0], "run with -update") {
		t.Errorf("without the file Golden says %q", j.failures)
	}
	j.failures = nil
	golden.CheckFile(j, file, "drawn\n", true)
	golden.CheckFile(j, file, "drawn\n", false)
	if len(j.failures) > 0 {
		t.Errorf("once written Golden says %q", j.failures)
	}
	golden.CheckFile(j, file, "drawn", false)
	if len(j.failures) != 1 || !strings.Contains(j.failures[0], file) {
		t.Errorf("of a byte too few Golden says %q", j.failures)
	}
	if written, err := os.ReadFile(file); string(written) != "drawn\n" || err != nil {
		t.Errorf("the file holds %q, %v, want what was written", written, err)
	}
}
