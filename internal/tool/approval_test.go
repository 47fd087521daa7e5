package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tool"
)

// answering gives the same answer to each approval and counts the requests.
func answering(answer tool.Answer, requests *int) tool.Approver {
	return tool.ApproverFunc(func(context.Context, tool.Approval) (tool.Answer, error) {
		*requests++
		return answer, nil
	})
}

func TestApproval_ReadsNeverAsk(t *testing.T) {
	requests := 0
	r := newRouter(t, tool.Options{Approver: answering(tool.Answer{}, &requests)}, named("look", tool.Reads, say("seen")))
	if got := call(t, r, "look", "{}"); got.IsError || requests != 0 {
		t.Fatalf("look = %+v after %d questions, want it to run without one", got, requests)
	}
}

func TestApproval_ScopeDecidesHowOftenTheUserIsAsked(t *testing.T) {
	for _, row := range []struct {
		name   string
		scope  tool.Scope
		effect tool.Effect
		asked  int
	}{
		{"once", tool.Once, tool.Writes, 3},
		{"session", tool.Session, tool.Writes, 1},
		{"executes asks too", tool.Once, tool.Executes, 3},
	} {
		t.Run(row.name, func(t *testing.T) {
			requests := 0
			r := newRouter(t, tool.Options{Approver: answering(tool.Answer{Allowed: true, Scope: row.scope}, &requests)},
				named("save", row.effect, say("saved")))
			for range 3 {
				if got := call(t, r, "save", "{}"); got.ModelText() != "saved" {
					t.Fatalf("save = %+v, want saved", got)
				}
			}
			if requests != row.asked {
				t.Fatalf("asked %d times, want %d", requests, row.asked)
			}
		})
	}
}

func TestApproval_RefusalReachesTheModelWithItsReason(t *testing.T) {
	requests := 0
	ran := false
	save := named("save", tool.Writes, func(context.Context) (tool.Result, error) { ran = true; return tool.Result{}, nil })
	r := newRouter(t, tool.Options{Approver: answering(tool.Answer{Reason: "not there"}, &requests)}, save)
	got := call(t, r, "save", "{}")
	if ran || got.Code != tool.CodeRefused || !strings.Contains(got.ModelText(), "not there") {
		t.Fatalf("save = %+v (ran %v), want a refusal with its reason", got, ran)
	}
}

func TestApproval_ARefusalSaysWhetherAPersonWasAsked(t *testing.T) {
	for name, row := range map[string]struct {
		approver tool.Approver
		user     string
		model    string
	}{
		"a person":          {answering(tool.Answer{Person: true}, new(int)), "you refused this", "save was refused by the user"},
		"a person's reason": {answering(tool.Answer{Person: true, Reason: "later"}, new(int)), "you refused this: later", "save was refused by the user: later"},
		"nobody": {
			tool.Policy{}, "save was refused: approval required; run with --allow save or --yes",
			"save was refused: approval required; run with --allow save or --yes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRouter(t, tool.Options{Approver: row.approver}, named("save", tool.Writes, say("saved")))
			got := call(t, r, "save", "{}")
			if model := `{"code":"refused","error":"` + row.model + `"}`; got.ErrorText() != row.user || got.ModelText() != model {
				t.Errorf("the user reads %q and the model %s, want %q and %s", got.ErrorText(), got.ModelText(), row.user, model)
			}
		})
	}
}

func TestApproval_InvalidArgumentsAreNotAskedFor(t *testing.T) {
	requests := 0
	write := tool.New("write", "Writes.", tool.Writes, func(context.Context, echoInput) (tool.Result, error) { return tool.Result{}, nil })
	r := newRouter(t, tool.Options{Approver: answering(tool.Answer{Allowed: true}, &requests)}, write)
	if got := call(t, r, "write", `{"text":1}`); got.Code != tool.CodeValidation || requests != 0 {
		t.Fatalf("write = %+v after %d questions, want a validation error before any", got, requests)
	}
}

func TestPolicy_AllowsOnlyNamedTools(t *testing.T) {
	for _, row := range []struct {
		name   string
		policy tool.Policy
		want   bool
	}{
		{"nothing", tool.Policy{}, false},
		{"another", tool.Policy{Tools: map[string]bool{"other": true}}, false},
		{"named", tool.Policy{Tools: map[string]bool{"save": true}}, true},
		{"all", tool.Policy{All: true}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := newRouter(t, tool.Options{Approver: row.policy}, named("save", tool.Writes, say("saved")))
			got := call(t, r, "save", "{}")
			if !got.IsError != row.want {
				t.Fatalf("save = %+v, want allowed %v", got, row.want)
			}
			if !row.want && !strings.Contains(got.ErrorText(), "--allow save") {
				t.Fatalf("refusal %q does not say how to allow it", got.ErrorText())
			}
		})
	}
}

func TestResult_ErrorfOffersItsTextToModelAndUser(t *testing.T) {
	got, err := tool.Errorf("no position in %s; held: %s", "VTI", "BND")
	if err != nil || !got.IsError {
		t.Fatalf("Errorf = %+v, %v, want an error result", got, err)
	}
	if want := `{"error":"no position in VTI; held: BND"}`; got.ModelText() != want {
		t.Errorf("model reads %s, want %s", got.ModelText(), want)
	}
	if got.ErrorText() != got.ForUser || got.ForUser == "" {
		t.Errorf("user reads %q, error text %q: want the same words", got.ForUser, got.ErrorText())
	}
}

func TestApproval_ChangesAreShownWithoutKeys(t *testing.T) {
	save := named("save", tool.Writes, say("saved"))
	save.Preview = func(context.Context, json.RawMessage) (tool.Preview, error) {
		return tool.Preview{Changes: []string{"-sk-1234", "+new"}}, nil
	}
	for name, c := range map[string]struct {
		secrets tool.SecretFilter
		want    []string
	}{
		"hidden":          {hidesKey{}, []string{"-[secret]", "+new"}},
		"nothing to hide": {nil, []string{"-sk-1234", "+new"}},
	} {
		var got []string
		r := newRouter(t, tool.Options{Secrets: c.secrets, Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
			got = a.Changes
			return tool.Answer{}, nil
		})}, save)
		call(t, r, "save", "{}")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: changes shown (-want +got):\n%s", name, diff)
		}
	}
}

// hidesKey removes sk-1234.
type hidesKey struct{}

func (hidesKey) HideKnown(text string) string { return strings.ReplaceAll(text, "sk-1234", "[secret]") }
