package advice

import (
	"errors"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
)

// ProfileField is one row of the profile form.
type ProfileField struct {
	Name    string   // the ID of the question
	About   string   // the question
	Hint    string   // why nfa asks, what the choices mean, and an example
	Value   string   // the current answer; "" is unknown
	Choices []string // possible values; empty if any text is allowed
}

// ProfileFields returns every question in order, with its current answer.
func ProfileFields(p investor.Profile) []ProfileField {
	answers := p.Answers()
	var out []ProfileField
	for _, q := range investor.NewInterview(time.Time{}).Questions() {
		f := ProfileField{Name: q.ID, About: q.Text, Hint: q.Why, Value: answers[q.ID]}
		var meanings []string
		for _, c := range q.Choices {
			f.Choices = append(f.Choices, c.Value)
			meanings = append(meanings, c.Value+": "+c.Text)
		}
		if meanings != nil {
			f.Hint += " " + strings.Join(meanings, "; ") + "."
		}
		if q.Example != "" {
			f.Hint += " For example: " + q.Example
		}
		out = append(out, f)
	}
	return out
}

// ChangedFields compares the values of a form with p. answers are the changed ones, as
// investor_profile takes them with action answer. problems are the errors of invalid values, by
// field name. Values with unknown names are ignored.
func ChangedFields(p investor.Profile, values map[string]string, today time.Time) (answers, problems map[string]string) {
	answers, problems = map[string]string{}, map[string]string{}
	interview, previous := investor.NewInterview(today), p.Answers()
	for _, q := range interview.Questions() {
		value, ok := values[q.ID]
		value = strings.TrimSpace(value)
		// Unchanged values are not parsed again, because a future year may have passed.
		if !ok || value == previous[q.ID] {
			continue
		}
		after := p
		if err := interview.Set(&after, q.ID, value); err != nil {
			problems[q.ID] = trimQuestionName(q.ID, err)
		} else if after.Answers()[q.ID] != previous[q.ID] {
			answers[q.ID] = value
		}
	}
	return answers, problems
}

// trimQuestionName shortens an error for a place that already shows the question's name.
func trimQuestionName(id string, err error) string {
	text := strings.TrimPrefix(err.Error(), id+": ")
	if errors.Is(err, investor.ErrInvalidAnswer) {
		text = strings.TrimPrefix(text, investor.ErrInvalidAnswer.Error()+": ")
	}
	return text
}
