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

// fakeStore is a tool that reads a note, and writes it after approval.
type fakeStore struct {
	toolstest.ApprovingUser
	contents string
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
		return toolkit.RefusedPlan(toolkit.InvalidArgsf("air is not a note"))
	case "dust":
		return toolkit.RefusedPlan(toolkit.NoDataf("there is only %w", market.ErrNoData))
	case "fire":
		return toolkit.RefusedPlan(errors.New("the disk is full"))
	}
	return toolkit.MutationPlan{Changes: []string{"puts " + in.Put, "  in the note"}, ApprovalKey: in.As, Run: func(ctx context.Context) (tool.Result, error) {
		s.contents = in.Put
		return show(ctx)
	}}
}

func (s *fakeStore) router(t *testing.T) *tool.Router {
	t.Helper()
	return s.Router(t, []tool.Tool{toolkit.NewMutationTool("note", "Returns the note.", tool.Reads, s.plan)})
}

func TestNewMutationTool_WhatReadsAsksNobody(t *testing.T) {
	s := &fakeStore{contents: "first note"}
	if res := toolstest.CallRouter(t, s.router(t), "note", nil); res.IsError || res.Value != "first note" || len(s.Approvals) != 0 {
		t.Errorf("reading = %+v, asked %d times, want the first note without approval", res, len(s.Approvals))
	}
}

func TestNewMutationTool_WhatWritesIsRunAsItWasShown(t *testing.T) {
	s := &fakeStore{ApprovingUser: toolstest.ApprovingUser{Allow: true, Scope: tool.Once}}
	s.BeforeAnswer = func([]tool.Approval) { s.contents = "other note" } // changed while the user is asked
	res := toolstest.CallRouter(t, s.router(t), "note", toolstest.Args{"put": "second note"})
	if res.IsError || s.contents != "second note" || len(s.Approvals) != 1 || !slices.Equal(s.Approvals[0].Plan, []string{"puts second note", "  in the note"}) {
		t.Errorf("writing = %+v, the note is %q, asked %+v", res, s.contents, s.Approvals)
	}
}

func TestNewMutationTool_ARefusedActWritesNothing(t *testing.T) {
	s := &fakeStore{contents: "first note"}
	toolstest.WantError(t, toolstest.CallRouter(t, s.router(t), "note", toolstest.Args{"put": "second note"}), tool.CodeRefused, "")
	if s.contents != "first note" {
		t.Errorf("the note is %q after a refusal", s.contents)
	}
}

func TestNewMutationTool_AnApprovalForTheSessionHoldsForItsPlanOrItsName(t *testing.T) {
	for _, row := range []struct {
		name, as string
		want     int // questions
	}{{"plans only", "", 2}, {"calls with a key", "put", 1}} {
		t.Run(row.name, func(t *testing.T) {
			s := &fakeStore{ApprovingUser: toolstest.ApprovingUser{Allow: true, Scope: tool.Session}}
			router := s.router(t)
			for _, what := range []string{"second note", "third note", "third note"} {
				toolstest.CallRouter(t, router, "note", toolstest.Args{"put": what, "as": row.as})
			}
			if len(s.Approvals) != row.want || s.contents != "third note" {
				t.Errorf("asked %d times, want %d; the note is %q", len(s.Approvals), row.want, s.contents)
			}
		})
	}
}

func TestRefusalResult_SaysWhatABetterCallAvoids(t *testing.T) {
	s := &fakeStore{}
	router := s.router(t)
	for put, want := range map[string]struct{ code, says string }{
		"air":  {tool.CodeValidation, "air is not a note"},
		"dust": {tool.CodeNoData, "there is only"},
		"fire": {"", "the disk is full"},
	} {
		toolstest.WantError(t, toolstest.CallRouter(t, router, "note", toolstest.Args{"put": put}), want.code, want.says)
	}
	if len(s.Approvals) != 0 {
		t.Errorf("asked %d times for what is refused", len(s.Approvals))
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
	toolstest.WantError(t, res, tool.CodeValidation, "sets the date to 2024-06-28")
}
