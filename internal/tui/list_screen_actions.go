package tui

import (
	"cmp"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// ListScreenMsg is what came of something that a Screen had done beside it.
type ListScreenMsg struct {
	screen *ListScreenModel
	handle func(open bool) (ListScreenEffect, tea.Cmd)
}

// Handle hands it to the screen that asked, which is no longer open where another is, or
// none, and gives what the chat has to do.
func (m ListScreenMsg) Handle(open *ListScreenModel) (ListScreenEffect, tea.Cmd) {
	return m.handle(m.screen == open)
}

// ListScreenEffect is what an action does to the chat. At most one of its parts is there beside
// Ended.
type ListScreenEffect struct {
	ProgramEnded    bool             // a part of an action has: a program that had the terminal is done with it
	TerminalRequest *TerminalRequest // a program wants the terminal
	Compose         string           // to be put into the composer, with the screen closed
	Resume          *ResumeRequest   // the chat goes on with another conversation
	Late            *LateResult      // the screen was closed before
}

// TerminalRequest is a program that wants the terminal. Ended makes the message of how it ended.
type TerminalRequest struct {
	Cmd    *exec.Cmd
	OnExit func(error) tea.Msg
}

// LateResult is what comes of an action after its screen was closed: nothing goes on, but what
// went wrong is said, and there may be other commands.
type LateResult struct {
	Message string
	Err     string
}

// runAction runs a part of an action beside the screen, one at a time.
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

// handleActionResult goes on with what an action came to.
func (model *ListScreenModel) handleActionResult(action string, o ActionResult, err error, open bool) (ListScreenEffect, tea.Cmd) {
	model.runningAction = ""
	switch {
	case !open:
		return ListScreenEffect{ProgramEnded: true, Late: newLateResult(action, o, err)}, nil
	case err != nil:
		model.browser.ShowError(err.Error())
		return ListScreenEffect{ProgramEnded: true}, model.LoadItems()
	}
	deed, cmd := model.applyActionResult(action, o)
	deed.ProgramEnded = true
	return deed, cmd
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

// applyActionResult does what an outcome says. The items are asked anew in any case: what an
// action changed is its own affair.
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

// terminalRequest has the terminal asked for a program.
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

// hasRequest says whether there is something to ask.
func (f *ActionForm) hasRequest() bool { return f != nil && len(f.Fields) > 0 && f.Fill != nil }

// formRequest makes what a form asks for of what an action wants.
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

// handleFormResult goes on with what the values of a form came to. A form that was given up
// meanwhile does nothing, but what it changed is asked.
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
