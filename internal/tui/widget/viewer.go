package widget

import (
	tea "charm.land/bubbletea/v2"
)

// Viewer shows one thing on the whole screen.
type Viewer struct {
	st    *Styles
	keys  KeyMap
	title string
	draw  func(width, height int) []string
	hints []ActionHint
	from  int // the first visible line

	width, height int
}

// NewViewer opens a viewer of what draw returns for a size. hints are keys that the caller handles.
func NewViewer(st *Styles, keys KeyMap, title string, draw func(width, height int) []string, hints ...ActionHint) *Viewer {
	return &Viewer{st: st, keys: keys, title: OneLine(title), draw: draw, hints: hints}
}

// viewerFrame is the number of rows around the content: the title, two rules and the keys.
const viewerFrame = 4

func (v *Viewer) space() int { return max(v.height-viewerFrame, 1) }

// SetSize sets the size of the screen.
func (v *Viewer) SetSize(width, height int) { v.width, v.height = max(width, 1), height }

// Press handles a key, and reports whether the viewer closes.
func (v *Viewer) Press(k tea.KeyPressMsg) (closed bool) {
	switch v.keys.Action(ScopeListScreen, k) {
	case "screen-up":
		v.from--
	case "screen-down":
		v.from++
	case "screen-page-up":
		v.from -= max(v.space()-1, 1)
	case "screen-page-down":
		v.from += max(v.space()-1, 1)
	case "screen-first":
		v.from = 0
	case "screen-last":
		v.from = len(v.draw(v.width, v.space()))
	case "screen-back":
		return true
	}
	v.from = max(v.from, 0)
	return false
}

// Scroll scrolls by n lines.
func (v *Viewer) Scroll(n int) { v.from = max(v.from+n, 0) }

// View draws the screen in exactly its height.
func (v *Viewer) View() []string {
	rule := HorizontalRule(v.st, v.width, "")
	rows := visibleRows(v.st, v.draw(v.width, v.space()), &v.from, v.space(), v.width, v.keys.Label("screen-up"), v.keys.Label("screen-down"))
	out := append([]string{v.st.Strong.Apply(FitLine(v.title, v.width)), rule}, padLines(rows, v.space())...)
	out = append(out, rule, v.keys.FittingHints(v.st.Accent, "   ", v.width, v.hints, ActionHint{"screen-back", "close"}))
	return out[:min(max(v.height, 0), len(out))]
}
