package toolstest

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/tool"
)

// Figure returns the figure of a result with the ID.
func Figure(t testing.TB, res tool.Result, id string) tool.Figure {
	t.Helper()
	for _, f := range res.Figures {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("no figure %q among %d", id, len(res.Figures))
	return tool.Figure{}
}

// WantFigures checks that each figure of a result has a unique ID, a label, a unit and a source, and
// that it passes the additional checks.
func WantFigures(t testing.TB, res tool.Result, checks ...func(tool.Figure) bool) {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range res.Figures {
		ok := f.ID != "" && f.Label != "" && f.Unit != "" && f.Source != "" && !seen[f.ID]
		for _, check := range checks {
			ok = ok && check(f)
		}
		if !ok {
			t.Errorf("%s: figure %+v is incomplete or not unique", res.Title, f)
		}
		seen[f.ID] = true
	}
}

// HasDate reports whether a figure has an as-of date.
func HasDate(f tool.Figure) bool { return !f.AsOf.IsZero() }

// HasFormula reports whether a figure has a formula.
func HasFormula(f tool.Figure) bool { return f.Formula != "" }

// HasInputs reports whether a figure has inputs.
func HasInputs(f tool.Figure) bool { return len(f.Inputs) > 0 }

// WantFields checks the fields of an answer that are in want. Fractional numbers may differ by a
// millionth of their size: answers have every digit, and a test has those of its source.
func WantFields(t testing.TB, got, want map[string]any) {
	t.Helper()
	picked := map[string]any{}
	for k := range want {
		if v, ok := got[k]; ok {
			picked[k] = v
		}
	}
	if diff := cmp.Diff(want, picked, cmpopts.EquateApprox(1e-6, 1e-9)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

// WantError checks that a result is an error of the code and that its text has the part.
func WantError(t testing.TB, res tool.Result, code, part string) {
	t.Helper()
	if !res.IsError || res.Code != code || !strings.Contains(res.ErrorText(), part) {
		t.Errorf("result = %q, code %q, error %v; want an error of code %q with %q", res.ModelText(), res.Code, res.IsError, code, part)
	}
}

// WantInvalid checks that one of the tools rejects its arguments with a text that has the
// part.
func WantInvalid(t testing.TB, tools []tool.Tool, name string, in Args, part string) {
	t.Helper()
	WantError(t, Call(t, tools, name, in), tool.CodeValidation, part)
}

// WantNear checks that a number of an answer is want, to a millionth of it or of 1.
func WantNear(t testing.TB, name string, got any, want float64) {
	t.Helper()
	WantWithin(t, name, got, want, 1e-6*math.Max(1, math.Abs(want)))
}

// WantWithin checks that a number of an answer differs from want by at most tolerance.
func WantWithin(t testing.TB, name string, got any, want, tolerance float64) {
	t.Helper()
	if v, ok := got.(float64); !ok || !(math.Abs(v-want) <= tolerance) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// Warnings returns the warnings of an answer, one per line.
func Warnings(t testing.TB, answer map[string]any) string {
	t.Helper()
	return strings.Join(Strings(t, answer["warnings"]), "\n")
}

// WantParts checks that a text has all of the parts.
func WantParts(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %q:\n%s", what, part, text)
		}
	}
}
