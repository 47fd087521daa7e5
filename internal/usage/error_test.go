package usage_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/nfa-cli/nfa/internal/usage"
)

func TestErrorf_SaysWhatFmtSaysAndIsFoundWithWhatItWraps(t *testing.T) {
	err := fmt.Errorf("reading it: %w", usage.Errorf("%s: %w", "a file", fs.ErrNotExist))
	if got, want := err.Error(), "reading it: a file: file does not exist"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	var mistake *usage.Error
	if !errors.As(err, &mistake) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%#v is no mistake, or not the one that it wraps", err)
	}
}
