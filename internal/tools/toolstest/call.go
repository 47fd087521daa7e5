package toolstest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Args are the arguments of a call by name.
type Args map[string]any

// Now is the time of tests that use the sample data, for Clock.
const Now = "2026-11-20T10:30:00Z"

// Clock returns a clock that always shows the time at, in RFC 3339.
func Clock(t testing.TB, at string) func() time.Time {
	t.Helper()
	now, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	return func() time.Time { return now }
}

// Open returns a Router over tools with its default limits. It refuses every call that
// needs approval.
func Open(t testing.TB, tools []tool.Tool) *tool.Router {
	t.Helper()
	router, err := tool.NewRouter(tools, tool.Options{Commands: humanize.ForPeople})
	if err != nil {
		t.Fatal(err)
	}
	return router
}

// CallRouter calls a tool of a router. An error result is returned like any other; a call
// without a result ends the test.
func CallRouter(t testing.TB, router *tool.Router, name string, in Args) tool.Result {
	t.Helper()
	out, err := router.Call(t.Context(), ToolCall(name, JSON(t, in)))
	if err != nil {
		t.Fatal(err)
	}
	return out.Result
}

// ToolCall returns a call of the tool with its arguments in JSON.
func ToolCall(name, arguments string) llm.ToolCall {
	return llm.ToolCall{ID: "1", Name: name, Arguments: arguments}
}

// Call calls one of the tools through a new Router.
func Call(t testing.TB, tools []tool.Tool, name string, in Args) tool.Result {
	t.Helper()
	return CallRouter(t, Open(t, tools), name, in)
}

// CallHidden calls one of the tools through a Router that hides the user's amounts from the model.
func CallHidden(t testing.TB, tools []tool.Tool, name string, in Args) tool.Result {
	t.Helper()
	router, err := tool.NewRouter(tools, tool.Options{HideAmounts: hideAll, Commands: humanize.ForPeople})
	if err != nil {
		t.Fatal(err)
	}
	return CallRouter(t, router, name, in)
}

func hideAll(string) bool { return true }

// CallOK calls one of the tools for a result that must not be an error, and has a headline. It also returns
// the value of the result as callers see it in JSON.
func CallOK(t testing.TB, tools []tool.Tool, name string, in Args) (tool.Result, map[string]any) {
	t.Helper()
	res := Call(t, tools, name, in)
	if res.IsError {
		t.Fatalf("%s %v = error: %s", name, in, res.ErrorText())
	}
	if res.Headline == "" || res.HeadlineZH == "" {
		t.Errorf("%s %v has the headlines %q and %q, want one in each language", name, in, res.Headline, res.HeadlineZH)
	}
	checkOutput(t, tools, name, res)
	return res, DecodeResult(t, res)
}

// checkOutput checks what models read of a result against the schema of the tool.
func checkOutput(t testing.TB, tools []tool.Tool, name string, res tool.Result) {
	t.Helper()
	i := slices.IndexFunc(tools, func(t tool.Tool) bool { return t.Name == name })
	if i < 0 || tools[i].Output == nil {
		return
	}
	resolved, err := tools[i].Output().Resolve(nil)
	if err != nil {
		t.Fatalf("%s: output schema: %v", name, err)
	}
	for _, text := range []string{res.ModelText(), res.Redacted} {
		if text == "" {
			continue
		}
		if err := resolved.Validate(Object(t, text)); err != nil {
			t.Errorf("%s: the result does not match the output schema: %v\n%s", name, err, text)
		}
	}
}

// DecodeResult returns the value of a result as callers see it in JSON.
func DecodeResult(t testing.TB, res tool.Result) map[string]any {
	t.Helper()
	return Object(t, JSON(t, res.Value))
}

// JSON returns v encoded as JSON.
func JSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Object parses a JSON object.
func Object(t testing.TB, raw string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Strings returns the elements of a JSON list that has only strings.
func Strings(t testing.TB, list any) []string {
	t.Helper()
	var out []string
	for _, v := range list.([]any) {
		out = append(out, v.(string))
	}
	return out
}

// Rows returns each element of a list in an answer as the values of its fields, separated by
// blanks.
func Rows(t testing.TB, answer map[string]any, list string, fields ...string) []string {
	t.Helper()
	elements, ok := answer[list].([]any)
	if !ok {
		t.Fatalf("no list %q in %v", list, answer)
	}
	var rows []string
	for _, e := range elements {
		var row []string
		for _, field := range fields {
			row = append(row, fmt.Sprint(e.(map[string]any)[field]))
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return rows
}

// Find returns the first element of a list in an answer whose field has the value.
func Find(t testing.TB, answer map[string]any, list, field, value string) map[string]any {
	t.Helper()
	for _, e := range answer[list].([]any) {
		if e := e.(map[string]any); e[field] == value {
			return e
		}
	}
	t.Fatalf("no %s %q in %v", field, value, answer[list])
	return nil
}
