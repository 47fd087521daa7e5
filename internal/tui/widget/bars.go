package widget

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// HeaderTitle is what a Header says.
type HeaderTitle struct {
	Program string // "nfa 0.1"
	Tagline string // "not financial advice"
	Folder  string // where we are, short: "~/"
	Mode    string // one word: "offline"
}

// Header is the first line: the program, its folder and its mode.
type Header struct {
	st    *Styles
	title HeaderTitle
	width int
}

// NewHeader returns a header without a width yet.
func NewHeader(st *Styles, title HeaderTitle) *Header { return &Header{st: st, title: title} }

// SetSize gives the header its width.
func (h *Header) SetSize(width int) { h.width = width }

// View draws one line; if it is narrow, one word at each end.
func (h *Header) View() string {
	program, mode := OneLine(h.title.Program), OneLine(h.title.Mode)
	if h.width < NarrowWidth {
		name, _, _ := strings.Cut(program, " ")
		return JustifyLine(h.st.Strong.Apply(name), mode, h.width)
	}
	left := h.st.Strong.Apply(program)
	if h.title.Tagline != "" {
		left += "  " + h.st.Dim.Apply(OneLine(h.title.Tagline))
	}
	right := mode
	if h.title.Folder != "" {
		right = h.st.Dim.Apply(OneLine(h.title.Folder)) + "  " + mode
	}
	return JustifyLine(left, right, h.width)
}

// ActivityLine is the line above the composer while something runs. It contains the only moving
// part of the screen, so that a tick redraws nothing else.
type ActivityLine struct {
	st    *Styles
	now   func() time.Time
	stop  string // "Esc stops"
	width int

	task    string // "" while nothing runs
	since   time.Time
	spinner int
}

// NewActivityLine returns an ActivityLine on which nothing runs yet.
func NewActivityLine(st *Styles, keys KeyMap, now func() time.Time) *ActivityLine {
	return &ActivityLine{st: st, now: now, stop: keys.Hints("", "", ActionHint{"stop", "stops"})}
}

// SetSize gives the line its width.
func (a *ActivityLine) SetSize(width int) { a.width = width }

// Begin starts the clock of what runs.
func (a *ActivityLine) Begin(doing string) { a.task, a.since, a.spinner = doing, a.now(), 0 }

// SetTask sets what runs at the moment; "" means nothing.
func (a *ActivityLine) SetTask(doing string) { a.task = doing }

// Tick moves the moving part.
func (a *ActivityLine) Tick() { a.spinner++ }

// Running reports whether something runs.
func (a *ActivityLine) Running() bool { return a.task != "" }

// Brief returns what runs in a word or two, with the moving part.
func (a *ActivityLine) Brief() string { return a.spinnerFrame() + " " + a.task }

func (a *ActivityLine) spinnerFrame() string {
	if a.st.ReducedMotion {
		return "●"
	}
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	return string(frames[a.spinner%len(frames)])
}

// View draws what runs, for how long, and the key that stops it.
func (a *ActivityLine) View() string {
	left := a.st.Accent.Apply(a.spinnerFrame()) + " " + OneLine(a.task)
	if d := a.now().Sub(a.since); d >= time.Second {
		left += a.st.Dim.Apply(" · " + FormatDuration(d.Truncate(time.Second)))
	}
	if a.stop == "" {
		return FitLine(left, a.width)
	}
	return JustifyLine(left, a.st.Dim.Apply(a.stop), a.width)
}

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
	keys    KeyMap
	picker  bool
	warning string
	hints   string
}

// NewStatusBar returns a status bar. With picker it shows the key that picks.
func NewStatusBar(st *Styles, keys KeyMap, picker bool) *StatusBar {
	return &StatusBar{st: st, keys: keys, picker: picker}
}

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
		return JustifyLine(left, s.st.Dim.Apply(s.keys.Hints("", "", ActionHint{"help", "help"})), s.width)
	}
	hints := func(of ...ActionHint) string {
		return strings.TrimRight("/ commands  "+s.keys.Hints("", "  ", of...), " ")
	}
	right := hints(ActionHint{"help", "help"})
	left := s.leftPart(data, s.width-ansi.StringWidth(right)-2)
	longer := hints(ActionHint{"pick", "pick"}, ActionHint{"help", "help"})
	if s.picker && ansi.StringWidth(left)+2+ansi.StringWidth(longer) <= s.width {
		right = longer
	}
	return JustifyLine(left, s.st.Dim.Apply(right), s.width)
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

// HorizontalRule draws a line across, with a label near its end if it fits.
func HorizontalRule(st *Styles, width int, label string) string {
	if label == "" || width < len(label)+6 {
		return st.Dim.Apply(strings.Repeat("─", width))
	}
	tail := " ──"
	line := strings.Repeat("─", width-len([]rune(label))-len([]rune(tail))-1) + " "
	return st.Dim.Apply(line) + st.Accent.Apply(label) + st.Dim.Apply(tail)
}
