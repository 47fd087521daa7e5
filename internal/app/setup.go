package app

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// The names of the form fields of the setup. All except the key are settings.
const (
	setupFieldModel    = "model"
	setupFieldKey      = "key"
	setupFieldContact  = "sec.contact"
	setupFieldCurrency = "base_currency"
)

// SetupTarget is what the setup configures.
type SetupTarget interface {
	// ActiveModel returns the name of the active model.
	ActiveModel() string
	// UseModel switches to a model. If the model is unavailable, nothing changes.
	UseModel(name string) error
	// Save saves a setting and returns the file. Its error is shown next to the value.
	Save(key, value string) (where string, err error)
}

// SetupOptions holds the current settings.
type SetupOptions struct {
	Target            SetupTarget
	Selector          *catalog.Selector // available models and their keys
	Model             string            // from the settings, or ""
	Offline           bool              // the settings allow only the built-in assistant
	Contact, Currency string            // as they are set
}

// setupFlow is one run of the setup.
type setupFlow struct {
	SetupOptions
	applied []string // results, one line each
}

// StartSetup asks for the first form by returning a *tui.MissingInputError. The last form, and a
// canceled one, return a summary of the changes in Markdown.
func StartSetup(o SetupOptions) (string, error) { return (&setupFlow{SetupOptions: o}).modelForm() }

// StartSetup starts the setup of the program; see the function StartSetup.
func (a *App) StartSetup() (string, error) {
	return StartSetup(SetupOptions{
		Target: a, Selector: a.Models.Selector, Model: a.Model, Offline: a.Offline, Contact: a.Data.SECContact, Currency: a.BaseCurrency,
	})
}

// finished returns the final text: the changes, and what to try next.
func (u *setupFlow) finished() (string, error) {
	text := u.appliedList()
	if text == "" {
		text = "Nothing was changed.\n\n"
	}
	return text + "\nTry:\n\n- How has the S&P 500 done since 2008, and how bad did it get?\n- price of AAPL\n- `nfa portfolio import FILE`, in your shell\n\n`/setup` changes these settings; `/help` lists all commands.\n", nil
}

// canceled returns the text for a form that was canceled. It also cancels the following forms,
// because a user who leaves one form wants to return to the chat.
func (u *setupFlow) canceled() (string, error) {
	text := u.appliedList()
	if text == "" {
		return "Setup canceled. Nothing was changed; run `/setup` to continue.\n", nil
	}
	return text + "\nSetup stopped; run `/setup` to continue.\n", nil
}

// appliedList returns the changes as a list.
func (u *setupFlow) appliedList() string {
	var b strings.Builder
	for _, line := range u.applied {
		fmt.Fprintf(&b, "- %s\n", markdown.Escape(line))
	}
	return b.String()
}
