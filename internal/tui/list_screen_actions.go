package tui

import (
	"cmp"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// ListScreenMsg carries the result of something that a ListScreenModel ran outside the update
// loop.
type ListScreenMsg struct {
	screen *ListScreenModel
	handle func(open bool) (ListScreenEffect, tea.Cmd)
}

// Handle passes the result to the screen that asked, which may be closed or replaced by open, and
// returns what the chat has to do.
func (m ListScreenMsg) Handle(open *ListScreenModel) (ListScreenEffect, tea.Cmd) {
	return m.handle(m.screen == open)
}

// ListScreenEffect is what an action does to the chat. At most one field is set in addition to
// ProgramEnded.
type ListScreenEffect struct {
	ProgramEnded    bool             // the program that had the terminal has ended
	TerminalRequest *TerminalRequest // a program wants the terminal
	Compose         string           // to be put into the composer, with the screen closed
	Resume          *ResumeRequest   // the chat continues with another conversation
	Late            *LateResult      // the screen was closed before
}

// TerminalRequest is a program that needs the terminal. OnExit returns the message for its end.
type TerminalRequest struct {
	Cmd    *exec.Cmd
	OnExit func(error) tea.Msg
}

// LateResult is the result of an action whose screen was closed. Nothing follows from it, but its
// message or error is shown, and the commands may have changed.
type LateResult struct {
	Message string
	Err     string
}

// runAction runs a step of an action outside the update loop, one at a time.
func (model *ListScreenModel) runAction(action string, run func() (ActionResult, error)) tea.Cmd {
	if model.runningAction != "" {
		model.browser.ShowMessage(model.runningAction + " is not done yet")
		return nil
	}
	model.runningAction = action
	return func() tea.Msg {
		outcome, err := run()
		return ListScreenMsg{model, func(open bool) (ListScreenEffect, tea.Cmd) {
			return model.handleActionResult(action, outcome, err, open)
		}}
	}
}

// handleActionResult continues with the result of an action.
func (model *ListScreenModel) handleActionResult(action string, o ActionResult, err error, open bool) (ListScreenEffect, tea.Cmd) {
	model.runningAction = ""
	switch {
	case !open:
		return ListScreenEffect{ProgramEnded: true, Late: newLateResult(action, o, err)}, nil
	case err != nil:
		model.browser.ShowError(err.Error())
		return ListScreenEffect{ProgramEnded: true}, model.LoadItems()
	}
	effect, cmd := model.applyActionResult(action, o)
	effect.ProgramEnded = true
	return effect, cmd
}

func newLateResult(action string, o ActionResult, err error) *LateResult {
	if o.Resume != nil {
		o.Resume.Done(false)
	}
	if err != nil {
		return &LateResult{Err: action + ": " + err.Error()}
	}
	return &LateResult{Message: o.Message}
}

// applyActionResult does what a result asks for. The items are loaded again in any case, because
// the action may have changed them.
func (model *ListScreenModel) applyActionResult(action string, o ActionResult) (ListScreenEffect, tea.Cmd) {
	model.pendingSelection = cmp.Or(o.Select, model.pendingSelection)
	if o.Message != "" {
		model.browser.ShowMessage(o.Message)
	}
	stock := model.LoadItems()
	switch {
	case o.Ask.hasRequest():
		model.form = widget.NewFormDialog(model.deps.Styles, model.deps.FormKeys(), o.Ask.formRequest())
		model.formAction = action
	case o.Confirm != nil:
		model.confirm = model.newConfirmation(action, o.Confirm)
	case o.Exec != nil:
		return ListScreenEffect{TerminalRequest: model.terminalRequest(action, o.Exec)}, stock
	case o.Compose != "":
		return ListScreenEffect{Compose: o.Compose}, nil
	case o.Resume != nil:
		return ListScreenEffect{Resume: o.Resume}, stock
	case o.Show != "":
		model.browser.ShowPage(action, o.Show)
	}
	return ListScreenEffect{}, stock
}

func (model *ListScreenModel) newConfirmation(action string, c *ConfirmRequest) *pendingConfirmation {
	question := widget.NewConfirmDialog(model.deps.Styles, model.deps.Now, c.Question, c.Detail)
	question.SetKeys(widget.ConfirmDialogKeys{
		No: model.deps.Keys.Label("meant-no"), Yes: model.deps.Keys.Label("meant-yes"), Up: model.deps.Keys.Label("meant-up"), Down: model.deps.Keys.Label("meant-down"),
	})
	return &pendingConfirmation{ConfirmDialog: question, action: action, onConfirm: c.Yes}
}

// terminalRequest returns the request to run a program in the terminal.
func (model *ListScreenModel) terminalRequest(action string, e *ExecRequest) *TerminalRequest {
	model.runningAction = action
	return &TerminalRequest{Cmd: e.Cmd, OnExit: func(err error) tea.Msg {
		return ListScreenMsg{model, func(open bool) (ListScreenEffect, tea.Cmd) {
			model.runningAction = ""
			if e.Then == nil {
				return model.handleActionResult(action, ActionResult{}, err, open)
			}
			return ListScreenEffect{}, model.runAction(action, func() (ActionResult, error) { return e.Then(err) })
		}}
	}}
}

// hasRequest reports whether there is something to ask.
func (f *ActionForm) hasRequest() bool { return f != nil && len(f.Fields) > 0 && f.Fill != nil }

// formRequest converts an ActionForm into the request of a form.
func (f *ActionForm) formRequest() *widget.FormRequest[ActionResult] {
	return &widget.FormRequest[ActionResult]{Title: f.Title, Fields: f.Fields, Verb: "done", Fill: func(values map[string]string) widget.FormResult[ActionResult] {
		outcome, err := f.Fill(values)
		if err != nil {
			return widget.FormResult[ActionResult]{Err: err}
		}
		if again := outcome.Ask; again.hasRequest() && again.Title == f.Title {
			return widget.FormResult[ActionResult]{Again: again.formRequest()}
		}
		return widget.FormResult[ActionResult]{Value: outcome}
	}}
}

// handleFormResult continues with the result of the values of a form. A form that was canceled in
// the meantime does nothing, but the items are loaded again, because its values may have changed
// them.
func (model *ListScreenModel) handleFormResult(f *widget.FormDialog[ActionResult], a widget.FormResult[ActionResult], open bool) (ListScreenEffect, tea.Cmd) {
	switch {
	case !open:
		return ListScreenEffect{Late: &LateResult{}}, nil
	case model.form != f:
		return ListScreenEffect{}, model.LoadItems()
	}
	if done := f.Apply(a); !done {
		if a.Err == nil {
			return ListScreenEffect{}, nil
		}
		model.browser.ShowError(a.Err.Error())
		return ListScreenEffect{}, model.LoadItems()
	}
	model.form = nil
	return model.applyActionResult(model.formAction, a.Value)
}
