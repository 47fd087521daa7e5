// Package onboarding is what a first start asks for, and /setup whenever the user likes:
// who answers, the address that the SEC wants to see, and the currency of the book, in two
// forms. Begin gives the first of them, and each what follows it.
package onboarding

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/switchboard"
)

// Names of the values that setting up asks for. All but the key are settings.
const (
	fieldModel    = "model"
	fieldKey      = "key"
	fieldContact  = "sec.contact"
	fieldCurrency = "base_currency"
)

// Options are what setting up needs to know and to do.
type Options struct {
	Board             *switchboard.Board // the models that can be had, and their keys
	Model             string             // that the settings name, or ""
	Offline           bool               // the settings let nobody but the embedded assistant answer
	Contact, Currency string             // as they are set
	Answers           func() string      // who answers now
	// Use lets a model answer from now on; where it cannot be had, nothing changes.
	Use func(name string) error
	// Write keeps a setting, and says where. Its error is shown beside the value.
	Write func(key, value string) (where string, err error)
}

// setup is one round.
type setup struct {
	Options
	said []string // what was done, a line each
}

// Begin asks for the first form of a round, by a *tui.NeedsError. What the last of them
// shows, or what is shown where one is given up, says what was done; Markdown, both.
func Begin(o Options) (string, error) { return (&setup{Options: o}).who() }

// done is what is said at the end: what was done, and what to try.
func (u *setup) done() (string, error) {
	text := u.changes()
	if text == "" {
		text = "Nothing was changed.\n\n"
	}
	return text + "\nWhat to try:\n\n- How has the S&P 500 done since 2008, and how bad did it get?\n- `/get-price AAPL`\n- `nfa portfolio import FILE`, in your shell: your book\n\n`/setup` asks again whenever you like, `/help` lists the rest.\n", nil
}

// left is what is said in the place of a form that is given up. It gives up what would
// follow as well: who turns away from one form writes on in the chat, not in another form.
func (u *setup) left() (string, error) {
	text := u.changes()
	if text == "" {
		return "Setting up was left; nothing was changed. `/setup` comes back to it.\n", nil
	}
	return text + "\nThe rest of setting up was left; `/setup` comes back to it.\n", nil
}

// changes are what was done, as a list.
func (u *setup) changes() string {
	var b strings.Builder
	for _, line := range u.said {
		fmt.Fprintf(&b, "- %s\n", markdown.Quote(line))
	}
	return b.String()
}
