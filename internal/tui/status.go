package tui

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// header is the first line: the program, where it is, and its mode.
type header struct {
	st     *draw.Styles
	banner Banner
	width  int
}

// SetSize gives the header its width.
func (h *header) SetSize(width int) { h.width = width }

// View draws one line; narrow, a word at each end.
func (h *header) View() string {
	program, mode := draw.OneLine(h.banner.Program), draw.OneLine(h.banner.Mode)
	if h.width < narrow {
		name, _, _ := strings.Cut(program, " ")
		return draw.Spread(h.st.Strong.Apply(name), mode, h.width)
	}
	left := h.st.Strong.Apply(program)
	if h.banner.Motto != "" {
		left += "  " + h.st.Dim.Apply(draw.OneLine(h.banner.Motto))
	}
	right := mode
	if h.banner.Folder != "" {
		right = h.st.Dim.Apply(draw.OneLine(h.banner.Folder)) + "  " + mode
	}
	return draw.Spread(left, right, h.width)
}

// statusLine is the last line: what answers, on what data, and where help is.
type statusLine struct {
	st     *draw.Styles
	status Status
	width  int
	picker bool // Ctrl+P does something
	// warning takes the line for a moment: "press Ctrl+C again to quit".
	warning string
}

// SetSize gives the line its width.
func (s *statusLine) SetSize(width int) { s.width = width }

// View draws one line; narrow, the word that matters most.
func (s *statusLine) View() string {
	if s.warning != "" {
		return draw.Fit(s.st.Warn.Apply(s.warning), s.width)
	}
	data := draw.OneLine(s.status.Data)
	if s.width < narrow {
		left := data
		if left == "" {
			left = draw.OneLine(s.status.Model)
		}
		return draw.Spread(left, s.st.Dim.Apply("? help"), s.width)
	}
	var parts []string
	for _, part := range []string{draw.OneLine(s.status.Model), draw.OneLine(s.status.Agent)} {
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

// activity is the line over the composer while something runs. It has the only
// moving part of the screen, so that a tick redraws nothing else.
type activity struct {
	st    *draw.Styles
	now   func() time.Time
	width int

	doing   string // "" while nothing runs
	since   time.Time
	spinner int
}

// SetSize gives the line its width.
func (a *activity) SetSize(width int) { a.width = width }

func (a *activity) begin(doing string) { a.doing, a.since, a.spinner = doing, a.now(), 0 }

func (a *activity) running() bool { return a.doing != "" }

// sign is the moving part.
func (a *activity) sign() string {
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	return string(frames[a.spinner%len(frames)])
}

// View draws what happens, for how long, and how to stop it.
func (a *activity) View() string {
	left := a.st.Accent.Apply(a.sign()) + " " + draw.OneLine(a.doing)
	if d := a.now().Sub(a.since); d >= time.Second {
		left += a.st.Dim.Apply(" · " + draw.Duration(d.Truncate(time.Second)))
	}
	return draw.Spread(left, a.st.Dim.Apply("Esc stops"), a.width)
}
