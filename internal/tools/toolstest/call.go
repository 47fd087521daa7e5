package toolstest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Args are the arguments of a call by name.
type Args map[string]any

// Clock is one that stands still at an instant in RFC 3339.
func Clock(t testing.TB, at string) func() time.Time {
	t.Helper()
	now, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	return func() time.Time { return now }
}

// Day is the date that s says as YYYY-MM-DD.
func Day(t testing.TB, s string) market.Date {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Open is a Router over tools with its usual limits, which refuses what needs
// approval.
func Open(t testing.TB, tools []tool.Tool) *tool.Router {
	t.Helper()
	router, err := tool.NewRouter(tools, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return router
}

// CallRouter calls a tool of a router. An answer that is an error is returned like any
// other; a call that could not be answered ends the test.
func CallRouter(t testing.TB, router *tool.Router, name string, in Args) tool.Result {
	t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	out, err := router.Call(t.Context(), llm.ToolCall{ID: "1", Name: name, Arguments: string(raw)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Result
}

// Call calls one of the tools, over a Router of its own.
func Call(t testing.TB, tools []tool.Tool, name string, in Args) tool.Result {
	t.Helper()
	return CallRouter(t, Open(t, tools), name, in)
}

// CallOK calls one of the tools for a result that must not be an error, and
// gives it with its value as the JSON that callers see.
func CallOK(t testing.TB, tools []tool.Tool, name string, in Args) (tool.Result, map[string]any) {
	t.Helper()
	res := Call(t, tools, name, in)
	if res.IsError {
		t.Fatalf("%s %v = error: %s", name, in, res.ErrorText())
	}
	return res, DecodeResult(t, res)
}

// DecodeResult is the value of a result as the JSON that callers see.
func DecodeResult(t testing.TB, res tool.Result) map[string]any {
	t.Helper()
	raw, err := json.Marshal(res.Value)
	if err != nil {
		t.Fatal(err)
	}
	return Object(t, string(raw))
}

// Object reads a JSON object.
func Object(t testing.TB, raw string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Strings are the elements of a list in JSON that are all text.
func Strings(t testing.TB, list any) []string {
	t.Helper()
	var out []string
	for _, v := range list.([]any) {
		out = append(out, v.(string))
	}
	return out
}

// Figure is the figure of a result that has the id.
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

// WantFields compares the fields of an answer that a test is about.
func WantFields(t testing.TB, got, want map[string]any) {
	t.Helper()
	picked := map[string]any{}
	for k := range want {
		if v, ok := got[k]; ok {
			picked[k] = v
		}
	}
	if diff := cmp.Diff(want, picked); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

// WantError holds that a result is an error of the code whose text has the part.
func WantError(t testing.TB, res tool.Result, code, part string) {
	t.Helper()
	if !res.IsError || res.Code != code || !strings.Contains(res.ErrorText(), part) {
		t.Errorf("result = %q, code %q, error %v; want an error of code %q with %q", res.ModelText(), res.Code, res.IsError, code, part)
	}
}
