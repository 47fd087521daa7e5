package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// detailsForm returns the second form: the contact address for filings and the currency of the
// portfolio.
func (u *setupFlow) detailsForm() (string, error) {
	return "", &tui.MissingInputError{
		Title: "Setup 2 of 2: SEC filings and currency",
		Fields: []widget.FormField{
			{Name: setupFieldContact, Value: u.Contact, About: "your email address; sent only to SEC EDGAR, which requires it"},
			{Name: setupFieldCurrency, Value: u.Currency, Choices: []string{"USD", "EUR", "GBP", "CHF"}, About: "currency of your portfolio, such as USD"},
		},
		Show:     u.saveDetails,
		OnCancel: u.canceled,
	}
}

// saveDetails saves the values of the second form.
func (u *setupFlow) saveDetails(values map[string]string) (string, error) {
	values[setupFieldCurrency] = strings.ToUpper(values[setupFieldCurrency])
	previous := map[string]string{setupFieldContact: u.Contact, setupFieldCurrency: u.Currency}
	for _, key := range []string{setupFieldContact, setupFieldCurrency} {
		value := values[key]
		if value == previous[key] || value == "" {
			continue
		}
		location, err := u.Target.Save(key, value)
		if err != nil {
			_, formErr := u.detailsForm()
			var needs *tui.MissingInputError
			if errors.As(formErr, &needs) {
				for i, f := range needs.Fields {
					needs.Fields[i].Value = values[f.Name]
					if f.Name == key {
						needs.Fields[i].Problem = err.Error()
					}
				}
			}
			return "", formErr
		}
		// A value that was saved before another one was rejected is reported only once.
		if text := fmt.Sprintf("%s is %s from the next start (%s)", key, value, location); !slices.Contains(u.applied, text) {
			u.applied = append(u.applied, text)
		}
	}
	return u.finished()
}
