package toolkit_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func TestFitToLimit_GivesAsMuchAsGoesThroughWhole(t *testing.T) {
	parts := make([]string, 2000)
	for i := range parts {
		parts[i] = strings.Repeat("x", i%90)
	}
	text, err := toolkit.FitToLimit(len(parts), func(n int) any { return parts[:n] })
	var got []string
	if err != nil || len(text) > toolkit.MaxEncodedBytes || json.Unmarshal([]byte(text), &got) != nil {
		t.Fatalf("Fitted = %d bytes, %v, want JSON of at most %d", len(text), err, toolkit.MaxEncodedBytes)
	}
	if len(got) < 300 || len(text) < toolkit.MaxEncodedBytes/2 {
		t.Errorf("Fitted = %d parts in %d bytes, want about as many as fit", len(got), len(text))
	}
	if text, err = toolkit.FitToLimit(3, func(n int) any { return parts[:n] }); err != nil || text != `["","x","xx"]` {
		t.Errorf("Fitted of three = %s, %v, want all", text, err)
	}
}

func TestFitToLimit_OnePartThatIsTooLongIsLeftOut(t *testing.T) {
	long := []string{strings.Repeat("x", toolkit.MaxEncodedBytes+1)}
	if text, err := toolkit.FitToLimit(1, func(n int) any { return long[:n] }); err != nil || text != "[]" {
		t.Errorf("Fitted = %.20s, %v, want none", text, err)
	}
	var unsupported *json.UnsupportedValueError
	if _, err := toolkit.FitToLimit(1, func(int) any { return math.NaN() }); !errors.As(err, &unsupported) {
		t.Errorf("Fitted of what is no JSON = %v, want the error", err)
	}
}
