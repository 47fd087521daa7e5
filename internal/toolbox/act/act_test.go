package act_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/act"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

// shelf is a tool that reads what stands on it, and writes after asking.
type shelf struct {
	stands string
	asked  []tool.Approval
	allow  bool
	scope  tool.Scope
	meant  func() // between the question and the answer
}

type shelfInput struct {
	Put string `json:"put,omitempty"`
	As  string `json:"as,omitempty"`
}

func (s *shelf) ready(_ context.Context, in shelfInput) act.Act {
	show := func(context.Context) (tool.Result, error) { return tool.Result{Value: s.stands}, nil }
	switch in.Put {
	case "":
		return act.Reading(show)
	case "air":
		return act.Refusing(act.Invalidf("air does not stand"))
	case "dust":
		return act.Refusing(act.Nothingf("there is only %w", market.ErrNoData))
	case "fire":
		return act.Refusing(errors.New("the house is on fire"))
	}
	return act.Act{Plan: []string{"puts " + in.Put, "  on the shelf"}, Standing: in.As, Run: func(ctx context.Context) (tool.Result, error) {
		s.stands = in.Put
		return show(ctx)
	}}
}

func (s *shelf) router(t *testing.T) *tool.Router {
	t.Helper()
	tools := []tool.Tool{act.New("shelf", "Gives what stands on the shelf.", s.ready)}
	router, err := tool.NewRouter(tools, tool.Options{Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		s.asked = append(s.asked, a)
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

func TestNew_WhatReadsAsksNobody(t *testing.T) {
	s := &shelf{stands: "a vase"}
	if res := toolboxtest.Ask(t, s.router(t), "shelf", nil); res.IsError || res.Value != "a vase" || len(s.asked) != 0 {
		t.Errorf("reading = %+v, asked %d times, want the vase unasked", res, len(s.asked))
	}
}

func TestNew_WhatWritesIsRunAsItWasShown(t *testing.T) {
	s := &shelf{allow: true, scope: tool.Once}
	s.meant = func() { s.stands = "a cat" } // meanwhile
	res := toolboxtest.Ask(t, s.router(t), "shelf", toolboxtest.Args{"put": "a book"})
	if res.IsError || s.stands != "a book" || len(s.asked) != 1 || !slices.Equal(s.asked[0].Plan, []string{"puts a book", "  on the shelf"}) {
		t.Errorf("writing = %+v, the shelf has %q, asked %+v", res, s.stands, s.asked)
	}
}

func TestNew_ARefusedActWritesNothing(t *testing.T) {
	s := &shelf{stands: "a vase"}
	toolboxtest.WantError(t, toolboxtest.Ask(t, s.router(t), "shelf", toolboxtest.Args{"put": "a book"}), tool.CodeRefused, "")
	if s.stands != "a vase" {
		t.Errorf("the shelf has %q after a refusal", s.stands)
	}
}

func TestNew_AnApprovalForTheSessionHoldsForItsPlanOrItsName(t *testing.T) {
	for _, row := range []struct {
		name, as string
		want     int // questions
	}{{"plans alone", "", 2}, {"acts of a name", "put", 1}} {
		t.Run(row.name, func(t *testing.T) {
			s := &shelf{allow: true, scope: tool.Session}
			router := s.router(t)
			for _, what := range []string{"a book", "a cup", "a cup"} {
				toolboxtest.Ask(t, router, "shelf", toolboxtest.Args{"put": what, "as": row.as})
			}
			if len(s.asked) != row.want || s.stands != "a cup" {
				t.Errorf("asked %d times, want %d; the shelf has %q", len(s.asked), row.want, s.stands)
			}
		})
	}
}

func TestRefusal_SaysWhatABetterCallAvoids(t *testing.T) {
	s := &shelf{}
	router := s.router(t)
	for put, want := range map[string]struct{ code, says string }{
		"air":  {tool.CodeValidation, "air does not stand"},
		"dust": {tool.CodeNoData, "there is only"},
		"fire": {"", "the house is on fire"},
	} {
		toolboxtest.WantError(t, toolboxtest.Ask(t, router, "shelf", toolboxtest.Args{"put": put}), want.code, want.says)
	}
	if len(s.asked) != 0 {
		t.Errorf("asked %d times for what is refused", len(s.asked))
	}
	if res, err := act.Refusal(act.Invalid(market.ErrUnknownSymbol)); err != nil || res.Code != tool.CodeValidation {
		t.Errorf("Refusal of arguments = %+v, %v, want them to come first", res, err)
	}
	if _, err := act.Refusal(context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("Refusal of a cancelled call = %v, want the error", err)
	}
}

func TestWritable_NothingIsWrittenInAReplay(t *testing.T) {
	p := question.Prices{Now: toolboxtest.Clock(t, "2024-06-28T20:00:00Z")}
	if err := act.Writable(p); err != nil {
		t.Errorf("Writable = %v", err)
	}
	p.Replay = true
	res, err := act.Refusal(act.Writable(p))
	if err != nil {
		t.Fatal(err)
	}
	toolboxtest.WantError(t, res, tool.CodeValidation, "set back to 2024-06-28")
}
