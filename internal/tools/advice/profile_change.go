package advice

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// answerChange is one answer, before and after.
type answerChange struct {
	ID  string     `json:"id" label:"question"`
	Now answerText `json:"now" label:"now"`
	Was answerText `json:"was" label:"before"`

	reply string // in the user's words
}

// line describes the change for the approval.
func (c answerChange) line() string {
	current := cmp.Or(c.Now.text, unknownAnswer)
	if c.Now.text != "" && c.reply != "" && !strings.EqualFold(c.reply, c.Now.text) {
		current += fmt.Sprintf(", from %q", toolkit.Abbreviate(c.reply))
	}
	return fmt.Sprintf("%s: %s (was %s)", c.ID, current, cmp.Or(c.Was.text, unknownAnswer))
}

// planAnswer prepares saving answers. If one is invalid, none is saved.
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
		if replies[q.ID], err = replyText(q.ID, value); err != nil {
			return toolkit.RefusedPlan(err)
		}
		if err := interview.Set(&after, q.ID, replies[q.ID]); err != nil {
			return toolkit.RefusedPlan(answerError(q, err))
		}
	}
	return p.planChange(have.Profile, after, replies)
}

// planClear prepares to clear answers.
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

// replyText converts an answer to text. Models may write numbers and lists instead.
func replyText(id string, value any) (string, error) {
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
				return "", toolkit.InvalidArgsf("%s: write the answer as text, with items separated by semicolons", id)
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, "; "), nil
	}
	return "", toolkit.InvalidArgsf("%s: write the answer as text", id)
}

// answerError reports why an answer is invalid. The error may quote the answer, so a model that may
// not see amounts gets an example instead.
func answerError(q investor.Question, err error) error {
	public := toolkit.OwnWords(err.Error()).Redacted()
	if q.Example != "" {
		public += "; for example: " + q.Example
	}
	return toolkit.InvalidArgs(toolkit.RedactError(err, public))
}

// planChange returns the plan that changes before to after. If nothing differs, it changes nothing.
// An approval for the session covers only unknown answers; replacing an answer is asked each time.
func (p *profileTool) planChange(before, after investor.Profile, replies map[string]string) toolkit.MutationPlan {
	changes := differences(before, after, replies)
	if len(changes) == 0 {
		return toolkit.ReadOnlyPlan(func(context.Context) (tool.Result, error) { return p.saveResult(before, nil), nil })
	}
	a := toolkit.MutationPlan{ApprovalKey: "answer"}
	for _, c := range changes {
		a.Changes = append(a.Changes, c.line())
		if c.Was.text != "" {
			a.ApprovalKey = ""
		}
	}
	a.Run = func(ctx context.Context) (tool.Result, error) { return p.save(ctx, changes) }
	return a
}

func differences(before, after investor.Profile, replies map[string]string) []answerChange {
	var out []answerChange
	previous, current := answerTexts(before), answerTexts(after)
	for _, q := range investor.NewInterview(time.Time{}).Questions() {
		if previous[q.ID].text != current[q.ID].text {
			out = append(out, answerChange{ID: q.ID, Was: previous[q.ID], Now: current[q.ID], reply: strings.TrimSpace(replies[q.ID])})
		}
	}
	return out
}

// save writes the previewed answers into the current profile, because other answers may have been
// saved since.
func (p *profileTool) save(ctx context.Context, changes []answerChange) (tool.Result, error) {
	p.saving.Lock()
	defer p.saving.Unlock()
	have, err := p.load(ctx)
	if err != nil {
		return toolkit.RefusalResult(err)
	}
	before, answers := have.Profile, have.Answers()
	after := before
	// Parse the stored texts, not the user's replies, because relative dates were resolved when
	// the question was answered.
	interview := investor.NewInterview(time.Time{})
	for _, c := range changes {
		if answers[c.ID] != c.Was.text {
			return toolkit.RefusalResult(toolkit.InvalidArgsf("%s has changed since the preview; call again", c.ID))
		}
		if err := interview.Set(&after, c.ID, c.Now.text); err != nil {
			return tool.Result{}, fmt.Errorf("save answer: %w", err)
		}
	}
	// The store keeps whole seconds only.
	after.UpdatedAt = p.Now().UTC().Truncate(time.Second)
	if err := p.Investor.SaveProfile(ctx, after); err != nil {
		if errors.Is(err, investor.ErrNewerVersion) {
			return toolkit.RefusalResult(toolkit.InvalidArgs(err))
		}
		return tool.Result{}, fmt.Errorf("save investor profile: %w", err)
	}
	return p.saveResult(after, changes), nil
}

// changedAnswer reports the saved answers, new contradictions and unanswered questions.
type changedAnswer struct {
	Changed         []answerChange  `json:"changed" table:"Changes"`
	Inconsistencies []inconsistency `json:"inconsistencies"`
	Left            int             `json:"left" label:"unanswered" unit:"questions"`
	Advice          []adviceBasis   `json:"advice"`
	Next            string          `json:"next"`
	toolkit.Origin
}

func (p *profileTool) saveResult(profile investor.Profile, changes []answerChange) tool.Result {
	a := changedAnswer{
		Changed: append([]answerChange{}, changes...), Inconsistencies: p.inconsistencies(profile),
		Left: len(p.interview().Missing(profile)), Advice: p.advice(profile), Origin: p.profileOrigin(loadedProfile{Profile: profile}),
	}
	a.Next = nextQuestions
	switch {
	case len(changes) == 0:
		a.Next = "nothing was changed: the profile already has these answers"
	case len(a.Inconsistencies) > 0:
		a.Next = nextContradiction
	case a.Left == 0:
		a.Next = nothingLeft
	}
	return toolkit.Render(a)
}

// Headline implements [toolkit.Answer].
func (a changedAnswer) Headline(lang string) string {
	n, contradictions := len(a.Changed), len(a.Inconsistencies)
	if lang == "zh" {
		return fmt.Sprintf("更改了 %d 个回答；还有 %d 个问题未回答，%d 处矛盾。", n, a.Left, contradictions)
	}
	if n == 0 {
		return fmt.Sprintf("Nothing was changed; %s unanswered.", counted(a.Left, "question"))
	}
	return fmt.Sprintf("%s changed; %s unanswered, %s.", counted(n, "answer"), counted(a.Left, "question"), counted(contradictions, "contradiction"))
}

// Title implements [toolkit.Titled].
func (changedAnswer) Title() string { return profileTitle }

// Text implements [toolkit.Texter].
func (a changedAnswer) Text() string { return contradictions(a.Inconsistencies) }
