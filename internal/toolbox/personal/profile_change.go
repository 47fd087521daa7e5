package personal

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/act"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

const unknown = "unknown"

// changed is one answer, before and after. What is unknown is "".
type changed struct {
	ID  string `json:"id"`
	Was string `json:"was"`
	Now string `json:"now"`

	said string // in the user's words
}

// line is what the user is asked to allow.
func (c changed) line() string {
	now := cmp.Or(c.Now, unknown)
	if c.Now != "" && c.said != "" && !strings.EqualFold(c.said, c.Now) {
		now += fmt.Sprintf(", said as %q", present.Abridged(c.said))
	}
	return fmt.Sprintf("%s: %s (was %s)", c.ID, now, cmp.Or(c.Was, unknown))
}

type changedAnswer struct {
	Changed         []changed                `json:"changed"`
	Inconsistencies []investor.Inconsistency `json:"inconsistencies"`
	Left            int                      `json:"left"` // unanswered questions
	Advice          []investor.Basis         `json:"advice"`
	Amounts         string                   `json:"amounts,omitempty"`
	Next            string                   `json:"next"`
	present.Origin
}

// readyAnswer makes answers ready to be kept. One that does not fit refuses them all.
func (p *profiles) readyAnswer(ctx context.Context, in investorProfileInput) act.Act {
	have, err := p.loadForChange(ctx)
	if err != nil {
		return act.Refusing(err)
	}
	interview := p.interview()
	for id := range in.Answers {
		if _, ok := interview.Question(id); !ok {
			return act.Refusing(unknownQuestion(interview, id))
		}
	}
	after, said := have.Profile, map[string]string{}
	for _, q := range interview.Questions() {
		value, ok := in.Answers[q.ID]
		if !ok {
			continue
		}
		if said[q.ID], err = answerText(q.ID, value); err != nil {
			return act.Refusing(err)
		}
		if err := interview.Set(&after, q.ID, said[q.ID]); err != nil {
			return act.Refusing(p.misfit(q, err))
		}
	}
	return p.change(have.Profile, after, said)
}

// readyClear makes answers ready to be forgotten.
func (p *profiles) readyClear(ctx context.Context, in investorProfileInput) act.Act {
	have, err := p.loadForChange(ctx)
	if err != nil {
		return act.Refusing(err)
	}
	if in.IDs == nil {
		return p.change(have.Profile, investor.Profile{}, nil)
	}
	after, interview := have.Profile, p.interview()
	for _, id := range in.IDs {
		if err := interview.Set(&after, id, ""); err != nil {
			return act.Refusing(act.Invalid(err))
		}
	}
	return p.change(have.Profile, after, nil)
}

func (p *profiles) loadForChange(ctx context.Context) (known, error) {
	if err := act.Writable(p.Prices); err != nil {
		return known{}, err
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
		for _, one := range v {
			text, ok := one.(string)
			if !ok {
				return "", act.Invalidf("%s: give the answer as text, items divided by semicolons", id)
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, "; "), nil
	}
	return "", act.Invalidf("%s: give the answer as text", id)
}

// misfit is why an answer does not fit, without the sums in it where they are hidden.
func (p *profiles) misfit(q investor.Question, err error) error {
	if !p.HideAmounts || !holdsSums(q) {
		return act.Invalid(err)
	}
	return act.Invalidf("%s: %w; it looks like this: %s", q.ID, investor.ErrAnswer, q.Example)
}

// change is the act that makes after of before. Without a difference it only says
// so. An approval for the session holds for filling in what is unknown; what takes
// the place of an answer is asked for each time.
func (p *profiles) change(before, after investor.Profile, said map[string]string) act.Act {
	changes := differences(before, after, said)
	if len(changes) == 0 {
		return act.Reading(func(context.Context) (tool.Result, error) { return p.answered(before, nil) })
	}
	a := act.Act{Standing: "answer"}
	for _, c := range changes {
		a.Plan = append(a.Plan, c.line())
		if c.Was != "" {
			a.Standing = ""
		}
	}
	a.Run = func(ctx context.Context) (tool.Result, error) { return p.save(ctx, changes) }
	return a
}

func differences(before, after investor.Profile, said map[string]string) []changed {
	var out []changed
	was, now := before.Answers(), after.Answers()
	for _, q := range investor.NewInterview(time.Time{}).Questions() {
		if was[q.ID] != now[q.ID] {
			out = append(out, changed{ID: q.ID, Was: was[q.ID], Now: now[q.ID], said: strings.TrimSpace(said[q.ID])})
		}
	}
	return out
}
