package ghostfolio

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// listed tells Ghostfolio's JSON from any other without reading it whole.
func listed(f sheet.File) bool {
	return (strings.Contains(f.Text, `"activities"`) || strings.Contains(f.Text, `"orders"`)) &&
		(strings.Contains(f.Text, `"unitPrice"`) || strings.Contains(f.Text, `"meta"`))
}

// scalar is a text, number or truth value as it is written; null is empty.
type scalar string

func (s *scalar) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	switch {
	case text == "null":
		*s = ""
		return nil
	case strings.HasPrefix(text, `"`):
		var plain string
		if err := json.Unmarshal(raw, &plain); err != nil {
			return err
		}
		*s = scalar(strings.TrimSpace(plain))
		return nil
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		return errors.New("a list or object where a text or number belongs")
	}
	*s = scalar(text)
	return nil
}

// profile is what an export says of securities and fees that its user made up.
type profile struct{ name, isin string }

type jsonActivity struct {
	ID         scalar `json:"id"`
	AccountID  scalar `json:"accountId"`
	Comment    scalar `json:"comment"`
	Fee        scalar `json:"fee"`
	Quantity   scalar `json:"quantity"`
	Type       scalar `json:"type"`
	UnitPrice  scalar `json:"unitPrice"`
	Currency   scalar `json:"currency"`
	DataSource scalar `json:"dataSource"`
	Date       scalar `json:"date"`
	Symbol     scalar `json:"symbol"`
	IsDraft    scalar `json:"isDraft"`
}

// document is a file as it is being read.
type document struct {
	text       string
	decoder    *json.Decoder
	line, seen int // the line of the byte seen
	activities []activity
	accounts   map[string]string
	profiles   map[string]profile
}

func readJSON(f sheet.File, o broker.Options) (broker.Statement, error) {
	d := document{
		text: f.Text, decoder: json.NewDecoder(strings.NewReader(f.Text)), line: 1,
		accounts: map[string]string{}, profiles: map[string]profile{},
	}
	if err := d.read(); err != nil {
		return broker.Statement{}, fmt.Errorf("%s: %w: %w", f.Name, broker.ErrFormat, err)
	}
	r := reader{
		collector: broker.NewCollector(name, o), zone: o.Zone, coins: coins(),
		accounts: d.accounts, profiles: d.profiles,
	}
	for _, a := range d.activities {
		r.add(a)
	}
	return r.collector.Statement(nil), nil
}

func (d *document) read() error {
	if err := d.expect('{'); err != nil {
		return err
	}
	found := false
	for d.decoder.More() {
		token, err := d.decoder.Token()
		if err != nil {
			return err
		}
		switch token {
		case "activities", "orders":
			found = true
			err = d.list(d.activity)
		case "accounts":
			err = d.list(d.accountName)
		case "assetProfiles":
			err = d.list(d.profile)
		default:
			err = d.decoder.Decode(new(json.RawMessage))
		}
		if err != nil {
			return fmt.Errorf("%v: %w", token, err)
		}
	}
	if !found {
		return errors.New("it has no list of activities")
	}
	return d.expect('}')
}

func (d *document) expect(want json.Delim) error {
	token, err := d.decoder.Token()
	if err != nil {
		return err
	}
	if token != want {
		return fmt.Errorf("%q is missing", want)
	}
	return nil
}

// list reads an array, one element after the other. Null stands for an empty one.
func (d *document) list(element func() error) error {
	token, err := d.decoder.Token()
	if err != nil || token == nil {
		return err
	}
	if token != json.Delim('[') {
		return errors.New("not a list")
	}
	for n := 0; d.decoder.More(); n++ {
		if n == sheet.MostRows {
			return fmt.Errorf("line %d: %w: a list of more than %d", d.line, sheet.ErrTooLarge, n)
		}
		if err := element(); err != nil {
			return fmt.Errorf("line %d: %w", d.line, err)
		}
	}
	return d.expect(']')
}

// locate is the line on which the next element begins.
func (d *document) locate() int {
	at := int(d.decoder.InputOffset())
	for at < len(d.text) && strings.IndexByte(" \t\r\n,", d.text[at]) >= 0 {
		at++
	}
	d.line += strings.Count(d.text[d.seen:at], "\n")
	d.seen = at
	return d.line
}

func (d *document) activity() error {
	line := d.locate()
	var raw json.RawMessage
	if err := d.decoder.Decode(&raw); err != nil {
		return err
	}
	a := activity{row: sheet.Row{Line: line, Cells: []string{strings.Join(strings.Fields(string(raw)), " ")}}}
	var j jsonActivity
	if err := json.Unmarshal(raw, &j); err != nil {
		a.broken = err
	}
	a.id, a.account, a.note = string(j.ID), string(j.AccountID), string(j.Comment)
	a.fee, a.quantity, a.price = string(j.Fee), string(j.Quantity), string(j.UnitPrice)
	a.kind, a.currency, a.source = strings.ToUpper(string(j.Type)), string(j.Currency), strings.ToUpper(string(j.DataSource))
	a.date, a.symbol, a.draft = string(j.Date), string(j.Symbol), j.IsDraft == "true"
	d.activities = append(d.activities, a)
	return nil
}

func (d *document) accountName() error {
	d.locate()
	var a struct {
		ID   scalar `json:"id"`
		Name scalar `json:"name"`
	}
	if err := d.decoder.Decode(&a); err != nil {
		return err
	}
	if a.Name != "" {
		d.accounts[string(a.ID)] = string(a.Name)
	}
	return nil
}

func (d *document) profile() error {
	d.locate()
	var p struct {
		Symbol scalar `json:"symbol"`
		Name   scalar `json:"name"`
		ISIN   scalar `json:"isin"`
	}
	if err := d.decoder.Decode(&p); err != nil {
		return err
	}
	d.profiles[string(p.Symbol)] = profile{name: string(p.Name), isin: string(p.ISIN)}
	return nil
}
