package app

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// ProfileEditor asks for a profile and saves it. Form writes to neither Out nor Notices.
type ProfileEditor struct {
	Store investor.ProfileStore
	Now   func() time.Time
	// Draft is the file that the user edits. It must not be in the system's temporary folder,
	// because it contains amounts.
	Draft   string
	Out     io.Writer // questions and results
	Notices io.Writer // warnings for the user
}

// ProfileEditor returns the editor of the user's profile.
func (a *App) ProfileEditor(out, notices io.Writer) ProfileEditor {
	return ProfileEditor{Store: a.Stores.Portfolio, Now: a.Now, Draft: filepath.Join(a.Home, "profile-edit.yaml"), Out: out, Notices: notices}
}

// withAnswers returns the saved profile with answers added. It reads the profile again, because it
// may have changed while the user answered.
func (q ProfileEditor) withAnswers(ctx context.Context, answers map[string]string) (investor.Profile, error) {
	p, _, err := q.Store.Profile(ctx)
	if err != nil {
		return p, err
	}
	interview := investor.NewInterview(q.Now())
	for _, question := range interview.Questions() {
		answer, answered := answers[question.ID]
		if !answered {
			continue
		}
		if err := interview.Set(&p, question.ID, answer); err != nil {
			return p, err
		}
	}
	return p, nil
}

// save saves the profile and reports answers that contradict each other.
func (q ProfileEditor) save(ctx context.Context, p investor.Profile) error {
	p.UpdatedAt = q.Now().UTC()
	if err := q.Store.SaveProfile(ctx, p); err != nil {
		return err
	}
	fmt.Fprintln(q.Out, "profile saved")
	for _, i := range p.Inconsistencies(q.Now()) {
		fmt.Fprintf(q.Out, "- %s\n", markdown.SanitizeLine(i.Message+"; "+i.Advice))
	}
	return nil
}
