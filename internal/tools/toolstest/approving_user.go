package toolstest

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
)

// ApprovingUser is who is asked before a tool writes. It is safe for concurrent calls.
type ApprovingUser struct {
	Allow bool
	Scope tool.Scope // of what they allow
	// BeforeAnswer is what they do before they answer; nil is nothing.
	BeforeAnswer func([]tool.Approval)
	// Approvals are the questions so far.
	Approvals []tool.Approval

	mu sync.Mutex
}

// Router is one over tools that asks the user.
func (u *ApprovingUser) Router(t testing.TB, tools []tool.Tool) *tool.Router {
	t.Helper()
	router, err := tool.NewRouter(tools, tool.Options{Approver: tool.ApproverFunc(u.answer)})
	if err != nil {
		t.Fatal(err)
	}
	return router
}

func (u *ApprovingUser) answer(_ context.Context, a tool.Approval) (tool.Answer, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.Approvals = append(u.Approvals, a)
	if u.BeforeAnswer != nil {
		u.BeforeAnswer(u.Approvals)
	}
	return tool.Answer{Allowed: u.Allow, Scope: u.Scope}, nil
}

// Plan is what they were asked last, a line each.
func (u *ApprovingUser) Plan(t testing.TB) string {
	t.Helper()
	if len(u.Approvals) == 0 {
		t.Fatal("nobody was asked")
	}
	return strings.Join(u.Approvals[len(u.Approvals)-1].Plan, "\n")
}

// WantParts holds that a text has all the parts.
func WantParts(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %q:\n%s", what, part, text)
		}
	}
}

// ModelOutput is all of a result that a model may come to read, figures among it.
func ModelOutput(res tool.Result) string {
	parts := []string{res.ModelText(), res.Title, res.Summary}
	for _, f := range res.Figures {
		parts = append(parts, f.ID, f.Label, f.Value.String(), strings.Join(f.Inputs, " "))
	}
	return strings.Join(parts, "\n")
}
