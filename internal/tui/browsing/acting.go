package browsing

import (
	"cmp"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/ask"
	"github.com/nfa-cli/nfa/internal/tui/filling"
)

// Msg is what came of something that a Screen had done beside it.
type Msg struct {
	on   *Screen
	take func(open bool) (Deed, tea.Cmd)
}

// Take hands it to the screen that asked, which is no longer open where another is, or
// none, and gives what the chat has to do.
func (m Msg) Take(open *Screen) (Deed, tea.Cmd) { return m.take(m.on == open) }

// Deed is what an action does to the chat. At most one of its parts is there beside
// Ended.
type Deed struct {
	Ended   bool    // a part of an action has: a program that had the terminal is done with it
	Loan    *Loan   // a program wants the terminal
	Compose string  // to be put into the composer, with the screen closed
	Resume  *Resume // the chat goes on with another conversation
	Late    *Late   // the screen was closed before
}

// Loan is a program that wants the terminal. Ended makes the message of how it ended.
type Loan struct {
	Cmd   *exec.Cmd
	Ended func(error) tea.Msg
}

// Late is what comes of an action after its screen was closed: nothing goes on, but what
// went wrong is said, and there may be other commands.
type Late struct {
	Said string
	Err  string
}

// act runs a part of an action beside the screen, one at a time.
func (on *Screen) act(action string, run func() (Outcome, error)) tea.Cmd {
	if on.doing != "" {
		on.browser.Say(on.doing + " is not done yet")
		return nil
	}
	on.doing = action
	return func() tea.Msg {
		outcome, err := run()
		return Msg{on, func(open bool) (Deed, tea.Cmd) { return on.acted(action, outcome, err, open) }}
	}
}

// acted goes on with what an action came to.
func (on *Screen) acted(action string, o Outcome, err error, open bool) (Deed, tea.Cmd) {
	on.doing = ""
	switch {
	case !open:
		return Deed{Ended: true, Late: late(action, o, err)}, nil
	case err != nil:
		on.browser.Fail(err.Error())
		return Deed{Ended: true}, on.Stock()
	}
	deed, cmd := on.goOn(action, o)
	deed.Ended = true
	return deed, cmd
}

func late(action string, o Outcome, err error) *Late {
	if o.Resume != nil {
		o.Resume.Done(false)
	}
	if err != nil {
		return &Late{Err: action + ": " + err.Error()}
	}
	return &Late{Said: o.Said}
}

// goOn does what an outcome says. The items are asked anew in any case: what an
// action changed is its own affair.
func (on *Screen) goOn(action string, o Outcome) (Deed, tea.Cmd) {
	on.selecting = cmp.Or(o.Select, on.selecting)
	if o.Said != "" {
		on.browser.Say(o.Said)
	}
	stock := on.Stock()
	switch {
	case o.Ask.askable():
		on.form = filling.New(on.with.Styles, on.with.FormKeys(), o.Ask.asked())
		on.asks = action
	case o.Confirm != nil:
		on.confirm = on.confirmation(action, o.Confirm)
	case o.Exec != nil:
		return Deed{Loan: on.loan(action, o.Exec)}, stock
	case o.Compose != "":
		return Deed{Compose: o.Compose}, nil
	case o.Resume != nil:
		return Deed{Resume: o.Resume}, stock
	case o.Show != "":
		on.browser.Show(action, o.Show)
	}
	return Deed{}, stock
}

func (on *Screen) confirmation(action string, c *Confirm) *confirmation {
	question := ask.NewConfirmation(on.with.Styles, on.with.Now, c.Question, c.Detail)
	question.SetKeys(ask.ConfirmationKeys{
		No: on.with.Keys.Label("meant-no"), Yes: on.with.Keys.Label("meant-yes"), Up: on.with.Keys.Label("meant-up"), Down: on.with.Keys.Label("meant-down"),
	})
	return &confirmation{Confirmation: question, action: action, yes: c.Yes}
}

// loan has the terminal asked for a program.
func (on *Screen) loan(action string, e *Exec) *Loan {
	on.doing = action
	return &Loan{Cmd: e.Cmd, Ended: func(err error) tea.Msg {
		return Msg{on, func(open bool) (Deed, tea.Cmd) {
			on.doing = ""
			if e.Then == nil {
				return on.acted(action, Outcome{}, err, open)
			}
			return Deed{}, on.act(action, func() (Outcome, error) { return e.Then(err) })
		}}
	}}
}

// askable says whether there is something to ask.
func (f *Form) askable() bool { return f != nil && len(f.Fields) > 0 && f.Fill != nil }

// asked makes what a form asks for of what an action wants.
func (f *Form) asked() *filling.Asked[Outcome] {
	return &filling.Asked[Outcome]{Title: f.Title, Fields: f.Fields, Verb: "done", Fill: func(values map[string]string) filling.Answer[Outcome] {
		outcome, err := f.Fill(values)
		if err != nil {
			return filling.Answer[Outcome]{Err: err}
		}
		if again := outcome.Ask; again.askable() && again.Title == f.Title {
			return filling.Answer[Outcome]{Again: again.asked()}
		}
		return filling.Answer[Outcome]{Done: outcome}
	}}
}

// filled goes on with what the values of a form came to. A form that was given up
// meanwhile does nothing, but what it changed is asked.
func (on *Screen) filled(f *filling.Form[Outcome], a filling.Answer[Outcome], open bool) (Deed, tea.Cmd) {
	switch {
	case !open:
		return Deed{Late: &Late{}}, nil
	case on.form != f:
		return Deed{}, on.Stock()
	}
	if done := f.Take(a); !done {
		if a.Err == nil {
			return Deed{}, nil
		}
		on.browser.Fail(a.Err.Error())
		return Deed{}, on.Stock()
	}
	on.form = nil
	return on.goOn(on.asks, a.Done)
}
