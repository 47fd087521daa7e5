package onboarding

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// what is the second screen: what filings and the book need.
func (u *setup) what() (string, error) {
	return "", &tui.NeedsError{
		Title: "Setup 2/2: filings and your book",
		Fields: []form.Field{
			{Name: fieldContact, Value: u.Contact, About: "your e-mail address: the SEC wants it with each request, nobody else gets it"},
			{Name: fieldCurrency, Value: u.Currency, Choices: []string{"USD", "EUR", "GBP", "CHF"}, About: "what your book is valued in, three letters"},
		},
		Shown: u.keep,
		Leave: u.left,
	}
}

// keep writes the values of the second screen into the user's settings.
func (u *setup) keep(values map[string]string) (string, error) {
	values[fieldCurrency] = strings.ToUpper(values[fieldCurrency])
	stood := map[string]string{fieldContact: u.Contact, fieldCurrency: u.Currency}
	for _, key := range []string{fieldContact, fieldCurrency} {
		value := values[key]
		if value == stood[key] || value == "" {
			continue
		}
		where, err := u.Write(key, value)
		if err != nil {
			_, asked := u.what()
			var needs *tui.NeedsError
			if errors.As(asked, &needs) {
				for i, f := range needs.Fields {
					needs.Fields[i].Value = values[f.Name]
					if f.Name == key {
						needs.Fields[i].Problem = err.Error()
					}
				}
			}
			return "", asked
		}
		// What was kept before another value would not do is not told twice.
		if text := fmt.Sprintf("%s is %s from the next start on (%s)", key, value, where); !slices.Contains(u.said, text) {
			u.said = append(u.said, text)
		}
	}
	return u.done()
}
