package decision

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/act"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// readyClose makes ready to end a decision today.
func (j *decisions) readyClose(ctx context.Context, in decisionInput) act.Act {
	d, err := j.toChange(ctx, in.ID)
	switch {
	case err != nil:
		return act.Refusing(err)
	case !d.Closed.IsZero():
		return act.Refusing(act.Invalidf("%s was closed on %s", headline(d), present.Dated(d.Closed)))
	case strings.TrimSpace(in.Outcome) == "":
		return act.Refusing(act.Invalidf("no outcome: what came of it, in the words of who decided"))
	}
	after := d
	after.Closed, after.Outcome = j.Today(), strings.TrimSpace(in.Outcome)
	if err := after.Validate(); err != nil {
		return act.Refusing(act.Invalid(err))
	}
	return act.Act{
		Plan: []string{
			"closes " + headline(d) + " as of " + present.Dated(after.Closed),
			"  outcome: " + oneLine(after.Outcome), "  its return is counted until then",
		},
		Run: func(ctx context.Context) (tool.Result, error) {
			return j.replace(ctx, d, func() (tool.Result, error) {
				if err := j.Journal.PutDecision(ctx, after); err != nil {
					return tool.Result{}, fmt.Errorf("closing the decision: %w", err)
				}
				return j.shown([]journal.Decision{after}, listOptions{full: true, title: "decision closed"})
			})
		},
	}
}

// readyRemove makes ready to take a decision out.
func (j *decisions) readyRemove(ctx context.Context, in decisionInput) act.Act {
	d, err := j.toChange(ctx, in.ID)
	if err != nil {
		return act.Refusing(err)
	}
	return act.Act{
		Plan: []string{
			"removes " + headline(d) + " from the journal", "  thesis: " + oneLine(d.Thesis),
			"  no review will count it: meant for mistakes in recording, not in deciding",
		},
		Run: func(ctx context.Context) (tool.Result, error) {
			return j.replace(ctx, d, func() (tool.Result, error) {
				if err := j.Journal.RemoveDecision(ctx, d.ID); err != nil && !errors.Is(err, journal.ErrNotFound) {
					return tool.Result{}, fmt.Errorf("removing the decision: %w", err)
				}
				gone := struct {
					Removed string `json:"removed"`
				}{d.ID}
				return tool.Result{Value: gone, ForUser: fmt.Sprintf("Removed %s.\n", headline(d)), Title: symbolsOf(d), Summary: "removed from the journal"}, nil
			})
		},
	}
}

// toChange is the decision of an id, to be changed.
func (j *decisions) toChange(ctx context.Context, id string) (journal.Decision, error) {
	if err := act.Writable(j.Prices); err != nil {
		return journal.Decision{}, err
	}
	all, err := j.known(ctx)
	if err != nil {
		return journal.Decision{}, err
	}
	return one(all, id)
}

// replace does what the user saw, where the decision still is as they saw it.
func (j *decisions) replace(ctx context.Context, seen journal.Decision, do func() (tool.Result, error)) (tool.Result, error) {
	j.saving.Lock()
	defer j.saving.Unlock()
	now, err := j.toChange(ctx, seen.ID)
	switch {
	case err != nil:
		return act.Refusal(err)
	case !same(now, seen):
		return act.Refusal(act.Invalidf("%s was changed meanwhile; ask again", headline(seen)))
	}
	return do()
}

// same reports whether two decisions would be kept alike.
func same(a, b journal.Decision) bool {
	left, err := json.Marshal(a)
	right, other := json.Marshal(b)
	return err == nil && other == nil && bytes.Equal(left, right)
}
