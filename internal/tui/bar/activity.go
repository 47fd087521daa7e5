package bar

import (
	"time"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// Activity is the line over the composer while something runs. It has the only
// moving part of the screen, so that a tick redraws nothing else.
type Activity struct {
	st    *draw.Styles
	now   func() time.Time
	width int

	doing   string // "" while nothing runs
	since   time.Time
	spinner int
	stop    string // the key that stops it
}

// NewActivity makes a line on which nothing runs yet.
func NewActivity(st *draw.Styles, now func() time.Time) *Activity {
	return &Activity{st: st, now: now, stop: "Esc"}
}

// SetStyles changes the theme.
func (a *Activity) SetStyles(st *draw.Styles) { a.st = st }

// SetSize gives the line its width.
func (a *Activity) SetSize(width int) { a.width = width }

// SetStop says which key stops what runs, as people write it; "" where none does.
func (a *Activity) SetStop(key string) { a.stop = key }

// Begin counts the time of what runs from now on.
func (a *Activity) Begin(doing string) { a.doing, a.since, a.spinner = doing, a.now(), 0 }

// Do says what runs at the moment; with "" nothing does any more.
func (a *Activity) Do(doing string) { a.doing = doing }

// Tick moves the moving part.
func (a *Activity) Tick() { a.spinner++ }

// Running says whether there is something to say.
func (a *Activity) Running() bool { return a.doing != "" }

// Brief is what runs in a word or two, with the moving part.
func (a *Activity) Brief() string { return a.sign() + " " + a.doing }

func (a *Activity) sign() string {
	if a.st.Still {
		return "●"
	}
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	return string(frames[a.spinner%len(frames)])
}

// View draws what happens, for how long, and how to stop it.
func (a *Activity) View() string {
	left := a.st.Accent.Apply(a.sign()) + " " + draw.OneLine(a.doing)
	if d := a.now().Sub(a.since); d >= time.Second {
		left += a.st.Dim.Apply(" · " + draw.Duration(d.Truncate(time.Second)))
	}
	if a.stop == "" {
		return draw.Fit(left, a.width)
	}
	return draw.Spread(left, a.st.Dim.Apply(a.stop+" stops"), a.width)
}
