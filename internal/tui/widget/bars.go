package widget

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// HeaderLine draws the first line of the screen: the program, the model and the agent, and on the right the
// used context and the cost. A narrow screen drops the agent, then the cost, then the program's name.
func HeaderLine(st *Styles, info StatusInfo, width int) string {
	model, agent := OneLine(info.Model), OneLine(info.Agent)
	context, cost := OneLine(info.Context), OneLine(info.Cost)
	if info.Mode != "" {
		context, cost = OneLine(info.Mode), ""
	}
	const name = "nfa"
	layouts := [][3]string{{name, agent, cost}, {name, "", cost}, {name, "", ""}, {"", "", ""}}
	if width < SideBySideWidth {
		layouts = layouts[1:]
	}
	var left, right string
	for _, l := range layouts {
		left = joinParts("  ", l[0], joinParts(" · ", model, l[1]))
		right = joinParts(" · ", context, l[2])
		if ansi.StringWidth(left)+2+ansi.StringWidth(right) <= width {
			break
		}
	}
	if rest, ok := strings.CutPrefix(left, name); ok {
		left = st.Strong.Apply(name) + rest
	}
	return JustifyLine(left, st.Dim.Apply(right), width)
}

// joinParts joins the parts that are not empty.
func joinParts(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(s string) bool { return s == "" }), separator)
}

// ReducedMotionStep is how often the elapsed time changes with reduced motion.
const ReducedMotionStep = 5 * time.Second

// ElapsedStep returns the time between two changes of an elapsed time.
func (st *Styles) ElapsedStep() time.Duration {
	if st.ReducedMotion {
		return ReducedMotionStep
	}
	return time.Second
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
	step := a.st.ElapsedStep()
	if d := a.now().Sub(a.since); d >= step {
		left += a.st.Dim.Apply(" · " + FormatDuration(d.Truncate(step)))
	}
	if a.stop == "" {
		return FitLine(left, width)
	}
	return JustifyLine(left, a.st.Dim.Apply(a.stop), width)
}

// StatusInfo is the state of the conversation, for the header and the status line.
type StatusInfo struct {
	Model   string // "built-in assistant"
	Agent   string // "advisor"
	Context string // the used part of the context window: "12% of 128k", or "" if unknown
	Cost    string // of the session: "4.2k tokens, $0.02", or ""
	Mode    string // instead of Context and Cost: "offline"
	Data    string // the state of the market data: "SAMPLE DATA"
}

// StatusBar is the last line: the state of the data and the most important keys.
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

// View draws one line; a narrow screen drops keys.
func (s *StatusBar) View(width int) string {
	if s.Warning != "" {
		return s.ViewWarning(width)
	}
	if s.Hints != "" {
		return FitLine(s.st.Dim.Apply(s.Hints), width)
	}
	left := s.st.Warn.Apply(OneLine(s.Info.Data))
	const gap = "   "
	hints := []string{"/ commands", s.keys.Hints("", "", ActionHint{"pick", "search"}), s.keys.Hints("", "", ActionHint{"help", "help"})}
	if !s.picker {
		hints[1] = ""
	}
	right := joinParts(gap, hints...)
	for _, drop := range []int{1, 0} {
		if ansi.StringWidth(left)+len(gap)+ansi.StringWidth(right) <= width {
			break
		}
		hints[drop] = ""
		right = joinParts(gap, hints...)
	}
	return JustifyLine(left, s.st.Dim.Apply(right), width)
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
