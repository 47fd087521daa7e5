package widget

import (
	"time"
)

// ActivityLine is the line over the composer while something runs. It has the only
// moving part of the screen, so that a tick redraws nothing else.
type ActivityLine struct {
	st    *Styles
	now   func() time.Time
	width int

	task    string // "" while nothing runs
	since   time.Time
	spinner int
	stop    string // the key that stops it
}

// NewActivityLine makes a line on which nothing runs yet.
func NewActivityLine(st *Styles, now func() time.Time) *ActivityLine {
	return &ActivityLine{st: st, now: now, stop: "Esc"}
}

// SetStyles changes the theme.
func (a *ActivityLine) SetStyles(st *Styles) { a.st = st }

// SetSize gives the line its width.
func (a *ActivityLine) SetSize(width int) { a.width = width }

// SetStop says which key stops what runs, as people write it; "" where none does.
func (a *ActivityLine) SetStop(key string) { a.stop = key }

// Begin counts the time of what runs from now on.
func (a *ActivityLine) Begin(doing string) { a.task, a.since, a.spinner = doing, a.now(), 0 }

// SetTask says what runs at the moment; with "" nothing does any more.
func (a *ActivityLine) SetTask(doing string) { a.task = doing }

// Tick moves the moving part.
func (a *ActivityLine) Tick() { a.spinner++ }

// Running says whether there is something to say.
func (a *ActivityLine) Running() bool { return a.task != "" }

// Brief is what runs in a word or two, with the moving part.
func (a *ActivityLine) Brief() string { return a.spinnerFrame() + " " + a.task }

func (a *ActivityLine) spinnerFrame() string {
	if a.st.ReducedMotion {
		return "●"
	}
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	return string(frames[a.spinner%len(frames)])
}

// View draws what happens, for how long, and how to stop it.
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
