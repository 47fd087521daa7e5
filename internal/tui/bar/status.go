package bar

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// State is what a Status says about the conversation.
type State struct {
	Model string // "offline assistant"
	Agent string // "advisor"
	Data  string // "SAMPLE DATA"; the last word to go when space is short
}

// Status is the last line: what answers, on what data, and where help is.
type Status struct {
	st      *draw.Styles
	state   State
	width   int
	picker  bool
	warning string
}

// NewStatus makes a status line. With picker it says that Ctrl+P picks.
func NewStatus(st *draw.Styles, picker bool) *Status { return &Status{st: st, picker: picker} }

// SetStyles changes the theme.
func (s *Status) SetStyles(st *draw.Styles) { s.st = st }

// SetSize gives the line its width.
func (s *Status) SetSize(width int) { s.width = width }

// SetState changes what is said about the conversation.
func (s *Status) SetState(state State) { s.state = state }

// Warn has a warning take the line for a moment: "press Ctrl+C again to quit".
// With "" the moment is over.
func (s *Status) Warn(warning string) { s.warning = warning }

// Warning draws the warning alone, or is empty.
func (s *Status) Warning() string {
	if s.warning == "" {
		return ""
	}
	return draw.Fit(s.st.Warn.Apply(s.warning), s.width)
}

// View draws one line; narrow, the word that matters most.
func (s *Status) View() string {
	if s.warning != "" {
		return s.Warning()
	}
	data := draw.OneLine(s.state.Data)
	if s.width < draw.Narrow {
		left := data
		if left == "" {
			left = draw.OneLine(s.state.Model)
		}
		return draw.Spread(left, s.st.Dim.Apply("? help"), s.width)
	}
	var parts []string
	for _, part := range []string{draw.OneLine(s.state.Model), draw.OneLine(s.state.Agent)} {
		if part != "" {
			parts = append(parts, s.st.Dim.Apply(part))
		}
	}
	if data != "" {
		parts = append(parts, s.st.Warn.Apply(data))
	}
	left, right := strings.Join(parts, s.st.Dim.Apply(" · ")), "/ commands  ? help"
	if longer := "/ commands  Ctrl+P pick  ? help"; s.picker && ansi.StringWidth(left)+2+len(longer) <= s.width {
		right = longer
	}
	return draw.Spread(left, s.st.Dim.Apply(right), s.width)
}
