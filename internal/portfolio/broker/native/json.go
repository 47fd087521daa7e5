package native

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// What the export writes into the first two fields of its JSON. The version grows
// when an older reader would lose something.
const (
	jsonFormat  = "nfa ledger"
	jsonVersion = 1
)

func isJSON(f sheet.File) bool {
	return strings.HasPrefix(strings.TrimLeft(f.Text, " \t\r\n"), "{")
}

// isLedger looks for the name of the format near the beginning, of whatever version:
// a newer one has to be refused by its name.
func isLedger(f sheet.File) bool {
	return strings.Contains(f.Text[:min(len(f.Text), 4096)], strconv.Quote(jsonFormat))
}

// readJSON reads a ledger: its transactions are the entries, all else its settings.
func readJSON(f sheet.File, o broker.Options) (broker.Statement, error) {
	r := reader{decoder: json.NewDecoder(strings.NewReader(f.Text)), text: f.Text, line: 1, options: o, out: broker.Statement{Format: name, Settings: &portfolio.Ledger{}}}
	if err := r.file(); err != nil {
		return broker.Statement{}, fmt.Errorf("%s: %w: %w", f.Name, broker.ErrFormat, err)
	}
	return r.out, nil
}

type reader struct {
	decoder *json.Decoder
	text    string
	at      int // how far lines were counted
	line    int
	options broker.Options
	counter sheet.Counter
	out     broker.Statement
}

// mostFields leaves room for those of later versions.
const mostFields = 100

func (r *reader) file() error {
	if first, err := r.decoder.Token(); err != nil || first != json.Delim('{') {
		return fmt.Errorf("it is not one object")
	}
	seen := map[string]bool{}
	for r.decoder.More() {
		key, err := r.decoder.Token()
		if err != nil {
			return err
		}
		field := fmt.Sprint(key)
		if seen[field] {
			return fmt.Errorf("%q stands in it twice", sheet.Shorten(field))
		}
		if seen[field] = true; len(seen) > mostFields {
			return fmt.Errorf("it has more than %d fields", mostFields)
		}
		if err := r.field(field); err != nil {
			return err
		}
	}
	for _, field := range []string{"format", "version", "transactions"} {
		if !seen[field] {
			return fmt.Errorf("it has no %q, which every export of nfa has", field)
		}
	}
	if _, err := r.decoder.Token(); err != nil {
		return err
	}
	if _, err := r.decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something follows the end")
	}
	return nil
}

// field reads what stands behind one name of the ledger.
func (r *reader) field(key string) error {
	switch key {
	case "format":
		var format string
		if err := r.decoder.Decode(&format); err != nil || format != jsonFormat {
			return fmt.Errorf("its format is %q and not %q", sheet.Shorten(format), jsonFormat)
		}
		return nil
	case "version":
		var version int
		if err := r.decoder.Decode(&version); err != nil || version != jsonVersion {
			return fmt.Errorf("its version is %d, and this nfa reads version %d alone: export it with this one, or take the one that wrote it", version, jsonVersion)
		}
		return nil
	case "transactions":
		if open, err := r.decoder.Token(); err != nil || open != json.Delim('[') {
			return fmt.Errorf("transactions are not a list")
		}
		return r.transactions()
	case "accounts", "securities", "targets":
		return r.settings(key)
	case "aliases":
		return r.aliases()
	}
	row := r.row()
	var skipped json.RawMessage
	if err := r.decoder.Decode(&skipped); err != nil {
		return err
	}
	row.Cells = []string{key}
	r.out.Ignored = append(r.out.Ignored, broker.Remark{Line: row.Line, Text: row.Text(), Reason: "not of a book as this nfa knows it"})
	return nil
}

// transactions reads up to the end of the list that is open.
func (r *reader) transactions() error {
	for n := 0; r.decoder.More(); n++ {
		row := r.row()
		if n == sheet.MostRows {
			return fmt.Errorf("line %d: %w: more than %d transactions", row.Line, sheet.ErrTooLarge, n)
		}
		var raw json.RawMessage
		if err := r.decoder.Decode(&raw); err != nil {
			return fmt.Errorf("line %d: %w", row.Line, err)
		}
		row.Cells = []string{string(raw)}
		t, err := one(raw)
		if err == nil {
			err = finish(&t, r.options, &r.counter, row.Cells)
		}
		if err != nil {
			r.out.Problems = append(r.out.Problems, remark(row, err))
			continue
		}
		r.out.Entries = append(r.out.Entries, broker.Entry{Lines: []int{row.Line}, Transaction: t})
	}
	_, err := r.decoder.Token()
	return err
}

// one reads a transaction. A field that there is not is an error: it may have been
// meant for one that matters.
func one(raw json.RawMessage) (portfolio.Transaction, error) {
	var t portfolio.Transaction
	return t, strict(raw, "a transaction", &t)
}

func strict(raw json.RawMessage, what string, into any) error {
	if raw[0] != '{' {
		return fmt.Errorf("%s is an object", what)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// row is where the next value begins. Lines are counted once, as the reading goes
// on.
func (r *reader) row() sheet.Row {
	next := int(r.decoder.InputOffset())
	for next < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[next]) >= 0 {
		next++
	}
	r.line += strings.Count(r.text[r.at:next], "\n")
	r.at = next
	return sheet.Row{Line: r.line}
}
