package advice_test

import (
	"encoding/json"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Every call of a model ends with a result, and saved data can be read again.
func FuzzArguments(f *testing.F) {
	for _, raw := range []string{
		`{}`, `null`, `[]`, `{"action":"answer","answers":{"horizon":"10 years","income":1e400}}`, `{"action":"answer","answers":{"objectives":["home",5,null]}}`,
		`{"action":"clear","ids":[""]}`, `{"action":"questions","count":9223372036854775807}`, `{"action":"add","symbol":"VTI","above":1e999999999,"below":1e-999999999}`,
		`{"action":"add","symbol":"VTI","note":"a|b\n# c"}`, `{"action":"remove","symbol":"\u0000"}`,
		`{"symbol":"vti"}`, `{"action":"remove","symbol":"VTI","target":"above"}`,
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		w := newProfileFixture(t)
		router := w.router(t, tool.Once)
		for _, name := range []string{"investor_profile", "watchlist"} {
			for range 2 { // the second call reads what the first saved
				out, err := router.Call(t.Context(), toolstest.ToolCall(name, raw))
				if err != nil || out.Result.Code == tool.CodeCrashed {
					t.Fatalf("%s %s = %v, %s", name, raw, err, out.Result.ErrorText())
				}
				if out.Result.IsError {
					continue
				}
				if text := out.Result.ModelText(); !json.Valid([]byte(text)) {
					t.Fatalf("%s %s = %s, which is not JSON", name, raw, text)
				}
			}
		}
		for _, name := range []string{"investor_profile", "watchlist"} {
			if out, err := router.Call(t.Context(), toolstest.ToolCall(name, "{}")); err != nil || out.Result.IsError && out.Result.Code != tool.CodeNoData {
				t.Fatalf("%s after %s = %v, %s", name, raw, err, out.Result.ErrorText())
			}
		}
	})
}

// Texts of a user or a source stay in their cell.
func TestText_BreaksOutOfNoTable(t *testing.T) {
	w := newProfileFixture(t)
	hostile := "a | b\n\n# c\n| d |"
	watch(t, w, args{"symbol": "VTI", "note": hostile})
	res, _ := w.mustCall(t, "watchlist", nil)
	toolstest.WantParts(t, "watchlist", res.UserText(), `| a \| b # c \| d \| |`)
	for _, line := range w.Approvals[len(w.Approvals)-1].Plan {
		if len(line) == 0 || line[0] == '#' {
			t.Errorf("plan has the line %q", line)
		}
	}
	res, _ = answer(t, w, args{"other_investments": "flat | house"})
	toolstest.WantParts(t, "profile", res.UserText(), `flat \| house`)
}
