package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// What the export writes into the first two fields of its JSON. The version grows
// when an older reader would lose something.
const (
	nativeJSONFormat  = "nfa ledger"
	nativeJSONVersion = 1
)

func isNativeJSON(f File) bool {
	return strings.HasPrefix(strings.TrimLeft(f.Text, " \t\r\n"), "{")
}

// isNativeLedger looks for the name of the format near the beginning, of whatever version:
// a newer one has to be refused by its name.
func isNativeLedger(f File) bool {
	return strings.Contains(f.Text[:min(len(f.Text), 4096)], strconv.Quote(nativeJSONFormat))
}

// readNativeJSON reads a ledger: its transactions are the entries, all else its settings.
func readNativeJSON(f File, o Options) (Statement, error) {
	r := nativeReader{decoder: json.NewDecoder(strings.NewReader(f.Text)), text: f.Text, line: 1, options: o, out: Statement{Format: nativeName, Settings: &portfolio.Ledger{}}}
	if err := r.readFile(); err != nil {
		return Statement{}, fmt.Errorf("%s: %w: %w", f.Name, ErrFormat, err)
	}
	return r.out, nil
}

type nativeReader struct {
	decoder *json.Decoder
	text    string
	at      int // how far lines were counted
	line    int
	options Options
	counter FingerprintCounter
	out     Statement
}

// maxNativeFields is more than nfa writes, so that later versions may add fields.
const maxNativeFields = 100

func (r *nativeReader) readFile() error {
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
			return fmt.Errorf("%q stands in it twice", Shorten(field))
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

// readField reads what stands behind one name of the ledger.
func (r *nativeReader) readField(key string) error {
	switch key {
	case "format":
		var format string
		if err := r.decoder.Decode(&format); err != nil || format != nativeJSONFormat {
			return fmt.Errorf("its format is %q and not %q", Shorten(format), nativeJSONFormat)
		}
		return nil
	case "version":
		var version int
		if err := r.decoder.Decode(&version); err != nil || version != nativeJSONVersion {
			return fmt.Errorf("its version is %d, and this nfa reads version %d alone: export it with this one, or take the one that wrote it", version, nativeJSONVersion)
		}
		return nil
	case "transactions":
		if open, err := r.decoder.Token(); err != nil || open != json.Delim('[') {
			return fmt.Errorf("transactions are not a list")
		}
		return r.readTransactions()
	case "accounts", "securities", "targets":
		return r.readSettings(key)
	case "aliases":
		return r.readAliases()
	}
	row := r.row()
	var skipped json.RawMessage
	if err := r.decoder.Decode(&skipped); err != nil {
		return err
	}
	row.Cells = []string{key}
	r.out.Ignored = append(r.out.Ignored, SkippedLine{Line: row.Line, Text: row.Text(), Reason: "not of a book as this nfa knows it"})
	return nil
}

// readTransactions reads up to the end of the list that is open.
func (r *nativeReader) readTransactions() error {
	for n := 0; r.decoder.More(); n++ {
		row := r.row()
		if n == MaxRows {
			return fmt.Errorf("line %d: %w: more than %d transactions", row.Line, ErrTooLarge, n)
		}
		var raw json.RawMessage
		if err := r.decoder.Decode(&raw); err != nil {
			return fmt.Errorf("line %d: %w", row.Line, err)
		}
		row.Cells = []string{string(raw)}
		t, err := parseNativeTransaction(raw)
		if err == nil {
			err = finishNative(&t, r.options, &r.counter, row.Cells)
		}
		if err != nil {
			r.out.Problems = append(r.out.Problems, nativeSkippedLine(row, err))
			continue
		}
		r.out.Entries = append(r.out.Entries, Entry{Lines: []int{row.Line}, Transaction: t})
	}
	_, err := r.decoder.Token()
	return err
}

// parseNativeTransaction reads a transaction. A field that there is not is an error: it may have been
// meant for one that matters.
func parseNativeTransaction(raw json.RawMessage) (portfolio.Transaction, error) {
	var t portfolio.Transaction
	return t, decodeNativeStrict(raw, "a transaction", &t)
}

func decodeNativeStrict(raw json.RawMessage, what string, into any) error {
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
func (r *nativeReader) row() Row {
	next := int(r.decoder.InputOffset())
	for next < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[next]) >= 0 {
		next++
	}
	r.line += strings.Count(r.text[r.at:next], "\n")
	r.at = next
	return Row{Line: r.line}
}
