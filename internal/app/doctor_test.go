package app_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

func checkTime() time.Time { return time.Date(2026, time.November, 18, 15, 0, 0, 0, time.UTC) }

// wantFinding checks that an area has one finding whose message contains text, with that status, and returns
// it.
func wantFinding(t *testing.T, found []app.Finding, area string, status app.FindingStatus, text string) app.Finding {
	t.Helper()
	var of []app.Finding
	for _, f := range found {
		if f.Area == area && strings.Contains(f.Message, text) {
			of = append(of, f)
		}
	}
	if len(of) != 1 || of[0].Status != status {
		t.Fatalf("of %s with %q there is %+v among %+v, want one that is %s", area, text, of, found, status)
	}
	return of[0]
}

func TestWriteFindings_OneLineEachAndItsFixBelow(t *testing.T) {
	var out strings.Builder
	err := app.WriteFindings(&out, []app.Finding{
		{Area: "home", Status: app.StatusOK, Message: "/h"},
		{Area: "model", Status: app.StatusNote, Message: "none", Fix: "connect one"},
		{Area: "portfolio", Status: app.StatusProblem, Message: "torn\n\x1b[31m! home ok"},
	})
	want := "+ home       /h\n~ model      none\n             connect one\n! portfolio  torn"
	if err != nil || !strings.HasPrefix(out.String(), want) || strings.Count(out.String(), "\n") != 4 || strings.Contains(out.String(), "\x1b") {
		t.Errorf("Print writes %q, %v, want %q and nothing that poses as a line", out.String(), err, want)
	}
	broken := errors.New("broken pipe")
	if err := app.WriteFindings(writerFunc(func([]byte) (int, error) { return 0, broken }), nil); !errors.Is(err, broken) {
		t.Errorf("Print = %v, want what the writer says", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }

func TestFinding_AsJSONHasWhatItHasAndNoMore(t *testing.T) {
	got, err := json.Marshal([]app.Finding{
		{Area: "home", Status: app.StatusOK, Message: "/h"},
		{Area: "sources", Status: app.StatusNote, Message: "late", Fix: "wait", Probe: &feed.ProbeResult{Source: "ecb"}},
	})
	want := `[{"area":"home","status":"ok","message":"/h"},{"area":"sources","status":"note","message":"late","mend":"wait","probe":{"source":"ecb","answers":false,"ms":0}}]`
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestHasProblems_IsAProblemAndNothingLess(t *testing.T) {
	found := []app.Finding{{Status: app.StatusOK}, {Status: app.StatusNote}}
	if app.HasProblems(found) || !app.HasProblems(append(found, app.Finding{Status: app.StatusProblem})) {
		t.Error("Failed goes by something else than problems")
	}
}
