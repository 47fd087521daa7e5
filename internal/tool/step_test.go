package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// twice returns a tool that calls echo two times through router.
func twice(router func() *tool.Router) tool.Tool {
	return named("twice", tool.Reads, func(ctx context.Context) (tool.Result, error) {
		for _, step := range []string{"one", "two"} {
			if _, err := router().Step(ctx, step, "echo", json.RawMessage(`{"text":"`+step+`"}`)); err != nil {
				return tool.Result{}, err
			}
		}
		return tool.Result{ForModel: "done"}, nil
	})
}

func TestRouter_CallsThatAToolMakesAreReportedToo(t *testing.T) {
	var router *tool.Router
	router = newRouter(t, tool.Options{}, echo(), twice(func() *tool.Router { return router }))
	var mu sync.Mutex
	var reported []string
	note := func(what string, call llm.ToolCall) {
		mu.Lock()
		defer mu.Unlock()
		if of := tool.ParentCallID(call.ID); of != "call/1" {
			t.Errorf("ParentCallID(%q) = %q, want the requested call", call.ID, of)
		}
		if step := tool.StepName(call.ID); step != "" {
			what = step + " " + what
		}
		reported = append(reported, what+" "+call.Name)
	}
	obs := tool.Observer{
		Started:  func(call llm.ToolCall) { note("start", call) },
		Finished: func(o tool.Outcome) { note("end", o.Call) },
	}
	if _, err := router.Dispatch(t.Context(), []llm.ToolCall{{ID: "call/1", Name: "twice"}}, obs); err != nil {
		t.Fatal(err)
	}
	want := []string{"start twice", "one start echo", "one end echo", "two start echo", "two end echo", "end twice"}
	if diff := cmp.Diff(want, reported); diff != "" {
		t.Errorf("reported (-want +got):\n%s", diff)
	}
}

func TestRouter_WithDoesNotChangeTheOriginalRouter(t *testing.T) {
	r := newRouter(t, tool.Options{}, echo())
	more, err := r.With(named("extra", tool.Reads, say("x")))
	if err != nil {
		t.Fatal(err)
	}
	if got := call(t, more, "extra", `{}`); got.IsError || len(more.Specs()) != 2 || more.Specs()[1].Name != "extra" {
		t.Errorf("extra = %+v, specs %v", got, more.Specs())
	}
	if got := call(t, r, "extra", `{}`); got.Code != tool.CodeUnknownTool {
		t.Errorf("the router it was added to a view of knows it: %+v", got)
	}
	if _, err := more.With(echo()); err == nil {
		t.Error("two tools of one name = no error")
	}
}

func TestRouter_PreApprovedAsksNobodyAndSharesNoApproval(t *testing.T) {
	r := newRouter(t, tool.Options{Approver: tool.Policy{}}, named("save", tool.Writes, say("saved")))
	if got := call(t, r.PreApproved(), "save", `{}`); got.IsError {
		t.Errorf("granted = %+v", got)
	}
	if got := call(t, r, "save", `{}`); got.Code != tool.CodeRefused {
		t.Errorf("afterwards = %+v, want it to be asked for", got)
	}
}

func TestRouter_APreviewDecidesWhatIsAskedAndForHowLong(t *testing.T) {
	preview := tool.Preview{Plan: []string{"1. reads a file"}, Key: "hash-1", Ask: true, State: "as shown"}
	var fault error
	script := named("script", tool.Reads, func(ctx context.Context) (tool.Result, error) {
		return tool.Result{ForModel: fmt.Sprint(tool.PreviewState(ctx))}, nil
	})
	script.Preview = func(context.Context, json.RawMessage) (tool.Preview, error) { return preview, fault }
	var requests []tool.Approval
	r := newRouter(t, tool.Options{Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		requests = append(requests, a)
		return tool.Answer{Allowed: true, Scope: tool.Session}, nil
	})}, script)
	for range 2 {
		if got := call(t, r, "script", `{}`); got.ModelText() != "as shown" {
			t.Errorf("script = %+v, want what the preview left for it", got)
		}
	}
	if len(requests) != 1 || strings.Join(requests[0].Plan, "") != "1. reads a file" {
		t.Fatalf("asked %+v, want once, with the plan", requests)
	}
	preview.Key = "hash-2"
	if call(t, r, "script", `{}`); len(requests) != 2 {
		t.Errorf("asked %d times, want again for what has changed", len(requests))
	}
	preview.Ask = false
	preview.Key = "hash-3"
	if call(t, r, "script", `{}`); len(requests) != 2 {
		t.Errorf("asked %d times, though it only reads", len(requests))
	}
	fault = errors.New("step 2: no tool crystal_ball")
	if got := call(t, r, "script", `{}`); got.Code != tool.CodeValidation || got.ErrorText() != fault.Error() {
		t.Errorf("a plan with a fault = %+v, want it reported and nothing run", got)
	}
}

// hiddenError is an error with a text without amounts.
type hiddenError struct{ error }

func (hiddenError) Redacted() string { return "sells (hidden) shares" }

func TestRouter_AnErrorInAPreviewHasNoHiddenAmounts(t *testing.T) {
	hide := false
	sell := named("sell", tool.Reads, nil)
	sell.Preview = func(context.Context, json.RawMessage) (tool.Preview, error) {
		return tool.Preview{}, fmt.Errorf("line 2: %w", hiddenError{errors.New("sells 300 shares")})
	}
	r := newRouter(t, tool.Options{HideAmounts: func(string) bool { return hide }}, sell)
	if got := call(t, r, "sell", `{}`); got.Private || !strings.Contains(got.ModelText(), "line 2: sells 300 shares") {
		t.Errorf("result = %+v, want the whole error", got)
	}
	hide = true
	if got := call(t, r, "sell", `{}`); !got.Private || !strings.Contains(got.ModelText(), "line 2: sells (hidden) shares") || !strings.Contains(got.ErrorText(), "300") {
		t.Errorf("result = %+v, want no amount for the model and all for the user", got)
	}
}

