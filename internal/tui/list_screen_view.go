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

// dialogLines returns the lines of the open question or form. The chat's own question, over, comes
// first.
func (model *ListScreenModel) dialogLines(approval []string) []string {
	switch {
	case len(approval) > 0:
		return approval
	case model.form != nil:
		return model.form.View()
	case model.confirm != nil:
		return model.confirm.View()
	default:
		return nil
	}
}

// Layout sets the size of the screen. over are the lines of the chat's own question, drawn last;
// aside is a note on what else is running.
func (model *ListScreenModel) Layout(width, height int, approval []string, aside string) {
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
	model.browser.SetDocked(len(approval) > 0 || model.HasDialog())
	model.browser.SetSize(width, height-len(model.dialogLines(approval)))
}

// View draws the screen, with the chat's own question in its last lines.
func (model *ListScreenModel) View(approval []string) []string {
	return append(model.browser.View(), model.dialogLines(approval)...)
}

// Cursor returns the cursor of what is being written, in the last lines lines of View.
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

// Wheel scrolls what is at column x.
func (model *ListScreenModel) Wheel(x, lines int) { model.browser.Wheel(x, lines) }

// Click selects the row at a position, unless a question is open.
func (model *ListScreenModel) Click(x, y int) {
	if !model.HasDialog() {
		model.browser.Click(x, y)
	}
}
