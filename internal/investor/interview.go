package investor

import (
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/usage"
)

// Interview asks for a profile. It holds no answers: those are in the Profile.
type Interview struct {
	today   time.Time
	entries []questionEntry
}

// questionEntry is a question with the place of its answer. set gets no empty text.
type questionEntry struct {
	Question
	get   func(p *Profile) string
	set   func(p *Profile, answer string, today time.Time) error
	clear func(p *Profile)
}

// NewInterview makes the interview of a day, on which birth years and spans of
// years depend. The zero day checks no answer against the present.
func NewInterview(today time.Time) Interview {
	var entries []questionEntry
	for _, part := range [][]questionEntry{personalQuestions(), taxQuestions(), objectiveQuestions(), riskQuestions(), limitQuestions()} {
		entries = append(entries, part...)
	}
	return Interview{today: today, entries: entries}
}

// Questions lists all questions in the order in which they are asked.
func (iv Interview) Questions() []Question {
	out := make([]Question, len(iv.entries))
	for i, e := range iv.entries {
		out[i] = e.Question
	}
	return out
}

// Question finds a question by its ID.
func (iv Interview) Question(id string) (Question, bool) {
	e, ok := iv.entry(id)
	return e.Question, ok
}

// Missing lists the questions that p does not answer, in their order.
func (iv Interview) Missing(p Profile) []Question {
	var out []Question
	for _, e := range iv.entries {
		if e.get(&p) == "" {
			out = append(out, e.Question)
		}
	}
	return out
}

// Set puts an answer into p. An empty answer makes it unknown again. The error is
// ErrUnknownQuestion, or ErrInvalidAnswer with words for the user; p then is as it was.
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

// Answers are the answers of p by the IDs of their questions, each as Set takes it.
// Questions without an answer are left out.
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
