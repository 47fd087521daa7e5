package toolkit_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// fakeStore is a tool that reads what stands on it, and writes after asking.
type fakeStore struct {
	contents  string
	approvals []tool.Approval
	allow     bool
	scope     tool.Scope
	meant     func() // between the question and the answer
}

type fakeInput struct {
	Put string `json:"put,omitempty"`
	As  string `json:"as,omitempty"`
}

func (s *fakeStore) plan(_ context.Context, in fakeInput) toolkit.MutationPlan {
	show := func(context.Context) (tool.Result, error) { return tool.Result{Value: s.contents}, nil }
	switch in.Put {
	case "":
		return toolkit.ReadOnlyPlan(show)
	case "air":
		return toolkit.RefusedPlan(toolkit.InvalidArgsf("air does not stand"))
	case "dust":
		return toolkit.RefusedPlan(toolkit.NoDataf("there is only %w", market.ErrNoData))
	case "fire":
		return toolkit.RefusedPlan(errors.New("the house is on fire"))
	}
	return toolkit.MutationPlan{Changes: []string{"puts " + in.Put, "  on the shelf"}, ApprovalKey: in.As, Run: func(ctx context.Context) (tool.Result, error) {
		s.contents = in.Put
		return show(ctx)
	}}
}

func (s *fakeStore) router(t *testing.T) *tool.Router {
	t.Helper()
	tools := []tool.Tool{toolkit.NewMutationTool("shelf", "Gives what stands on the shelf.", s.plan)}
	router, err := tool.NewRouter(tools, tool.Options{Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		s.approvals = append(s.approvals, a)
		if s.meant != nil {
			s.meant()
		}
		return tool.Answer{Allowed: s.allow, Scope: s.scope}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	return router
}

func TestNewMutationTool_WhatReadsAsksNobody(t *testing.T) {
	s := &fakeStore{contents: "a vase"}
	if res := toolstest.CallRouter(t, s.router(t), "shelf", nil); res.IsError || res.Value != "a vase" || len(s.approvals) != 0 {
		t.Errorf("reading = %+v, asked %d times, want the vase unasked", res, len(s.approvals))
	}
}

func TestNewMutationTool_WhatWritesIsRunAsItWasShown(t *testing.T) {
	s := &fakeStore{allow: true, scope: tool.Once}
	s.meant = func() { s.contents = "a cat" } // meanwhile
	res := toolstest.CallRouter(t, s.router(t), "shelf", toolstest.Args{"put": "a book"})
	if res.IsError || s.contents != "a book" || len(s.approvals) != 1 || !slices.Equal(s.approvals[0].Plan, []string{"puts a book", "  on the shelf"}) {
		t.Errorf("writing = %+v, the shelf has %q, asked %+v", res, s.contents, s.approvals)
	}
}

func TestNewMutationTool_ARefusedActWritesNothing(t *testing.T) {
	s := &fakeStore{contents: "a vase"}
	toolstest.WantError(t, toolstest.CallRouter(t, s.router(t), "shelf", toolstest.Args{"put": "a book"}), tool.CodeRefused, "")
	if s.contents != "a vase" {
		t.Errorf("the shelf has %q after a refusal", s.contents)
	}
}

func TestNewMutationTool_AnApprovalForTheSessionHoldsForItsPlanOrItsName(t *testing.T) {
	for _, row := range []struct {
		name, as string
		want     int // questions
	}{{"plans alone", "", 2}, {"acts of a name", "put", 1}} {
		t.Run(row.name, func(t *testing.T) {
			s := &fakeStore{allow: true, scope: tool.Session}
			router := s.router(t)
			for _, what := range []string{"a book", "a cup", "a cup"} {
				toolstest.CallRouter(t, router, "shelf", toolstest.Args{"put": what, "as": row.as})
			}
			if len(s.approvals) != row.want || s.contents != "a cup" {
				t.Errorf("asked %d times, want %d; the shelf has %q", len(s.approvals), row.want, s.contents)
			}
		})
	}
}

func TestRefusalResult_SaysWhatABetterCallAvoids(t *testing.T) {
	s := &fakeStore{}
	router := s.router(t)
	for put, want := range map[string]struct{ code, says string }{
		"air":  {tool.CodeValidation, "air does not stand"},
		"dust": {tool.CodeNoData, "there is only"},
		"fire": {"", "the house is on fire"},
	} {
		toolstest.WantError(t, toolstest.CallRouter(t, router, "shelf", toolstest.Args{"put": put}), want.code, want.says)
	}
	if len(s.approvals) != 0 {
		t.Errorf("asked %d times for what is refused", len(s.approvals))
	}
	if res, err := toolkit.RefusalResult(toolkit.InvalidArgs(market.ErrUnknownSymbol)); err != nil || res.Code != tool.CodeValidation {
		t.Errorf("Refusal of arguments = %+v, %v, want them to come first", res, err)
	}
	if _, err := toolkit.RefusalResult(context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("Refusal of a cancelled call = %v, want the error", err)
	}
}

func TestCheckWritable_NothingIsWrittenInAReplay(t *testing.T) {
	p := toolkit.Prices{Now: toolstest.Clock(t, "2024-06-28T20:00:00Z")}
	if err := toolkit.CheckWritable(p); err != nil {
		t.Errorf("Writable = %v", err)
	}
	p.Replay = true
	res, err := toolkit.RefusalResult(toolkit.CheckWritable(p))
	if err != nil {
		t.Fatal(err)
	}
	toolstest.WantError(t, res, tool.CodeValidation, "set back to 2024-06-28")
}
