package advice_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestDecisionJournal_HiddenAmountsStandInNoWordsOfTheUser(t *testing.T) {
	const canary = "77777"
	w := newJournalFixture(t)
	w.HideFromModel = true
	recorded, _ := w.mustCall(t, args{
		"action": "record", "decision": "buy", "symbol": "VTI", "thesis": "for 77,777 EUR, 12.5% of all", "disproof": "below 77 777 in sales", "benchmark": "BND", "review_on": "2024-06-29",
	})
	w.Now = toolstest.Clock(t, "2024-06-29T20:00:00Z")
	listed, _ := w.mustCall(t, args{})
	reviewed, _ := w.mustCall(t, args{"action": "review"})
	closed, _ := w.mustCall(t, args{"action": "close", "id": "d1", "outcome": "lost 77777"})
	together := strings.NewReplacer(" ", "", ",", "")
	for name, res := range map[string]tool.Result{"record": recorded, "list": listed, "review": reviewed, "close": closed} {
		if output := toolstest.ModelOutput(res); strings.Contains(together.Replace(output), canary) {
			t.Errorf("%s tells a model of %s:\n%s", name, canary, output)
		}
		if !strings.Contains(res.ModelText(), toolkit.AmountsHiddenNote) || !strings.Contains(together.Replace(res.UserText()), canary) {
			t.Errorf("%s does not say that amounts are hidden, or hides them from the user:\n%s", name, res.ModelText())
		}
	}
	toolstest.WantParts(t, "what a model reads", recorded.ModelText(), `"thesis":"for (hidden) EUR, 12.5% of all"`, `"price":"120"`)
}

// Texts of a user or a source stay in their cell.
func TestJournal_TextBreaksOutOfNoTable(t *testing.T) {
	w := newJournalFixture(t)
	hostile := "a | b\n\n# c\n| d |"
	res, _ := w.mustCall(t, buyArgs(args{"thesis": hostile, "disproof": hostile}))
	toolstest.WantParts(t, "decision", res.UserText(), `| thesis | a \| b # c \| d \| |`)
	for _, line := range w.Approvals[0].Plan {
		if len(line) == 0 || line[0] == '#' {
			t.Errorf("plan has the line %q", line)
		}
	}
}

// Every call of a model ends with a result, and saved data can be read again.
func FuzzJournalArguments(f *testing.F) {
	for _, raw := range []string{
		`{}`, `null`, `[]`, `{"action":"record","decision":"buy","symbols":["VTI","BND"],"thesis":"x","disproof":"y","benchmark":"none","price":1e-300,"confidence":1e9999}`,
		`{"action":"record","decision":"buy","symbol":"VTI","thesis":"x","disproof":"y","benchmark":"none","price":1e-999999999}`,
		`{"action":"record","decision":"sell","symbol":"VTI","thesis":"x","disproof":"y","benchmark":"BND","date":"0001-01-01"}`,
		`{"action":"record","decision":"hold","symbol":"VTI","thesis":"x","disproof":"y","benchmark":"BND","confidence":0.5,"review_on":"2025-01-01"}`,
		`{"action":"close","id":"d1","outcome":"z"}`, `{"action":"remove","id":"d1"}`, `{"action":"review","id":"d1"}`, `{"limit":1,"symbol":"vti"}`,
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		w := newJournalFixture(t)
		router := w.router(t)
		for _, raw := range []string{raw, raw, `{}`, `{"action":"review"}`} { // each call reads what the one before saved
			out, err := router.Call(t.Context(), llm.ToolCall{ID: "1", Name: "decision_journal", Arguments: raw})
			if err != nil || out.Result.Code == tool.CodeCrashed {
				t.Fatalf("decision_journal %s = %v, %s", raw, err, out.Result.ErrorText())
			}
			if text := out.Result.ModelText(); !out.Result.IsError && !json.Valid([]byte(text)) {
				t.Fatalf("decision_journal %s = %s, which is not JSON", raw, text)
			}
		}
	})
}
