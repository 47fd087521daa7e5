package advice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// planClose prepares closing a decision as of today.
func (j *journalTool) planClose(ctx context.Context, in decisionInput) toolkit.MutationPlan {
	d, err := j.findForChange(ctx, in.ID)
	switch {
	case err != nil:
		return toolkit.RefusedPlan(err)
	case !d.Closed.IsZero():
		return toolkit.RefusedPlan(toolkit.InvalidArgsf("%s was closed on %s", headline(d), toolkit.FormatDate(d.Closed)))
	case strings.TrimSpace(in.Outcome) == "":
		return toolkit.RefusedPlan(toolkit.InvalidArgsf("outcome is required: the result in the user's own words"))
	}
	after := d
	after.Closed, after.Outcome = j.Today(), strings.TrimSpace(in.Outcome)
	if err := after.Validate(); err != nil {
		return toolkit.RefusedPlan(toolkit.InvalidArgs(err))
	}
	return toolkit.MutationPlan{
		Changes: []string{
			"closes " + headline(d) + " as of " + toolkit.FormatDate(after.Closed),
			"  outcome: " + collapseSpace(after.Outcome), "  the return is measured up to that day",
		},
		Run: func(ctx context.Context) (tool.Result, error) {
			return j.replaceIfUnchanged(ctx, d, func() (tool.Result, error) {
				if err := j.Journal.PutDecision(ctx, after); err != nil {
					return tool.Result{}, fmt.Errorf("close decision: %w", err)
				}
				return j.listResult([]investor.Decision{after}, listOptions{full: true, title: "decision closed"}), nil
			})
		},
	}
}

// planRemove prepares removing a decision.
func (j *journalTool) planRemove(ctx context.Context, in decisionInput) toolkit.MutationPlan {
	d, err := j.findForChange(ctx, in.ID)
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	return toolkit.MutationPlan{
		Changes: []string{
			"removes " + headline(d) + " from the journal", "  thesis: " + collapseSpace(d.Thesis),
			"  reviews no longer count it; remove only entries recorded by mistake",
		},
		Run: func(ctx context.Context) (tool.Result, error) {
			return j.replaceIfUnchanged(ctx, d, func() (tool.Result, error) {
				if err := j.Journal.RemoveDecision(ctx, d.ID); err != nil && !errors.Is(err, investor.ErrEntryNotFound) {
					return tool.Result{}, fmt.Errorf("remove decision: %w", err)
				}
				return toolkit.Render(removedDecision{d.ID, d}), nil
			})
		},
	}
}

type removedDecision struct {
	Removed string `json:"removed"`

	decision investor.Decision
}

// Headline implements [toolkit.Answer].
func (a removedDecision) Headline(lang string) string {
	if lang == "zh" {
		return fmt.Sprintf("已从决策日志中删除 %s。", headline(a.decision))
	}
	return fmt.Sprintf("Removed %s.", headline(a.decision))
}

// findForChange returns the decision with an ID, or an error if the journal cannot be changed.
func (j *journalTool) findForChange(ctx context.Context, id string) (investor.Decision, error) {
	if err := toolkit.CheckWritable(j.Prices); err != nil {
		return investor.Decision{}, err
	}
	all, err := j.loadDecisions(ctx)
	if err != nil {
		return investor.Decision{}, err
	}
	return findDecision(all, id)
}

// replaceIfUnchanged makes a previewed change if the decision is still as previewed.
func (j *journalTool) replaceIfUnchanged(ctx context.Context, seen investor.Decision, do func() (tool.Result, error)) (tool.Result, error) {
	j.saving.Lock()
	defer j.saving.Unlock()
	current, err := j.findForChange(ctx, seen.ID)
	switch {
	case err != nil:
		return toolkit.RefusalResult(err)
	case !sameEntry(current, seen):
		return toolkit.RefusalResult(toolkit.InvalidArgsf("%s has changed since the preview; call again", headline(seen)))
	}
	return do()
}

// sameEntry reports whether two entries would be stored identically.
func sameEntry(a, b any) bool {
	first, err := json.Marshal(a)
	second, secondErr := json.Marshal(b)
	return err == nil && secondErr == nil && bytes.Equal(first, second)
}
