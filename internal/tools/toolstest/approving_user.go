package toolstest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool"
)

// ApprovingUser answers approval requests. It is safe for concurrent calls.
type ApprovingUser struct {
	Allow  bool
	Scope  tool.Scope // of the answers
	Person bool       // whether the answers say that a person gave them
	// BeforeAnswer, if set, runs before each answer, with all requests so far.
	BeforeAnswer func([]tool.Approval)
	// Approvals are the requests so far.
	Approvals []tool.Approval

	// HideFromModel hides the user's amounts from the model.
	HideFromModel bool

	mu sync.Mutex
}

// Router returns a Router over tools that asks the user for approval.
func (u *ApprovingUser) Router(t testing.TB, tools []tool.Tool) *tool.Router {
	t.Helper()
	router, err := tool.NewRouter(tools, tool.Options{Approver: tool.ApproverFunc(u.answer), HideAmounts: func(string) bool { return u.HideFromModel }, Commands: humanize.ForPeople})
	if err != nil {
		t.Fatal(err)
	}
	return router
}

func (u *ApprovingUser) answer(_ context.Context, a tool.Approval) (tool.Answer, error) {
	u.mu.Lock()
	u.Approvals = append(u.Approvals, a)
	requests := slices.Clone(u.Approvals)
	u.mu.Unlock()
	// Without the lock, because BeforeAnswer may call a tool that asks again.
	if u.BeforeAnswer != nil {
		u.BeforeAnswer(requests)
	}
	return tool.Answer{Allowed: u.Allow, Scope: u.Scope, Person: u.Person}, nil
}

// Plan returns the plan of the last request, one change per line.
func (u *ApprovingUser) Plan(t testing.TB) string {
	t.Helper()
	if len(u.Approvals) == 0 {
		t.Fatal("no approval was requested")
	}
	return strings.Join(u.Approvals[len(u.Approvals)-1].Plan, "\n")
}
