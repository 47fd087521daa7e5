package tui

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// acceptsFiles reports whether a message may name files.
func (m *Model) acceptsFiles(text string) bool {
	return m.cfg.Attach != nil && len(widget.FindMentions(text)) > 0
}

// attachFiles builds the input of a turn from a message: it reads the attached files and prepares
// the skill. It runs outside the update loop.
func (m *Model) attachFiles(s submission) (input agent.Input, err error) {
	input = agent.Input{Text: s.text}
	if s.skill != nil {
		if input, err = s.skill.Prepare(s.args); err != nil {
			return input, err
		}
		if input.Text == "" {
			input.Text = s.text
		}
	}
	if !m.acceptsFiles(s.text) {
		return input, nil
	}
	return m.cfg.Attach(input)
}

// displayText is what the transcript says of a message: what was typed, and what was
// attached to it.
func displayText(typed string, input agent.Input) string {
	if strings.HasPrefix(input.Text, typed) {
		return input.Text
	}
	return typed
}

// undoStep undoes the last change of the draft (-1), or redoes it (+1).
func (m *Model) undoStep(step int) {
	if m.composer.UndoStep(step) {
		m.updateCompletion()
		m.closeLists()
	}
}

// expandPaste shows the paste before the cursor.
func (m *Model) expandPaste() {
	if m.composer.ExpandPaste() {
		m.transcript.Say(transcript.Info, "this paste is too long to be shown here; it is sent whole, and "+m.keys.Label("editor")+" shows it in your editor")
	}
	m.updateCompletion()
}
