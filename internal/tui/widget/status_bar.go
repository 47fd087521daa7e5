package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// StatusInfo is what a StatusBar shows about the conversation.
type StatusInfo struct {
	Model   string // "offline assistant"
	Agent   string // "advisor"
	Context string // how full the model's window is: "12% of 128k", or "" where that is not known
	Cost    string // on the conversation so far: "4.2k tokens, $0.02", or ""
	Data    string // "SAMPLE DATA"; the last word to go when space is short
}

// StatusBar is the last line: the model, the market data and the key for help.
type StatusBar struct {
	st      *Styles
	state   StatusInfo
	width   int
	picker  bool
	warning string
	hints   string
	pick    string // labels of the keys that pick and help, "" for none
	help    string
}

// NewStatusBar returns a status bar. With picker it shows that Ctrl+P picks.
func NewStatusBar(st *Styles, picker bool) *StatusBar {
	return &StatusBar{st: st, picker: picker, pick: "Ctrl+P", help: "?"}
}

// SetKeys sets the labels of the keys that pick and help; "" if there is none.
func (s *StatusBar) SetKeys(pick, help string) { s.pick, s.help = pick, help }

// SetStyles changes the theme.
func (s *StatusBar) SetStyles(st *Styles) { s.st = st }

// SetSize gives the line its width.
func (s *StatusBar) SetSize(width int) { s.width = width }

// SetState sets what is shown about the conversation.
func (s *StatusBar) SetState(state StatusInfo) { s.state = state }

// Warn shows a warning instead of the line: "press Ctrl+C again to quit". "" removes it.
func (s *StatusBar) Warn(warning string) { s.warning = warning }

// SetHints shows the keys that work at the moment at the end of the line; "" shows the key for
// help.
func (s *StatusBar) SetHints(keys string) { s.hints = keys }

// Warning draws only the warning, or returns "".
func (s *StatusBar) Warning() string {
	if s.warning == "" {
		return ""
	}
	return FitLine(s.st.Warn.Apply(s.warning), s.width)
}

// View draws one line; if it is narrow, the word that matters most.
func (s *StatusBar) View() string {
	if s.warning != "" {
		return s.Warning()
	}
	if s.hints != "" {
		return FitLine(s.st.Dim.Apply(s.hints), s.width)
	}
	data := OneLine(s.state.Data)
	if s.width < NarrowWidth {
		left := data
		if left == "" {
			left = OneLine(s.state.Model)
		}
		return JustifyLine(left, s.st.Dim.Apply(s.keyHint("help", s.help)), s.width)
	}
	right := "/ commands" + withSeparator(s.keyHint("help", s.help))
	left := s.leftPart(data, s.width-ansi.StringWidth(right)-2)
	longer := "/ commands" + withSeparator(s.keyHint("pick", s.pick)) + withSeparator(s.keyHint("help", s.help))
	if s.picker && ansi.StringWidth(left)+2+ansi.StringWidth(longer) <= s.width {
		right = longer
	}
	return JustifyLine(left, s.st.Dim.Apply(right), s.width)
}

// keyHint returns the label of a key and what it does, or "" without a key.
func (s *StatusBar) keyHint(what, key string) string {
	if key == "" {
		return ""
	}
	return key + " " + what
}

// withSeparator returns a later part of the line with its separator.
func withSeparator(part string) string {
	if part == "" {
		return ""
	}
	return "  " + part
}

// leftPart returns what fits into room columns. Cost and context are dropped before the model,
// because /cost shows them.
func (s *StatusBar) leftPart(data string, width int) string {
	model, agent := OneLine(s.state.Model), OneLine(s.state.Agent)
	context, spent := OneLine(s.state.Context), OneLine(s.state.Cost)
	var line string
	for _, dim := range [][]string{{model, agent, context, spent}, {model, agent, spent}, {model, agent, context}, {model, agent}} {
		line = s.joinParts(dim, data)
		if ansi.StringWidth(line) <= width {
			return line
		}
	}
	return line
}

func (s *StatusBar) joinParts(dim []string, data string) string {
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
