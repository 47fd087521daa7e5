package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Form asks all questions at once by returning a *tui.MissingInputError with the current answers
// and their problems. The final message states what was saved.
func (q ProfileEditor) Form(ctx context.Context) (string, error) {
	p, _, err := q.Store.Profile(ctx)
	if err != nil {
		return "", err
	}
	request := &tui.MissingInputError{Title: "profile", Fields: profileFields(p, nil, nil)}
	request.Show = func(values map[string]string) (string, error) {
		answers, problems := advice.ChangedFields(p, values, q.Now())
		if len(problems) > 0 {
			return "", &tui.MissingInputError{Title: "profile", Fields: profileFields(p, values, problems), Show: request.Show}
		}
		return q.saveAnswers(ctx, answers)
	}
	return "", request
}

func profileFields(p investor.Profile, values, problems map[string]string) []widget.FormField {
	var all []widget.FormField
	for _, f := range advice.ProfileFields(p) {
		if v, ok := values[f.Name]; ok {
			f.Value = v
		}
		all = append(all, widget.FormField{Name: f.Name, About: f.About, Hint: f.Hint, Value: f.Value, Choices: f.Choices, Problem: problems[f.Name]})
	}
	return all
}

// saveAnswers saves answers and returns a message.
func (q ProfileEditor) saveAnswers(ctx context.Context, answers map[string]string) (string, error) {
	if len(answers) == 0 {
		return "The profile is unchanged.\n", nil
	}
	p, err := q.withAnswers(ctx, answers)
	if err != nil {
		return "", err
	}
	p.UpdatedAt = q.Now().UTC()
	if err := q.Store.SaveProfile(ctx, p); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Profile saved: %s changed.\n", cli.CountNoun(len(answers), "answer"))
	for _, i := range p.Inconsistencies(q.Now()) {
		fmt.Fprintf(&b, "- %s; %s\n", i.Message, i.Advice)
	}
	return b.String(), nil
}
