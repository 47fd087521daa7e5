package shelves

import (
	"errors"
	"fmt"
	"sync"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skillset"
	"github.com/nfa-cli/nfa/internal/tui"
)

// editFields asks for the fields of a skill as they stand, and writes those that
// were changed.
func (s Skills) editFields(name string) (tui.Outcome, error) {
	content, err := s.Registry.Load(name)
	if err != nil {
		return tui.Outcome{}, err
	}
	d, err := frontmatter.Open([]byte(content.Text))
	if err != nil {
		return tui.Outcome{}, err
	}
	form := &tui.Form{Title: "Edit " + name, Fields: editable()}
	was := map[string]string{}
	for i, field := range form.Fields {
		was[field.Name], _, err = d.Text(field.Name)
		if err != nil {
			return tui.Outcome{}, err
		}
		form.Fields[i].Value = was[field.Name]
	}
	form.Fill = func(values map[string]string) (tui.Outcome, error) {
		text, err := withFields([]byte(content.Text), was, values)
		if err != nil {
			return again(form, values, err)
		}
		done, err := s.putText(name, content.Text, text)
		if err != nil {
			return again(form, values, err)
		}
		return installed("wrote", "", done), nil
	}
	return tui.Outcome{Ask: form}, nil
}

// withFields is a SKILL.md with the fields set that are not as they were.
func withFields(text []byte, was, values map[string]string) ([]byte, error) {
	for _, field := range editable() {
		value := values[field.Name]
		if value == was[field.Name] {
			continue
		}
		var err error
		if text, err = frontmatter.SetField(text, field.Name, value); err != nil {
			return nil, fmt.Errorf("setting %s: %w", field.Name, err)
		}
	}
	return text, nil
}

// putText puts a text in the place of the one that was being edited.
func (s Skills) putText(name, before string, after []byte) (install.Installed, error) {
	now, err := s.Registry.Load(name)
	if err != nil {
		return install.Installed{}, err
	}
	if now.Text != before {
		return install.Installed{}, fmt.Errorf("%s was changed meanwhile: close the form and open it again", name)
	}
	done, err := s.Set.Installer().Write(name, after)
	return done, s.Set.Explained(err)
}

// textEditor lets the user's editor have SKILL.md files for as long as the shelf is
// open, and remembers the texts that were not valid: they are gone on with.
type textEditor struct {
	Skills
	mu   sync.Mutex
	kept map[string]skillset.Draft // by skill
}

func newTextEditor(s Skills) *textEditor {
	return &textEditor{Skills: s, kept: map[string]skillset.Draft{}}
}

// edit lets the user's editor have a copy, which takes the place of the SKILL.md
// when it is valid.
func (t *textEditor) edit(name string) (tui.Outcome, error) {
	d, err := t.draftOf(t.known(name))
	if err != nil {
		return tui.Outcome{}, err
	}
	cmd, err := t.Editor(d.Copy)
	if err != nil {
		return tui.Outcome{}, err
	}
	return tui.Outcome{Exec: &tui.Exec{Cmd: cmd, Then: func(editErr error) (tui.Outcome, error) {
		done, changed, err := t.Set.Finish(d, editErr)
		t.remember(d, err)
		var kept *skillset.KeptError
		switch {
		case errors.As(err, &kept):
			return tui.Outcome{}, fmt.Errorf("b opens your text again: %w (kept in %s)", kept.Err, console.Path(d.Copy))
		case err != nil:
			return tui.Outcome{}, err
		case !changed:
			return tui.Outcome{Said: d.Name + " is as it was"}, nil
		}
		return installed("wrote", "", done), nil
	}}}, nil
}

// draftOf is the text that was kept of a skill, else a fresh copy.
func (t *textEditor) draftOf(name string) (skillset.Draft, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d, ok := t.kept[name]; ok && t.Set.Stands(d) {
		return d, nil
	}
	d, err := t.Set.OpenDraft(name)
	if err == nil {
		// Also one whose editor does not start.
		t.kept[name] = d
	}
	return d, err
}

// remember keeps a draft in mind while its text is not in its place.
func (t *textEditor) remember(d skillset.Draft, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var kept *skillset.KeptError
	if !errors.As(err, &kept) {
		delete(t.kept, d.Name)
	}
}
