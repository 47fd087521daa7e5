package advice

import (
	"errors"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
)

// ProfileField is one row of a form that asks for a profile.
type ProfileField struct {
	Name    string   // the ID of the question
	About   string   // the question
	Hint    string   // why it is asked, what its choices mean, and an example
	Value   string   // the answer so far; "" is unknown
	Choices []string // values of Value to go through; none where it is written freely
}

// ProfileFields is the form of a profile: every question in its order with the answer that
// it has.
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

// ChangedFields are the values of a form that differ from what p says, as investor_profile
// takes them with action answer, and by the names of their fields what is wrong with
// those that are no answers. Values of other names are left out.
func ChangedFields(p investor.Profile, values map[string]string, today time.Time) (answers, problems map[string]string) {
	answers, problems = map[string]string{}, map[string]string{}
	interview, previous := investor.NewInterview(today), p.Answers()
	for _, q := range interview.Questions() {
		value, ok := values[q.ID]
		value = strings.TrimSpace(value)
		// What stands there is not read again: a year that was to come may be past now.
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

// trimQuestionName is what is wrong, for a place that has the question's name already.
func trimQuestionName(id string, err error) string {
	text := strings.TrimPrefix(err.Error(), id+": ")
	if errors.Is(err, investor.ErrInvalidAnswer) {
		text = strings.TrimPrefix(text, investor.ErrInvalidAnswer.Error()+": ")
	}
	return text
}
