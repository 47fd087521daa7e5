package app

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Names of the values that setting up asks for. All but the key are settings.
const (
	setupFieldModel    = "model"
	setupFieldKey      = "key"
	setupFieldContact  = "sec.contact"
	setupFieldCurrency = "base_currency"
)

// SetupOptions are what setting up needs to know and to do.
type SetupOptions struct {
	Board             *catalog.Selector // the models that can be had, and their keys
	Model             string            // that the settings name, or ""
	Offline           bool              // the settings let nobody but the embedded assistant answer
	Contact, Currency string            // as they are set
	ActiveModel       func() string     // who answers now
	// Use lets a model answer from now on; where it cannot be had, nothing changes.
	Use func(name string) error
	// Write keeps a setting, and says where. Its error is shown beside the value.
	Write func(key, value string) (where string, err error)
}

// setupFlow is one round.
type setupFlow struct {
	SetupOptions
	applied []string // what was done, a line each
}

// StartSetup asks for the first form of a round, by a *tui.NeedsError. What the last of them
// shows, or what is shown where one is given up, says what was done; Markdown, both.
func StartSetup(o SetupOptions) (string, error) { return (&setupFlow{SetupOptions: o}).modelForm() }

// finished is what is said at the end: what was done, and what to try.
func (u *setupFlow) finished() (string, error) {
	text := u.appliedList()
	if text == "" {
		text = "Nothing was changed.\n\n"
	}
	return text + "\nWhat to try:\n\n- How has the S&P 500 done since 2008, and how bad did it get?\n- `/get-price AAPL`\n- `nfa portfolio import FILE`, in your shell: your book\n\n`/setup` asks again whenever you like, `/help` lists the rest.\n", nil
}

// canceled is what is said in the place of a form that is given up. It gives up what would
// follow as well: who turns away from one form writes on in the chat, not in another form.
func (u *setupFlow) canceled() (string, error) {
	text := u.appliedList()
	if text == "" {
		return "Setting up was left; nothing was changed. `/setup` comes back to it.\n", nil
	}
	return text + "\nThe rest of setting up was left; `/setup` comes back to it.\n", nil
}

// appliedList are what was done, as a list.
func (u *setupFlow) appliedList() string {
	var b strings.Builder
	for _, line := range u.applied {
		fmt.Fprintf(&b, "- %s\n", markdown.Escape(line))
	}
	return b.String()
}
