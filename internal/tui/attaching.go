package tui

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// attaches reports whether a message may name files.
func (m *Model) attaches(text string) bool {
	return m.cfg.Attach != nil && len(draft.Mentions(text)) > 0
}

// prepare makes what is sent of a message, beside the screen.
func (m *Model) prepare(s submission) (input agent.Input, err error) {
	input = agent.Input{Text: s.text}
	if s.skill != nil {
		if input, err = s.skill.Prepare(s.args); err != nil {
			return input, err
		}
		if input.Text == "" {
			input.Text = s.text
		}
	}
	if !m.attaches(s.text) {
		return input, nil
	}
	return m.cfg.Attach(input)
}

// shownAs is what the transcript says of a message: what was typed, and what was
// attached to it.
func shownAs(typed string, input agent.Input) string {
	if strings.HasPrefix(input.Text, typed) {
		return input.Text
	}
	return typed
}

// revert undoes a step of what is written, or with +1 takes that back.
func (m *Model) revert(step int) {
	if m.composer.Revert(step) {
		m.typed()
		m.closeLists()
	}
}

// unfold shows the paste before the cursor.
func (m *Model) unfold() {
	if m.composer.Unfold() {
		m.transcript.Say(transcript.Info, "this paste is too long to be shown here; it is sent whole, and "+m.keys.Label("editor")+" shows it in your editor")
	}
	m.typed()
}
