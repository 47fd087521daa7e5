package bar

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// State is what a Status says about the conversation.
type State struct {
	Model   string // "offline assistant"
	Agent   string // "advisor"
	Context string // how full the model's window is: "12% of 128k", or "" where that is not known
	Spent   string // on the conversation so far: "4.2k tokens, $0.02", or ""
	Data    string // "SAMPLE DATA"; the last word to go when space is short
}

// Status is the last line: what answers, on what data, and where help is.
type Status struct {
	st      *draw.Styles
	state   State
	width   int
	picker  bool
	warning string
	offer   string
	pick    string // the keys that pick and help, "" for none
	help    string
}

// NewStatus makes a status line. With picker it says that Ctrl+P picks.
func NewStatus(st *draw.Styles, picker bool) *Status {
	return &Status{st: st, picker: picker, pick: "Ctrl+P", help: "?"}
}

// SetKeys says which keys pick and help, as people write them; "" where none does.
func (s *Status) SetKeys(pick, help string) { s.pick, s.help = pick, help }

// SetStyles changes the theme.
func (s *Status) SetStyles(st *draw.Styles) { s.st = st }

// SetSize gives the line its width.
func (s *Status) SetSize(width int) { s.width = width }

// SetState changes what is said about the conversation.
func (s *Status) SetState(state State) { s.state = state }

// Warn has a warning take the line for a moment: "press Ctrl+C again to quit".
// With "" the moment is over.
func (s *Status) Warn(warning string) { s.warning = warning }

// Offer has the end of the line say what keys do at the moment; with "" it says where
// help is.
func (s *Status) Offer(keys string) { s.offer = keys }

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
	if s.offer != "" {
		return draw.Fit(s.st.Dim.Apply(s.offer), s.width)
	}
	data := draw.OneLine(s.state.Data)
	if s.width < draw.Narrow {
		left := data
		if left == "" {
			left = draw.OneLine(s.state.Model)
		}
		return draw.Spread(left, s.st.Dim.Apply(s.where("help", s.help)), s.width)
	}
	right := "/ commands" + behind(s.where("help", s.help))
	left := s.left(data, s.width-ansi.StringWidth(right)-2)
	longer := "/ commands" + behind(s.where("pick", s.pick)) + behind(s.where("help", s.help))
	if s.picker && ansi.StringWidth(left)+2+ansi.StringWidth(longer) <= s.width {
		right = longer
	}
	return draw.Spread(left, s.st.Dim.Apply(right), s.width)
}

// where says which key does something, or nothing where none does.
func (s *Status) where(what, key string) string {
	if key == "" {
		return ""
	}
	return key + " " + what
}

// behind is a part of the line behind another.
func behind(part string) string {
	if part == "" {
		return ""
	}
	return "  " + part
}

// left is what fits into so many columns. What was spent and how full the window is
// go before who answers: whoever wants them asks /cost.
func (s *Status) left(data string, room int) string {
	model, agent := draw.OneLine(s.state.Model), draw.OneLine(s.state.Agent)
	context, spent := draw.OneLine(s.state.Context), draw.OneLine(s.state.Spent)
	var line string
	for _, dim := range [][]string{{model, agent, context, spent}, {model, agent, spent}, {model, agent, context}, {model, agent}} {
		line = s.joined(dim, data)
		if ansi.StringWidth(line) <= room {
			return line
		}
	}
	return line
}

func (s *Status) joined(dim []string, data string) string {
	var parts []string
	for _, part := range dim {
		if part != "" {
			parts = append(parts, s.st.Dim.Apply(part))
		}
	}
	if data != "" {
		parts = append(parts, s.st.Warn.Apply(data))
	}
	return strings.Join(parts, s.st.Dim.Apply(" · "))
}
