package widget

import (
	"strings"
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

// SetStyles changes the theme.
func (h *Header) SetStyles(st *Styles) { h.st = st }

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