func TestNewDynamic_HoldsArgumentsToItsSchema(t *testing.T) {
	schema := &jsonschema.Schema{Type: "object", Required: []string{"symbol"}, Properties: map[string]*jsonschema.Schema{"symbol": {Type: "string"}}}
	dynamic, err := tool.NewDynamic("skill_x", "Runs x.", tool.Reads, schema, func(_ context.Context, args json.RawMessage) (tool.Result, error) {
		return tool.Result{ForModel: string(args)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r := newRouter(t, tool.Options{}, dynamic)
	if got := call(t, r, "skill_x", `{"symbol":"AAPL"}`); got.ModelText() != `{"symbol":"AAPL"}` {
		t.Errorf("skill_x = %+v", got)
	}
	if got := call(t, r, "skill_x", `{}`); got.Code != tool.CodeValidation {
		t.Errorf("without symbol = %+v", got)
	}
	if _, err := tool.NewDynamic("bad", "", tool.Reads, &jsonschema.Schema{Ref: "#/nowhere"}, nil); err == nil {
		t.Error("a schema that does not resolve = no error")
	}
}

// memoryRules are rules in memory.
type memoryRules map[string]bool

func (r memoryRules) Allows(tool, pattern string) bool { return r[tool+" "+pattern] }
func (r memoryRules) Allow(_ context.Context, tool, pattern string) error {
	r[tool+" "+pattern] = true
	return nil
}

func TestRouter_AlwaysHoldsForThePatternAndBeyondTheSession(t *testing.T) {
	preview := tool.Preview{Key: "/r/a.md", Pattern: "/r/*.md"}
	save := named("save", tool.Writes, say("saved"))
	save.Preview = func(context.Context, json.RawMessage) (tool.Preview, error) { return preview, nil }
	rules, requests := memoryRules{}, []tool.Approval{}
	router := func() *tool.Router {
		return newRouter(t, tool.Options{Rules: rules, Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
			requests = append(requests, a)
			return tool.Answer{Allowed: true, Scope: tool.Always}, nil
		})}, save)
	}
	call(t, router(), "save", `{}`)
	if len(requests) != 1 || requests[0].Pattern != "/r/*.md" {
		t.Fatalf("asked %+v, want once, with the pattern", requests)
	}
	preview.Key = "/r/b.md"
	if call(t, router(), "save", `{}`); len(requests) != 1 {
		t.Errorf("asked %d times, though calls like this one are allowed for always", len(requests))
	}
	preview.Pattern = "/etc/*.md"
	if call(t, router(), "save", `{}`); len(requests) != 2 {
		t.Errorf("asked %d times, want again for another pattern", len(requests))
	}
	preview.Pattern = ""
	if call(t, router(), "save", `{}`); len(requests) != 3 || requests[2].Pattern != "" {
		t.Errorf("asked %d times, want again where no pattern is offered", len(requests))
	}
	if len(rules) != 2 {
		t.Errorf("rules = %v, want the two patterns", rules)
	}
}

// A permission covers only its pattern, such as new files in a folder, and ends when it is revoked,
// also in the session in which it was given.
func TestRouter_APermissionCoversOnlyItsPattern(t *testing.T) {
	preview := tool.Preview{Key: "/r/a.md", Pattern: "/r/*.md"}
	save := named("save", tool.Writes, say("saved"))
	save.Preview = func(context.Context, json.RawMessage) (tool.Preview, error) { return preview, nil }
	rules, requests := memoryRules{}, 0
	r := newRouter(t, tool.Options{Rules: rules, Approver: answering(tool.Answer{Allowed: true, Scope: tool.Always}, &requests)}, save)
	call(t, r, "save", `{}`)
	preview.Pattern, preview.Ask = "", true // the file exists now and would be replaced
	if call(t, r, "save", `{}`); requests != 2 {
		t.Errorf("asked %d times, want again for what the pattern does not say", requests)
	}
	r.ForgetApprovals()
	preview.Pattern, preview.Ask = "/r/*.md", false
	if call(t, r, "save", `{}`); requests != 2 {
		t.Errorf("asked %d times, though it is allowed for always", requests)
	}
	clear(rules) // in another program
	if call(t, r, "save", `{}`); requests != 3 {
		t.Errorf("asked %d times, want another request for the revoked permission", requests)
	}
}

// An unexpected error may contain amounts, so the model reads it without numbers.
func TestRouter_AnUnexpectedErrorOfAPrivateToolHasNoNumbers(t *testing.T) {
	fails := named("fails", tool.Reads, func(context.Context) (tool.Result, error) {
		return tool.Result{}, errors.New("row 7: 77,777.70 USD on 2024-01-02 is over 12.5%")
	})
	fails.Private = true
	r := newRouter(t, tool.Options{HideAmounts: func(string) bool { return true }}, fails)
	got := call(t, r, "fails", "{}")
	if want := "row (hidden) (hidden) USD on 2024-01-02 is over 12.5%"; !strings.Contains(got.ModelText(), want) || !strings.Contains(got.ErrorText(), "77,777.70") {
		t.Errorf("the model reads %s, people %s; want %q for the model", got.ModelText(), got.ErrorText(), want)
	}
}
