package advice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// save keeps the answers that were shown to the user, in the profile as it is now:
// others may have been kept since.
func (p *profileTool) save(ctx context.Context, changes []answerChange) (tool.Result, error) {
	p.saving.Lock()
	defer p.saving.Unlock()
	have, err := p.load(ctx)
	if err != nil {
		return toolkit.RefusalResult(err)
	}
	before, answers := have.Profile, have.Answers()
	after := before
	// As kept and not as said: the words were read on the day of the question.
	interview := investor.NewInterview(time.Time{})
	for _, c := range changes {
		if answers[c.ID] != c.Was {
			return toolkit.RefusalResult(toolkit.InvalidArgsf("%s was changed meanwhile; ask again", c.ID))
		}
		if err := interview.Set(&after, c.ID, c.Now); err != nil {
			return tool.Result{}, fmt.Errorf("keeping the answer: %w", err)
		}
	}
	// What is smaller than a second does not last in a store.
	after.UpdatedAt = p.Now().UTC().Truncate(time.Second)
	if err := p.Investor.SaveProfile(ctx, after); err != nil {
		if errors.Is(err, investor.ErrNewerVersion) {
			return toolkit.RefusalResult(toolkit.InvalidArgs(err))
		}
		return tool.Result{}, fmt.Errorf("keeping the investor profile: %w", err)
	}
	return p.saveResult(after, changes)
}

// saveResult says what was kept, what contradicts each other now, and what is left.
func (p *profileTool) saveResult(profile investor.Profile, changes []answerChange) (tool.Result, error) {
	a := changedAnswer{
		Changed: append([]answerChange{}, changes...), Inconsistencies: append([]investor.Inconsistency{}, profile.Inconsistencies(p.Today())...),
		Left: len(p.interview().Missing(profile)), Advice: p.advice(profile), Origin: p.profileOrigin(loadedProfile{Profile: profile, saved: true}),
	}
	a.Next = "action questions gives what to ask next"
	switch {
	case len(changes) == 0:
		a.Next = "nothing was changed: these answers stood there already"
	case len(a.Inconsistencies) > 0:
		a.Next = "tell the user what contradicts each other, and ask which is meant"
	case a.Left == 0:
		a.Next = "nothing is left to ask"
	}
	model, err := toolkit.EncodeResult(p.maskedChange(a))
	if err != nil {
		return tool.Result{}, err
	}
	return tool.Result{
		Value: a, ForModel: model, ForUser: a.markdown(), Title: "investor profile",
		Summary: fmt.Sprintf("%d answers kept · %d unanswered · %d contradictions", len(changes), a.Left, len(a.Inconsistencies)),
	}, nil
}

func (a changedAnswer) markdown() string {
	var b strings.Builder
	var rows [][]string
	for _, c := range a.Changed {
		rows = append(rows, []string{c.ID, cmp.Or(c.Now, unknownAnswer), cmp.Or(c.Was, unknownAnswer)})
	}
	if len(rows) > 0 {
		b.WriteString(toolkit.MarkdownTable([]string{"question", "now", "before"}, rows) + "\n")
	} else {
		b.WriteString("Nothing was changed.\n\n")
	}
	b.WriteString(contradictions(a.Inconsistencies))
	fmt.Fprintf(&b, "%d unanswered.\n\n%s\n", a.Left, a.Footer())
	return b.String()
}

func contradictions(list []investor.Inconsistency) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "! %s %s\n\n", toolkit.TableCell(c.Message), toolkit.TableCell(c.Advice))
	}
	return b.String()
}

// maskedChange is the answer as a model may read it.
func (p *profileTool) maskedChange(a changedAnswer) changedAnswer {
	if !p.HideAmounts {
		return a
	}
	a.Amounts = toolkit.AmountsHiddenNote
	a.Changed = slices.Clone(a.Changed)
	for i := range a.Changed {
		c := &a.Changed[i]
		c.Was, c.Now = maskedAnswer(c.ID, c.Was), maskedAnswer(c.ID, c.Now)
	}
	a.Inconsistencies, a.Advice = maskInconsistencies(a.Inconsistencies), maskAdvice(a.Advice)
	return a
}
