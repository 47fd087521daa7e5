package advice

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const unknownAnswer = "unknown"

// answerChange is one answer, before and after. What is unknown is "".
type answerChange struct {
	ID  string `json:"id"`
	Was string `json:"was"`
	Now string `json:"now"`

	reply string // in the user's words
}

// line is what the user is asked to allow.
func (c answerChange) line() string {
	current := cmp.Or(c.Now, unknownAnswer)
	if c.Now != "" && c.reply != "" && !strings.EqualFold(c.reply, c.Now) {
		current += fmt.Sprintf(", said as %q", toolkit.Abbreviate(c.reply))
	}
	return fmt.Sprintf("%s: %s (was %s)", c.ID, current, cmp.Or(c.Was, unknownAnswer))
}

type changedAnswer struct {
	Changed         []answerChange           `json:"changed"`
	Inconsistencies []investor.Inconsistency `json:"inconsistencies"`
	Left            int                      `json:"left"` // unanswered questions
	Advice          []investor.AdviceBasis   `json:"advice"`
	Amounts         string                   `json:"amounts,omitempty"`
	Next            string                   `json:"next"`
	toolkit.Origin
}

// planAnswer makes answers ready to be kept. One that does not fit refuses them all.
func (p *profileTool) planAnswer(ctx context.Context, in investorProfileInput) toolkit.MutationPlan {
	have, err := p.loadForChange(ctx)
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	interview := p.interview()
	for id := range in.Answers {
		if _, ok := interview.Question(id); !ok {
			return toolkit.RefusedPlan(unknownQuestion(interview, id))
		}
	}
	after, replies := have.Profile, map[string]string{}
	for _, q := range interview.Questions() {
		value, ok := in.Answers[q.ID]
		if !ok {
			continue
		}
		if replies[q.ID], err = answerText(q.ID, value); err != nil {
			return toolkit.RefusedPlan(err)
		}
		if err := interview.Set(&after, q.ID, replies[q.ID]); err != nil {
			return toolkit.RefusedPlan(p.answerError(q, err))
		}
	}
	return p.planChange(have.Profile, after, replies)
}

// planClear makes answers ready to be forgotten.
func (p *profileTool) planClear(ctx context.Context, in investorProfileInput) toolkit.MutationPlan {
	have, err := p.loadForChange(ctx)
	if err != nil {
		return toolkit.RefusedPlan(err)
	}
	if in.IDs == nil {
		return p.planChange(have.Profile, investor.Profile{}, nil)
	}
	after, interview := have.Profile, p.interview()
	for _, id := range in.IDs {
		if err := interview.Set(&after, id, ""); err != nil {
			return toolkit.RefusedPlan(toolkit.InvalidArgs(err))
		}
	}
	return p.planChange(have.Profile, after, nil)
}

func (p *profileTool) loadForChange(ctx context.Context) (loadedProfile, error) {
	if err := toolkit.CheckWritable(p.Prices); err != nil {
		return loadedProfile{}, err
	}
	return p.load(ctx)
}

// answerText takes the numbers and lists that models write in place of text.
func answerText(id string, value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case []any:
		var parts []string
		for _, item := range v {
			text, ok := item.(string)
			if !ok {
				return "", toolkit.InvalidArgsf("%s: give the answer as text, items divided by semicolons", id)
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, "; "), nil
	}
	return "", toolkit.InvalidArgsf("%s: give the answer as text", id)
}

// answerError is why an answer does not fit, without the sums in it where they are hidden.
func (p *profileTool) answerError(q investor.Question, err error) error {
	if !p.HideAmounts || !mayHoldAmounts(q) {
		return toolkit.InvalidArgs(err)
	}
	return toolkit.InvalidArgsf("%s: %w; it looks like this: %s", q.ID, investor.ErrInvalidAnswer, q.Example)
}

// planChange is the act that makes after of before. Without a difference it only says
// so. An approval for the session holds for filling in what is unknown; what takes
// the place of an answer is asked for each time.
func (p *profileTool) planChange(before, after investor.Profile, replies map[string]string) toolkit.MutationPlan {
	changes := differences(before, after, replies)
	if len(changes) == 0 {
		return toolkit.ReadOnlyPlan(func(context.Context) (tool.Result, error) { return p.saveResult(before, nil) })
	}
	a := toolkit.MutationPlan{ApprovalKey: "answer"}
	for _, c := range changes {
		a.Changes = append(a.Changes, c.line())
		if c.Was != "" {
			a.ApprovalKey = ""
		}
	}
	a.Run = func(ctx context.Context) (tool.Result, error) { return p.save(ctx, changes) }
	return a
}

func differences(before, after investor.Profile, replies map[string]string) []answerChange {
	var out []answerChange
	previous, current := before.Answers(), after.Answers()
	for _, q := range investor.NewInterview(time.Time{}).Questions() {
		if previous[q.ID] != current[q.ID] {
			out = append(out, answerChange{ID: q.ID, Was: previous[q.ID], Now: current[q.ID], reply: strings.TrimSpace(replies[q.ID])})
		}
	}
	return out
}
