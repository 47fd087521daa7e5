package tui

import (
	"strings"
	"time"
)

// header is the first line: the program, where it is, and its mode.
type header struct {
	st     *styles
	banner Banner
	width  int
}

// SetSize gives the header its width.
func (h *header) SetSize(width int) { h.width = width }

// View draws one line; narrow, a word at each end.
func (h *header) View() string {
	program, mode := oneLine(h.banner.Program), oneLine(h.banner.Mode)
	if h.width < narrow {
		name, _, _ := strings.Cut(program, " ")
		return spread(h.st.strong.Apply(name), mode, h.width)
	}
	left := h.st.strong.Apply(program)
	if h.banner.Motto != "" {
		left += "  " + h.st.dim.Apply(oneLine(h.banner.Motto))
	}
	right := mode
	if h.banner.Folder != "" {
		right = h.st.dim.Apply(oneLine(h.banner.Folder)) + "  " + mode
	}
	return spread(left, right, h.width)
}

// statusLine is the last line: what answers, on what data, and where help is.
type statusLine struct {
	st     *styles
	status Status
	width  int
	// warning takes the line for a moment: "press Ctrl+C again to quit".
	warning string
}

// SetSize gives the line its width.
func (s *statusLine) SetSize(width int) { s.width = width }

// View draws one line; narrow, the word that matters most.
func (s *statusLine) View() string {
	if s.warning != "" {
		return fit(s.st.warn.Apply(s.warning), s.width)
	}
	data := oneLine(s.status.Data)
	if s.width < narrow {
		left := data
		if left == "" {
			left = oneLine(s.status.Model)
		}
		return spread(left, s.st.dim.Apply("? help"), s.width)
	}
	var parts []string
	for _, part := range []string{oneLine(s.status.Model), oneLine(s.status.Agent)} {
		if part != "" {
			parts = append(parts, s.st.dim.Apply(part))
		}
	}
	if data != "" {
		parts = append(parts, s.st.warn.Apply(data))
	}
	return spread(strings.Join(parts, s.st.dim.Apply(" · ")), s.st.dim.Apply("/ commands  ? help"), s.width)
}

// activity is the line over the composer while something runs. It has the only
// moving part of the screen, so that a tick redraws nothing else.
type activity struct {
	st    *styles
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

// View draws what happens, for how long, and how to stop it.
func (a *activity) View() string {
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	left := a.st.accent.Apply(string(frames[a.spinner%len(frames)])) + " " + oneLine(a.doing)
	if d := a.now().Sub(a.since); d >= time.Second {
		left += a.st.dim.Apply(" · " + took(d.Truncate(time.Second)))
	}
	return spread(left, a.st.dim.Apply("Esc stops"), a.width)
}
