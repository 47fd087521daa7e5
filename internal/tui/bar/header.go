// Package bar is the single lines around a transcript: the header above it, the
// rules between, what goes on meanwhile, and the status below. What does not fit
// goes in the order in which it is missed least.
//
// What the lines are given may come from outside and is cleaned before it is
// drawn.
package bar

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// Title is what a Header says.
type Title struct {
	Program string // "nfa 0.1"
	Motto   string // "not financial advice"
	Folder  string // where we are, short: "~/"
	Mode    string // one word: "offline"
}

// Header is the first line: the program, where it is, and its mode.
type Header struct {
	st    *draw.Styles
	title Title
	width int
}

// NewHeader makes a header without a width yet.
func NewHeader(st *draw.Styles, title Title) *Header { return &Header{st: st, title: title} }

// SetStyles changes the theme.
func (h *Header) SetStyles(st *draw.Styles) { h.st = st }

// SetSize gives the header its width.
func (h *Header) SetSize(width int) { h.width = width }

// View draws one line; narrow, a word at each end.
func (h *Header) View() string {
	program, mode := draw.OneLine(h.title.Program), draw.OneLine(h.title.Mode)
	if h.width < draw.Narrow {
		name, _, _ := strings.Cut(program, " ")
		return draw.Spread(h.st.Strong.Apply(name), mode, h.width)
	}
	left := h.st.Strong.Apply(program)
	if h.title.Motto != "" {
		left += "  " + h.st.Dim.Apply(draw.OneLine(h.title.Motto))
	}
	right := mode
	if h.title.Folder != "" {
		right = h.st.Dim.Apply(draw.OneLine(h.title.Folder)) + "  " + mode
	}
	return draw.Spread(left, right, h.width)
}
