package investor

import (
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/usage"
)

// Interview asks for a profile. The answers are in the Profile.
type Interview struct {
	today   time.Time
	entries []questionEntry
}

// questionEntry is a question with access to its answer. set is never called with empty text.
type questionEntry struct {
	Question
	get   func(p *Profile) string
	set   func(p *Profile, answer string, today time.Time) error
	clear func(p *Profile)
}

// NewInterview returns the interview for a date, which birth years and numbers of years refer to.
// With the zero date, answers are not checked against the present.
func NewInterview(today time.Time) Interview {
	var entries []questionEntry
	for _, part := range [][]questionEntry{personalQuestions(), taxQuestions(), objectiveQuestions(), riskQuestions(), limitQuestions()} {
		entries = append(entries, part...)
	}
	return Interview{today: today, entries: entries}
}

// Questions returns all questions in order.
func (iv Interview) Questions() []Question {
	out := make([]Question, len(iv.entries))
	for i, e := range iv.entries {
		out[i] = e.Question
	}
	return out
}

// Question returns a question by its ID.
func (iv Interview) Question(id string) (Question, bool) {
	e, ok := iv.entry(id)
	return e.Question, ok
}

// Missing returns the questions that p does not answer, in order.
func (iv Interview) Missing(p Profile) []Question {
	var out []Question
	for _, e := range iv.entries {
		if e.get(&p) == "" {
			out = append(out, e.Question)
		}
	}
	return out
}

// Set sets an answer of p. An empty answer makes it unknown. The error is ErrUnknownQuestion, or
// ErrInvalidAnswer with a message for the user; p is then unchanged.
func (iv Interview) Set(p *Profile, id, answer string) error {
	e, ok := iv.entry(id)
	if !ok {
		return fmt.Errorf("%w %q; %s", ErrUnknownQuestion, clip(id), usage.DidYouMean(id, iv.ids()))
	}
	answer, err := cleanAnswer(answer)
	switch {
	case err != nil:
	case answer == "":
		e.clear(p)
	default:
		err = e.set(p, answer, iv.today)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", id, ErrInvalidAnswer, err)
	}
	return nil
}

// Answers returns the answers of p by question ID, in the form that Set accepts, without unanswered
// questions.
func (p Profile) Answers() map[string]string {
	answers := map[string]string{}
	for _, e := range NewInterview(time.Time{}).entries {
		if text := e.get(&p); text != "" {
			answers[e.ID] = text
		}
	}
	return answers
}

func (iv Interview) entry(id string) (questionEntry, bool) {
	for _, e := range iv.entries {
		if e.ID == id {
			return e, true
		}
	}
	return questionEntry{}, false
}

func (iv Interview) ids() []string {
	ids := make([]string, len(iv.entries))
	for i, e := range iv.entries {
		ids[i] = e.ID
	}
	return ids
}
