package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Values of the first two JSON fields. The version increases when an older reader would lose data.
const (
	nativeJSONFormat  = "nfa ledger"
	nativeJSONVersion = 1
)

const (
	// maxNativeFields is more than nfa writes, so that later versions may add fields.
	maxNativeFields = 100
	// maxNativeSettings is more accounts, aliases, securities or targets than any ledger has. It
	// bounds memory.
	maxNativeSettings = 20_000
)

// isNativeLedger looks for the format name near the beginning, in any version, because a newer one
// must be rejected by name.
func isNativeLedger(f File) bool {
	return strings.Contains(f.Text[:min(len(f.Text), 4096)], strconv.Quote(nativeJSONFormat))
}

// readJSON reads a ledger: its transactions become entries, everything else settings.
func (r *nativeReader) readJSON() error {
	if r.json.expect('{') != nil {
		return errors.New("it is not a single JSON object")
	}
	seen := map[string]bool{}
	for r.json.More() {
		key, err := r.json.Token()
		if err != nil {
			return err
		}
		field := fmt.Sprint(key)
		if seen[field] {
			return fmt.Errorf("duplicate field %q", Shorten(field))
		}
		if seen[field] = true; len(seen) > maxNativeFields {
			return fmt.Errorf("it has more than %d fields", maxNativeFields)
		}
		if err := r.readField(field); err != nil {
			return err
		}
	}
	for _, field := range []string{"format", "version", "transactions"} {
		if !seen[field] {
			return fmt.Errorf("missing field %q", field)
		}
	}
	if err := r.json.expect('}'); err != nil {
		return err
	}
	if _, err := r.json.Token(); !errors.Is(err, io.EOF) {
		return errors.New("unexpected data after the end")
	}
	return nil
}

// readField reads the value of one field of the ledger.
func (r *nativeReader) readField(key string) error {
	var err error
	switch key {
	case "format":
		var format string
		if err := r.json.Decode(&format); err != nil || format != nativeJSONFormat {
			return fmt.Errorf("format is %q, expected %q", Shorten(format), nativeJSONFormat)
		}
	case "version":
		var version int
		if err := r.json.Decode(&version); err != nil || version != nativeJSONVersion {
			return fmt.Errorf("unsupported version %d: this nfa reads version %d; use the nfa version that wrote the file, or export again with this one", version, nativeJSONVersion)
		}
	case "transactions":
		err = r.json.list(MaxRows, func(line int, raw json.RawMessage) error {
			var t portfolio.Transaction
			err := decodeStrict(raw, "transaction", &t)
			r.add(Row{Line: line, Source: string(raw)}, t, err)
			return nil
		})
	case "accounts", "securities", "targets":
		seen := map[string]bool{}
		err = r.json.list(maxNativeSettings, func(line int, raw json.RawMessage) error {
			if err := r.addSetting(key, raw, seen); err != nil {
				r.problem(Row{Line: line, Source: string(raw)}, err)
			}
			return nil
		})
	case "aliases":
		err = r.readAliases()
	default:
		r.ignore(Row{Line: r.json.nextLine(), Source: key}, "unknown field")
		return r.json.Decode(new(json.RawMessage))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// decodeStrict rejects unknown fields, because a typo may hide a field that matters.
func decodeStrict(raw json.RawMessage, what string, into any) error {
	if raw[0] != '{' {
		return fmt.Errorf("%s must be an object", what)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// addSetting adds an account, security or target, and rejects duplicates.
func (r *nativeReader) addSetting(field string, raw json.RawMessage, seen map[string]bool) error {
	once := func(name string, invalid error) error {
		if invalid == nil && seen[name] {
			invalid = fmt.Errorf("duplicate entry %q", Shorten(name))
		}
		seen[name] = seen[name] || invalid == nil
		return invalid
	}
	to := r.out.Settings
	switch field {
	case "accounts":
		a := portfolio.NewAccount("") // defaults for fields that the file omits
		if err := decodeStrict(raw, "account", &a); err != nil {
			return err
		}
		if err := once(a.Name, a.Validate()); err != nil {
			return err
		}
		to.Accounts = append(to.Accounts, a)
	case "securities":
		var s portfolio.Security
		if err := decodeStrict(raw, "security", &s); err != nil {
			return err
		}
		if err := once(string(s.Symbol), s.Validate()); err != nil {
			return err
		}
		to.Securities = append(to.Securities, s)
	case "targets":
		var t portfolio.Target
		if err := decodeStrict(raw, "target", &t); err != nil {
			return err
		}
		_, err := portfolio.Ledger{}.Apply(portfolio.Change{Targets: []portfolio.Target{t}})
		if err := once(string(t.Symbol), err); err != nil {
			return err
		}
		to.Targets = append(to.Targets, t)
	}
	return nil
}

// readAliases reads aliases and their symbols.
func (r *nativeReader) readAliases() error {
	if r.json.expect('{') != nil {
		return errors.New("not an object")
	}
	all := map[market.Symbol]market.Symbol{}
	for n := 0; r.json.More(); n++ {
		line := r.json.nextLine()
		if n == maxNativeSettings {
			return fmt.Errorf("line %d: %w: more than %d aliases", line, ErrTooLarge, n)
		}
		key, err := r.json.Token()
		var value json.RawMessage
		if err == nil {
			err = r.json.Decode(&value)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if err := addAlias(all, fmt.Sprint(key), value); err != nil {
			r.problem(Row{Line: line, Source: fmt.Sprintf("%q: %s", key, value)}, err)
		}
	}
	if len(all) > 0 {
		r.out.Settings.Aliases = all
	}
	return r.json.expect('}')
}

func addAlias(all map[market.Symbol]market.Symbol, from string, value json.RawMessage) error {
	name := market.Symbol(from)
	var to market.Symbol
	if err := json.Unmarshal(value, &to); err != nil {
		return fmt.Errorf("the symbol of alias %q is not text", Shorten(from))
	}
	if _, twice := all[name]; twice {
		return fmt.Errorf("duplicate alias %q", Shorten(from))
	}
	ledger := portfolio.Ledger{Aliases: map[market.Symbol]market.Symbol{name: to}}
	if _, err := ledger.Apply(portfolio.Change{}); err != nil {
		return err
	}
	all[name] = to
	return nil
}
