package screens

import (
	"errors"
	"fmt"
	"sync"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/tui"
)

// editFields asks for the fields of a skill and writes the changed ones.
func (s Skills) editFields(name string) (tui.ActionResult, error) {
	content, err := s.App.Skills.Registry.Load(name)
	if err != nil {
		return tui.ActionResult{}, err
	}
	d, err := frontmatter.Open([]byte(content.Text))
	if err != nil {
		return tui.ActionResult{}, err
	}
	form := &tui.ActionForm{Title: "Edit " + name, Fields: editableFields()}
	previous := map[string]string{}
	for i, field := range form.Fields {
		if isListField(field.Name) {
			previous[field.Name], err = d.Flow(field.Name)
		} else {
			previous[field.Name], _, err = d.Text(field.Name)
		}
		if err != nil {
			return tui.ActionResult{}, err
		}
		form.Fields[i].Value = previous[field.Name]
	}
	form.Fill = func(values map[string]string) (tui.ActionResult, error) {
		text, err := withFields([]byte(content.Text), previous, values)
		if err != nil {
			return retryForm(form, values, err)
		}
		result, err := s.replaceText(name, content.Text, text)
		if err != nil {
			return retryForm(form, values, err)
		}
		return installedOutcome("wrote", "", result), nil
	}
	return tui.ActionResult{Ask: form}, nil
}

// isListField reports whether a form edits a field as YAML on one line.
func isListField(name string) bool { return name == "parameters" || name == "tools_required" }

// withFields returns the text of a SKILL.md with the changed fields set.
func withFields(text []byte, previous, values map[string]string) ([]byte, error) {
	for _, field := range editableFields() {
		value := values[field.Name]
		if value == previous[field.Name] {
			continue
		}
		set := frontmatter.SetField
		if isListField(field.Name) {
			set = frontmatter.SetFlow
		}
		var err error
		if text, err = set(text, field.Name, value); err != nil {
			return nil, fmt.Errorf("set %s: %w", field.Name, err)
		}
	}
	return text, nil
}

// replaceText replaces the text that was edited, unless it changed in the meantime.
func (s Skills) replaceText(name, before string, after []byte) (install.Result, error) {
	current, err := s.App.Skills.Registry.Load(name)
	if err != nil {
		return install.Result{}, err
	}
	if current.Text != before {
		return install.Result{}, fmt.Errorf("%s has changed since you opened the form; close it and open it again", name)
	}
	result, err := s.App.Skills.Installer().Write(name, after)
	return result, s.App.Skills.ExplainError(err)
}

// textEditor opens SKILL.md files in the user's editor. While the screen is open it remembers
// invalid texts, so that the user can continue editing them.
type textEditor struct {
	Skills
	mu     sync.Mutex
	drafts map[string]library.Draft // by skill
}

func newTextEditor(s Skills) *textEditor {
	return &textEditor{Skills: s, drafts: map[string]library.Draft{}}
}

// edit opens a copy in the user's editor. The copy replaces the SKILL.md if it is valid.
func (t *textEditor) edit(name string) (tui.ActionResult, error) {
	d, err := t.draftOf(t.installedName(name))
	if err != nil {
		return tui.ActionResult{}, err
	}
	cmd, err := cli.EditorCommand(t.App.Env, d.Copy)
	if err != nil {
		return tui.ActionResult{}, err
	}
	return tui.ActionResult{Exec: &tui.ExecRequest{Cmd: cmd, Then: func(editErr error) (tui.ActionResult, error) {
		result, changed, err := t.App.Skills.FinishDraft(d, editErr)
		t.remember(d, err)
		var keptErr *library.DraftKeptError
		switch {
		case errors.As(err, &keptErr):
			return tui.ActionResult{}, fmt.Errorf("%w; your text is in %s (press b to open it again)", keptErr.Err, humanize.ShortPath(d.Copy))
		case err != nil:
			return tui.ActionResult{}, err
		case !changed:
			return tui.ActionResult{Message: d.Name + " is unchanged"}, nil
		}
		return installedOutcome("wrote", "", result), nil
	}}}, nil
}

// draftOf returns the remembered draft of a skill, or else a new copy.
func (t *textEditor) draftOf(name string) (library.Draft, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d, ok := t.drafts[name]; ok && t.App.Skills.DraftCurrent(d) {
		return d, nil
	}
	d, err := t.App.Skills.OpenDraft(name)
	if err == nil {
		// Remember it even if the editor does not start.
		t.drafts[name] = d
	}
	return d, err
}

// remember stores a draft until it has replaced the SKILL.md.
func (t *textEditor) remember(d library.Draft, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var keptErr *library.DraftKeptError
	if !errors.As(err, &keptErr) {
		delete(t.drafts, d.Name)
	}
}
