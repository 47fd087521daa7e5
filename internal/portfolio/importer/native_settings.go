package importer

import (
	"encoding/json"
	"fmt"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// maxNativeSettings is more accounts, aliases, securities or targets than any ledger has. Each
// takes more memory than its text.
const maxNativeSettings = 20_000

// readSettings reads a list of accounts, securities or targets. What cannot be is a
// problem of its line.
func (r *nativeReader) readSettings(field string) error {
	if open, err := r.decoder.Token(); err != nil || open != json.Delim('[') {
		return fmt.Errorf("%s are not a list", field)
	}
	seen := map[string]bool{}
	for n := 0; r.decoder.More(); n++ {
		row := r.row()
		if n == maxNativeSettings {
			return tooManyNativeSettings(row, field)
		}
		var raw json.RawMessage
		if err := r.decoder.Decode(&raw); err != nil {
			return fmt.Errorf("line %d: %w", row.Line, err)
		}
		row.Cells = []string{string(raw)}
		if err := r.readSetting(field, raw, seen); err != nil {
			r.out.Problems = append(r.out.Problems, nativeSkippedLine(row, err))
		}
	}
	_, err := r.decoder.Token()
	return err
}

func tooManyNativeSettings(row Row, field string) error {
	return fmt.Errorf("line %d: %w: more than %d %s", row.Line, ErrTooLarge, maxNativeSettings, field)
}

// readSetting takes one, once.
func (r *nativeReader) readSetting(field string, raw json.RawMessage, seen map[string]bool) error {
	to := r.out.Settings
	switch field {
	case "accounts":
		a := portfolio.NewAccount("") // what is left out of a file that a person wrote is as for a new one
		if err := decodeNativeStrict(raw, "an account", &a); err != nil {
			return err
		}
		return addNativeSetting(&to.Accounts, a, a.Name, a.Validate(), seen)
	case "securities":
		var s portfolio.Security
		if err := decodeNativeStrict(raw, "a security", &s); err != nil {
			return err
		}
		return addNativeSetting(&to.Securities, s, string(s.Symbol), s.Validate(), seen)
	}
	var t portfolio.Target
	if err := decodeNativeStrict(raw, "a target", &t); err != nil {
		return err
	}
	_, err := portfolio.Ledger{}.Apply(portfolio.Change{Targets: []portfolio.Target{t}})
	return addNativeSetting(&to.Targets, t, string(t.Symbol), err, seen)
}

func addNativeSetting[T any](list *[]T, one T, name string, invalid error, seen map[string]bool) error {
	switch {
	case invalid != nil:
		return invalid
	case seen[name]:
		return fmt.Errorf("%q stands in it twice", Shorten(name))
	}
	seen[name] = true
	*list = append(*list, one)
	return nil
}

// readAliases reads names with the symbols that they stand for.
func (r *nativeReader) readAliases() error {
	if open, err := r.decoder.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("aliases are not an object")
	}
	all := map[market.Symbol]market.Symbol{}
	for n := 0; r.decoder.More(); n++ {
		row := r.row()
		if n == maxNativeSettings {
			return tooManyNativeSettings(row, "aliases")
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
		if err := addNativeAlias(all, fmt.Sprint(key), value); err != nil {
			r.out.Problems = append(r.out.Problems, nativeSkippedLine(row, err))
		}
	}
	if len(all) > 0 {
		r.out.Settings.Aliases = all
	}
	_, err := r.decoder.Token()
	return err
}

func addNativeAlias(all map[market.Symbol]market.Symbol, from string, value json.RawMessage) error {
	var to market.Symbol
	if err := json.Unmarshal(value, &to); err != nil {
		return fmt.Errorf("what %q stands for is no text", Shorten(from))
	}
	name := market.Symbol(from)
	if _, twice := all[name]; twice {
		return fmt.Errorf("%q stands in it twice", Shorten(from))
	}
	ledger := portfolio.Ledger{Aliases: map[market.Symbol]market.Symbol{name: to}}
	if _, err := ledger.Apply(portfolio.Change{}); err != nil {
		return err
	}
	all[name] = to
	return nil
}
