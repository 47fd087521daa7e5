package native

import (
	"encoding/json"
	"fmt"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// mostSettings is more than any book has of accounts, other names, securities or
// targets. Each takes more memory than its text.
const mostSettings = 20_000

// settings reads a list of accounts, securities or targets. What cannot be is a
// problem of its line.
func (r *reader) settings(field string) error {
	if open, err := r.decoder.Token(); err != nil || open != json.Delim('[') {
		return fmt.Errorf("%s are not a list", field)
	}
	seen := map[string]bool{}
	for n := 0; r.decoder.More(); n++ {
		row := r.row()
		if n == mostSettings {
			return tooMany(row, field)
		}
		var raw json.RawMessage
		if err := r.decoder.Decode(&raw); err != nil {
			return fmt.Errorf("line %d: %w", row.Line, err)
		}
		row.Cells = []string{string(raw)}
		if err := r.setting(field, raw, seen); err != nil {
			r.out.Problems = append(r.out.Problems, remark(row, err))
		}
	}
	_, err := r.decoder.Token()
	return err
}

func tooMany(row sheet.Row, field string) error {
	return fmt.Errorf("line %d: %w: more than %d %s", row.Line, sheet.ErrTooLarge, mostSettings, field)
}

// setting takes one, once.
func (r *reader) setting(field string, raw json.RawMessage, seen map[string]bool) error {
	to := r.out.Settings
	switch field {
	case "accounts":
		a := portfolio.NewAccount("") // what is left out of a file that a person wrote is as for a new one
		if err := strict(raw, "an account", &a); err != nil {
			return err
		}
		return admit(&to.Accounts, a, a.Name, a.Validate(), seen)
	case "securities":
		var s portfolio.Security
		if err := strict(raw, "a security", &s); err != nil {
			return err
		}
		return admit(&to.Securities, s, string(s.Symbol), s.Validate(), seen)
	}
	var t portfolio.Target
	if err := strict(raw, "a target", &t); err != nil {
		return err
	}
	_, err := portfolio.Ledger{}.With(portfolio.Change{Targets: []portfolio.Target{t}})
	return admit(&to.Targets, t, string(t.Symbol), err, seen)
}

func admit[T any](list *[]T, one T, name string, invalid error, seen map[string]bool) error {
	switch {
	case invalid != nil:
		return invalid
	case seen[name]:
		return fmt.Errorf("%q stands in it twice", sheet.Shorten(name))
	}
	seen[name] = true
	*list = append(*list, one)
	return nil
}

// aliases reads names with the symbols that they stand for.
func (r *reader) aliases() error {
	if open, err := r.decoder.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("aliases are not an object")
	}
	all := map[market.Symbol]market.Symbol{}
	for n := 0; r.decoder.More(); n++ {
		row := r.row()
		if n == mostSettings {
			return tooMany(row, "aliases")
		}
		key, err := r.decoder.Token()
		if err != nil {
			return fmt.Errorf("line %d: %w", row.Line, err)
		}
		var value json.RawMessage
		if err := r.decoder.Decode(&value); err != nil {
			return fmt.Errorf("line %d: %w", row.Line, err)
		}
		row.Cells = []string{fmt.Sprintf("%q: %s", key, value)}
		if err := alias(all, fmt.Sprint(key), value); err != nil {
			r.out.Problems = append(r.out.Problems, remark(row, err))
		}
	}
	if len(all) > 0 {
		r.out.Settings.Aliases = all
	}
	_, err := r.decoder.Token()
	return err
}

func alias(all map[market.Symbol]market.Symbol, from string, value json.RawMessage) error {
	var to market.Symbol
	if err := json.Unmarshal(value, &to); err != nil {
		return fmt.Errorf("what %q stands for is no text", sheet.Shorten(from))
	}
	name := market.Symbol(from)
	if _, twice := all[name]; twice {
		return fmt.Errorf("%q stands in it twice", sheet.Shorten(from))
	}
	one := portfolio.Ledger{Aliases: map[market.Symbol]market.Symbol{name: to}}
	if _, err := one.With(portfolio.Change{}); err != nil {
		return err
	}
	all[name] = to
	return nil
}
