package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Edit writes the questions and answers to the draft, calls edit, and saves the result. If the text
// is invalid, the editor fails, or the saved profile has changed, the draft is kept and the next
// Edit continues with it.
func (q ProfileEditor) Edit(ctx context.Context, edit func(file string) error) error {
	previous, err := q.writeDraft(ctx)
	if err != nil {
		return err
	}
	editErr := edit(q.Draft)
	// nfa also receives Ctrl-C from the editor; it must not lose the text.
	ctx = context.WithoutCancel(ctx)
	after, err := os.ReadFile(q.Draft)
	switch {
	case err != nil:
		return errors.Join(editErr, fmt.Errorf("read the edited profile: %w", err))
	case bytes.Equal(previous, after) && editErr != nil:
		return errors.Join(editErr, os.Remove(q.Draft))
	case bytes.Equal(previous, after):
		_, err := fmt.Fprintln(q.Out, "the profile is unchanged")
		return errors.Join(err, os.Remove(q.Draft))
	}
	err = editErr
	if err == nil {
		err = q.checkUnchanged(ctx, previous)
	}
	if err == nil {
		err = q.saveText(ctx, after)
	}
	if err != nil {
		return fmt.Errorf("%w\nyour text is saved in %s; open it again with nfa profile edit", err, q.Draft)
	}
	return os.Remove(q.Draft)
}

// Put saves a profile from the text of a file. If the file is the draft, Put deletes it. Invalid
// text is a usage error.
func (q ProfileEditor) Put(ctx context.Context, text []byte, file string) error {
	if err := q.saveText(ctx, text); err != nil || !sameFile(file, q.Draft) {
		return err
	}
	return os.Remove(q.Draft)
}

// checkUnchanged returns an error if the saved profile is not the one that was edited.
func (q ProfileEditor) checkUnchanged(ctx context.Context, before []byte) error {
	saved, err := q.savedText(ctx)
	if err == nil && !bytes.Equal(saved, before) {
		err = errors.New("another program has changed the profile; see it with nfa profile, or save again to replace it")
	}
	return err
}

// savedText returns the saved profile as editable text.
func (q ProfileEditor) savedText(ctx context.Context) ([]byte, error) {
	p, _, err := q.Store.Profile(ctx)
	if err != nil {
		return nil, err
	}
	return investor.NewInterview(q.Now()).WriteYAML(p)
}

// writeDraft writes the profile to the draft and returns the saved profile as text. It does not
// overwrite a draft with invalid text.
func (q ProfileEditor) writeDraft(ctx context.Context) ([]byte, error) {
	saved, err := q.savedText(ctx)
	if err != nil {
		return nil, err
	}
	err = atomicfile.Create(q.Draft, saved, 0o600, false)
	if !errors.Is(err, atomicfile.ErrExists) {
		return saved, err
	}
	fmt.Fprintf(q.Notices, "this is your unsaved text; saving replaces the profile. To start over, delete %s\n", q.Draft)
	return saved, nil
}

func sameFile(one, other string) bool {
	a, errA := os.Stat(one)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

func (q ProfileEditor) saveText(ctx context.Context, text []byte) error {
	p, err := investor.NewInterview(q.Now()).ReadYAML(text)
	if err != nil {
		return usage.Errorf("%w", err)
	}
	return q.save(ctx, p)
}
