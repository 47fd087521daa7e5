package questionnaire

import (
	"context"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/toolbox/personal"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// Form asks for a form of the chat, by a *tui.NeedsError: every question with its answer,
// and what is wrong beside those that do not fit. What it shows in the end says what was
// saved.
func (q Questionnaire) Form(ctx context.Context) (string, error) {
	p, _, err := q.Book.Profile(ctx)
	if err != nil {
		return "", err
	}
	asked := &tui.NeedsError{Title: "profile", Fields: fields(p, nil, nil)}
	asked.Shown = func(values map[string]string) (string, error) {
		answers, problems := personal.Changed(p, values, q.Now())
		if len(problems) > 0 {
			return "", &tui.NeedsError{Title: "profile", Fields: fields(p, values, problems), Shown: asked.Shown}
		}
		return q.answer(ctx, answers)
	}
	return "", asked
}

func fields(p investor.Profile, values, problems map[string]string) []form.Field {
	var all []form.Field
	for _, f := range personal.Fields(p) {
		if v, ok := values[f.Name]; ok {
			f.Value = v
		}
		all = append(all, form.Field{Name: f.Name, About: f.About, Hint: f.Hint, Value: f.Value, Choices: f.Choices, Problem: problems[f.Name]})
	}
	return all
}

// answer saves answers, and says so.
func (q Questionnaire) answer(ctx context.Context, answers map[string]string) (string, error) {
	if len(answers) == 0 {
		return "The profile is as it was.\n", nil
	}
	p, err := q.with(ctx, answers)
	if err != nil {
		return "", err
	}
	p.UpdatedAt = q.Now().UTC()
	if err := q.Book.SaveProfile(ctx, p); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The profile is saved: %s changed.\n", console.Count(len(answers), "answer"))
	for _, i := range p.Inconsistencies(q.Now()) {
		fmt.Fprintf(&b, "- %s; %s\n", i.Says, i.Suggests)
	}
	return b.String(), nil
}
