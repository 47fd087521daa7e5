package humanize_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/humanize"
)

func TestErrorText_IsShortened(t *testing.T) {
	if got := humanize.ErrorText(errors.New("no such file")); got != "no such file" {
		t.Errorf("ErrorText = %q", got)
	}
	if got := humanize.ErrorText(errors.New(strings.Repeat("é", 10_000))); len(got) > 9000 || !strings.HasSuffix(got, "é…") {
		t.Errorf("ErrorText has %d bytes and ends with %q", len(got), got[len(got)-10:])
	}
}
