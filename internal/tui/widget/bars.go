package widget

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// Header is the first line: the program, its folder and its mode.
type Header struct {
	Program string // "nfa 0.1"
	Tagline string // "not financial advice"
	Folder  string // the working folder, short: "~/"
	Mode    string // one word: "offline"
}

// View draws one line; on a narrow screen only the name and the mode.
func (h Header) View(st *Styles, width int) string {
	program, mode := OneLine(h.Program), OneLine(h.Mode)
	if width < NarrowWidth {
		name, _, _ := strings.Cut(program, " ")
		return JustifyLine(st.Strong.Apply(name), mode, width)
	}
	left := st.Strong.Apply(program)
	if h.Tagline != "" {
		left += "  " + st.Dim.Apply(OneLine(h.Tagline))
	}
	right := mode
	if h.Folder != "" {
		right = st.Dim.Apply(OneLine(h.Folder)) + "  " + mode
	}
	return JustifyLine(left, right, width)
}

// ActivityLine is the line above the composer while something runs. Its spinner is the only moving
// part of the screen, so that a tick redraws nothing else.
type ActivityLine struct {
	st   *Styles
	now  func() time.Time
	stop string // "Esc stops"

	task    string // "" while nothing runs
	since   time.Time
	spinner int
}

// NewActivityLine returns an empty ActivityLine.
func NewActivityLine(st *Styles, keys KeyMap, now func() time.Time) *ActivityLine {
	return &ActivityLine{st: st, now: now, stop: keys.Hints("", "", ActionHint{"stop", "stops"})}
}

// Begin shows a task and starts its clock.
func (a *ActivityLine) Begin(task string) { a.task, a.since, a.spinner = task, a.now(), 0 }

// SetTask changes the text of the task and keeps its clock; "" means that nothing runs.
func (a *ActivityLine) SetTask(task string) { a.task = task }

// Tick advances the spinner.
func (a *ActivityLine) Tick() { a.spinner++ }

// Running reports whether something runs.
func (a *ActivityLine) Running() bool { return a.task != "" }

// Brief returns the spinner and the task.
func (a *ActivityLine) Brief() string { return a.spinnerFrame() + " " + a.task }

func (a *ActivityLine) spinnerFrame() string {
	if a.st.ReducedMotion {
		return "●"
	}
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	return string(frames[a.spinner%len(frames)])
}

// View draws the task, its elapsed time and the key that stops it.
func (a *ActivityLine) View(width int) string {
	left := a.st.Accent.Apply(a.spinnerFrame()) + " " + OneLine(a.task)
	if d := a.now().Sub(a.since); d >= time.Second {
		left += a.st.Dim.Apply(" · " + FormatDuration(d.Truncate(time.Second)))
	}
	if a.stop == "" {
		return FitLine(left, width)
	}
	return JustifyLine(left, a.st.Dim.Apply(a.stop), width)
}

// StatusInfo is what a StatusBar shows about the conversation.
type StatusInfo struct {
	Model   string // "built-in assistant"
	Agent   string // "advisor"
	Context string // the used part of the context window: "12% of 128k", or "" if unknown
	Cost    string // of the session: "4.2k tokens, $0.02", or ""
	Data    string // the state of the market data: "SAMPLE DATA"; it is dropped last
}

// StatusBar is the last line: the model, the market data and the key for help.
type StatusBar struct {
	Info    StatusInfo
	Warning string // shown instead of the line
	Hints   string // keys, shown instead of the line

	st     *Styles
	keys   KeyMap
	picker bool
}

// NewStatusBar returns a status bar. With picker it shows the key that opens the picker.
func NewStatusBar(st *Styles, keys KeyMap, picker bool) *StatusBar {
	return &StatusBar{st: st, keys: keys, picker: picker}
}

// ViewWarning draws only the warning, or returns "".
func (s *StatusBar) ViewWarning(width int) string {
	if s.Warning == "" {
		return ""
	}
	return FitLine(s.st.Warn.Apply(s.Warning), width)
}

// View draws one line; on a narrow screen only the state of the data, or else the model.
func (s *StatusBar) View(width int) string {
	if s.Warning != "" {
		return s.ViewWarning(width)
	}
	if s.Hints != "" {
		return FitLine(s.st.Dim.Apply(s.Hints), width)
	}
	data := OneLine(s.Info.Data)
	if width < NarrowWidth {
		left := data
		if left == "" {
			left = OneLine(s.Info.Model)
		}
		return JustifyLine(left, s.st.Dim.Apply(s.keys.Hints("", "", ActionHint{"help", "help"})), width)
	}
	hints := func(actions ...ActionHint) string {
		return strings.TrimRight("/ commands  "+s.keys.Hints("", "  ", actions...), " ")
	}
	right := hints(ActionHint{"help", "help"})
	left := s.leftPart(data, width-ansi.StringWidth(right)-2)
	longer := hints(ActionHint{"pick", "search"}, ActionHint{"help", "help"})
	if s.picker && ansi.StringWidth(left)+2+ansi.StringWidth(longer) <= width {
		right = longer
	}
	return JustifyLine(left, s.st.Dim.Apply(right), width)
}

// leftPart returns what fits into width columns. Cost and context are dropped before the model,
// because /cost shows them.
func (s *StatusBar) leftPart(data string, width int) string {
	model, agent := OneLine(s.Info.Model), OneLine(s.Info.Agent)
	context, spent := OneLine(s.Info.Context), OneLine(s.Info.Cost)
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

// HorizontalRule draws a rule, with a label near its end if it fits.
func HorizontalRule(st *Styles, width int, label string) string {
	if label == "" || width < len(label)+6 {
		return st.Dim.Apply(strings.Repeat("─", width))
	}
	tail := " ──"
	line := strings.Repeat("─", width-len([]rune(label))-len([]rune(tail))-1) + " "
	return st.Dim.Apply(line) + st.Accent.Apply(label) + st.Dim.Apply(tail)
}
