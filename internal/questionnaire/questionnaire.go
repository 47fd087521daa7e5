// Package questionnaire is how people say themselves who they are as investors: question by
// question in lines (Ask), as a file in their editor (Edit, Put), or in a form of the chat
// (Form). What a question takes is the interview's to say, in internal/investor; no model
// has a part in it.
package questionnaire

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Questionnaire asks for a profile and saves it. Form writes to neither Out nor Notices.
type Questionnaire struct {
	Book investor.Store
	Now  func() time.Time
	// Draft is the file in which the profile is edited. It should not be in the system's
	// folder for such files, because it says how much the user has.
	Draft   string
	Out     io.Writer // questions, and what became of the answers
	Notices io.Writer // what the user should know beside that
}

// with is the profile as it is now, with answers in it: while they were given, others may
// have been.
func (q Questionnaire) with(ctx context.Context, answers map[string]string) (investor.Profile, error) {
	p, _, err := q.Book.Profile(ctx)
	if err != nil {
		return p, err
	}
	interview := investor.NewInterview(q.Now())
	for _, question := range interview.Questions() {
		answer, given := answers[question.ID]
		if !given {
			continue
		}
		if err := interview.Set(&p, question.ID, answer); err != nil {
			return p, err
		}
	}
	return p, nil
}

// save keeps the profile, and says what does not fit together in it.
func (q Questionnaire) save(ctx context.Context, p investor.Profile) error {
	p.UpdatedAt = q.Now().UTC()
	if err := q.Book.SaveProfile(ctx, p); err != nil {
		return err
	}
	fmt.Fprintln(q.Out, "the profile is saved")
	for _, i := range p.Inconsistencies(q.Now()) {
		fmt.Fprintf(q.Out, "- %s\n", markdown.SanitizeLine(i.Says+"; "+i.Suggests))
	}
	return nil
}
