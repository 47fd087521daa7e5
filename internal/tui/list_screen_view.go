package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// SetStyles changes the theme.
func (model *ListScreenModel) SetStyles(st *widget.Styles) {
	model.deps.Styles = st
	model.browser.SetStyles(st)
	if model.form != nil {
		model.form.SetStyles(st)
	}
	if model.confirm != nil {
		model.confirm.SetStyles(st)
	}
}

// HasDialog reports whether something is asked in the last lines of the screen.
func (model *ListScreenModel) HasDialog() bool { return model.form != nil || model.confirm != nil }

// dialogLines is what is asked there. What the chat asks, over, comes before what the user is
// at.
func (model *ListScreenModel) dialogLines(over []string) []string {
	switch {
	case len(over) > 0:
		return over
	case model.form != nil:
		return model.form.View()
	case model.confirm != nil:
		return model.confirm.View()
	default:
		return nil
	}
}

// Layout gives the screen its size, with what the chat asks in its last lines, if it
// does, and what else goes on meanwhile.
func (model *ListScreenModel) Layout(width, height int, over []string, aside string) {
	model.height = height
	if model.form != nil {
		model.form.SetSize(width, height*2/3)
	}
	if model.confirm != nil {
		model.confirm.SetSize(width, max(height*2/3, 3))
	}
	offered := model.availableActions()
	hints := make([]widget.KeyHint, len(offered))
	for i, a := range offered {
		hints[i] = model.actionHint(a)
	}
	if model.runningAction != "" {
		aside = model.runningAction + " …"
	}
	model.browser.SetHints(hints)
	model.browser.SetActivity(aside)
	model.browser.SetDocked(len(over) > 0 || model.HasDialog())
	model.browser.SetSize(width, height-len(model.dialogLines(over)))
}

// View draws the screen, with what the chat asks in its last lines.
func (model *ListScreenModel) View(over []string) []string {
	return append(model.browser.View(), model.dialogLines(over)...)
}

// Cursor stands where something is being written, in the last so many lines of View.
func (model *ListScreenModel) Cursor() (c *tea.Cursor, lines int) {
	switch {
	case model.form != nil:
		return model.form.Cursor()
	case model.confirm == nil:
		if x, y, ok := model.browser.Cursor(); ok {
			return tea.NewCursor(x, y), model.height
		}
	}
	return nil, 0
}

// Wheel scrolls what stands at a column.
func (model *ListScreenModel) Wheel(x, lines int) { model.browser.Wheel(x, lines) }

// Click stands on the row at a place, while nothing is asked.
func (model *ListScreenModel) Click(x, y int) {
	if !model.HasDialog() {
		model.browser.Click(x, y)
	}
}
