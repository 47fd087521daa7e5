package widget

import (
	"time"
)

// ActivityLine is the line above the composer while something runs. It contains the only moving
// part of the screen, so that a tick redraws nothing else.
type ActivityLine struct {
	st    *Styles
	now   func() time.Time
	width int

	task    string // "" while nothing runs
	since   time.Time
	spinner int
	stop    string // the key that stops it
}

// NewActivityLine returns an ActivityLine on which nothing runs yet.
func NewActivityLine(st *Styles, now func() time.Time) *ActivityLine {
	return &ActivityLine{st: st, now: now, stop: "Esc"}
}

// SetStyles changes the theme.
func (a *ActivityLine) SetStyles(st *Styles) { a.st = st }

// SetSize gives the line its width.
func (a *ActivityLine) SetSize(width int) { a.width = width }

// SetStop sets the label of the key that stops what runs; "" if there is none.
func (a *ActivityLine) SetStop(key string) { a.stop = key }

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
	return JustifyLine(left, a.st.Dim.Apply(a.stop+" stops"), a.width)
}
