package native

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// WriteJSON writes the transactions as one JSON array, each on a line of its own.
func WriteJSON(w io.Writer, transactions []portfolio.Transaction) error {
	var b bytes.Buffer
	b.WriteString("[\n")
	for i := range transactions {
		one, err := json.Marshal(&transactions[i])
		if err != nil {
			return fmt.Errorf("writing transactions: %w", err)
		}
		b.Write(one)
		if i < len(transactions)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	if _, err := b.WriteTo(w); err != nil {
		return fmt.Errorf("writing transactions: %w", err)
	}
	return nil
}

func isJSON(f sheet.File) bool {
	text := strings.TrimLeft(f.Text, " \t\r\n")
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// looksLikeLedger looks for what every transaction of nfa has, near the beginning:
// its kind, in the words of the book.
func looksLikeLedger(text string) bool {
	head := text[:min(len(text), 1<<16)]
	if !strings.Contains(head, `"account"`) || !strings.Contains(head, `"date"`) {
		return false
	}
	for _, kind := range portfolio.Kinds() {
		if strings.Contains(head, `"kind":"`+string(kind)+`"`) || strings.Contains(head, `"kind": "`+string(kind)+`"`) {
			return true
		}
	}
	return false
}

// readJSON reads an array of transactions, or a ledger that has one. Accounts and
// aliases of a ledger are not transactions, and are ignored.
func readJSON(f sheet.File, o broker.Options) (broker.Statement, error) {
	r := reader{decoder: json.NewDecoder(strings.NewReader(f.Text)), text: f.Text, line: 1, options: o, out: broker.Statement{Format: name}}
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

func (r *reader) file() error {
	first, err := r.decoder.Token()
	if err != nil {
		return err
	}
	if first == json.Delim('{') {
		err = r.ledger()
	} else {
		err = r.transactions()
	}
	if err != nil {
		return err
	}
	if _, err := r.decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something follows the end")
	}
	return nil
}

func (r *reader) ledger() error {
	found := false
	for r.decoder.More() {
		key, err := r.decoder.Token()
		if err != nil {
			return err
		}
		if key == "transactions" {
			found = true
			if open, err := r.decoder.Token(); err != nil || open != json.Delim('[') {
				return fmt.Errorf("transactions are not a list")
			}
			if err := r.transactions(); err != nil {
				return err
			}
			continue
		}
		row := r.row()
		var skipped json.RawMessage
		if err := r.decoder.Decode(&skipped); err != nil {
			return err
		}
		row.Cells = []string{fmt.Sprint(key)}
		r.out.Ignored = append(r.out.Ignored, broker.Remark{Line: row.Line, Text: row.Text(), Reason: "not a transaction"})
	}
	if !found {
		return fmt.Errorf("it has no transactions")
	}
	_, err := r.decoder.Token()
	return err
}

// transactions reads up to the end of the list that is open.
func (r *reader) transactions() error {
	for r.decoder.More() {
		row := r.row()
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
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var t portfolio.Transaction
	if err := d.Decode(&t); err != nil {
		return t, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return t, nil
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
