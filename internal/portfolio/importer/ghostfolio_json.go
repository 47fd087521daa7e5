package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// isGhostfolioList tells Ghostfolio's JSON from any other without reading it whole.
func isGhostfolioList(f File) bool {
	return (strings.Contains(f.Text, `"activities"`) || strings.Contains(f.Text, `"orders"`)) &&
		(strings.Contains(f.Text, `"unitPrice"`) || strings.Contains(f.Text, `"meta"`))
}

// ghostfolioScalar is a text, number or truth value as it is written; null is empty.
type ghostfolioScalar string

func (s *ghostfolioScalar) UnmarshalJSON(raw []byte) error {
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
		*s = ghostfolioScalar(strings.TrimSpace(plain))
		return nil
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		return errors.New("a list or object where a text or number belongs")
	}
	*s = ghostfolioScalar(text)
	return nil
}

// ghostfolioProfile is what an export says of securities and fees that its user made up.
type ghostfolioProfile struct{ name, isin string }

type ghostfolioJSONActivity struct {
	ID         ghostfolioScalar `json:"id"`
	AccountID  ghostfolioScalar `json:"accountId"`
	Comment    ghostfolioScalar `json:"comment"`
	Fee        ghostfolioScalar `json:"fee"`
	Quantity   ghostfolioScalar `json:"quantity"`
	Type       ghostfolioScalar `json:"type"`
	UnitPrice  ghostfolioScalar `json:"unitPrice"`
	Currency   ghostfolioScalar `json:"currency"`
	DataSource ghostfolioScalar `json:"dataSource"`
	Date       ghostfolioScalar `json:"date"`
	Symbol     ghostfolioScalar `json:"symbol"`
	IsDraft    ghostfolioScalar `json:"isDraft"`
}

// ghostfolioDocument is a file as it is being read.
type ghostfolioDocument struct {
	text       string
	decoder    *json.Decoder
	line, seen int // the line of the byte seen
	activities []ghostfolioActivity
	accounts   map[string]string
	profiles   map[string]ghostfolioProfile
}

func readGhostfolioJSON(f File, o Options) (Statement, error) {
	d := ghostfolioDocument{
		text: f.Text, decoder: json.NewDecoder(strings.NewReader(f.Text)), line: 1,
		accounts: map[string]string{}, profiles: map[string]ghostfolioProfile{},
	}
	if err := d.read(); err != nil {
		return Statement{}, fmt.Errorf("%s: %w: %w", f.Name, ErrFormat, err)
	}
	r := ghostfolioReader{
		collector: NewCollector(ghostfolioName, o), zone: o.Zone, coins: ghostfolioCoins(),
		accounts: d.accounts, profiles: d.profiles,
	}
	for _, a := range d.activities {
		r.add(a)
	}
	return r.collector.Statement(nil), nil
}

func (d *ghostfolioDocument) read() error {
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

func (d *ghostfolioDocument) expect(want json.Delim) error {
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
func (d *ghostfolioDocument) list(element func() error) error {
	token, err := d.decoder.Token()
	if err != nil || token == nil {
		return err
	}
	if token != json.Delim('[') {
		return errors.New("not a list")
	}
	for n := 0; d.decoder.More(); n++ {
		if n == MaxRows {
			return fmt.Errorf("line %d: %w: a list of more than %d", d.line, ErrTooLarge, n)
		}
		if err := element(); err != nil {
			return fmt.Errorf("line %d: %w", d.line, err)
		}
	}
	return d.expect(']')
}

// locateLine is the line on which the next element begins.
func (d *ghostfolioDocument) locateLine() int {
	at := int(d.decoder.InputOffset())
	for at < len(d.text) && strings.IndexByte(" \t\r\n,", d.text[at]) >= 0 {
		at++
	}
	d.line += strings.Count(d.text[d.seen:at], "\n")
	d.seen = at
	return d.line
}

func (d *ghostfolioDocument) activity() error {
	line := d.locateLine()
	var raw json.RawMessage
	if err := d.decoder.Decode(&raw); err != nil {
		return err
	}
	a := ghostfolioActivity{row: Row{Line: line, Cells: []string{strings.Join(strings.Fields(string(raw)), " ")}}}
	var j ghostfolioJSONActivity
	if err := json.Unmarshal(raw, &j); err != nil {
		a.err = err
	}
	a.id, a.account, a.note = string(j.ID), string(j.AccountID), string(j.Comment)
	a.fee, a.quantity, a.price = string(j.Fee), string(j.Quantity), string(j.UnitPrice)
	a.kind, a.currency, a.source = strings.ToUpper(string(j.Type)), string(j.Currency), strings.ToUpper(string(j.DataSource))
	a.date, a.symbol, a.draft = string(j.Date), string(j.Symbol), j.IsDraft == "true"
	d.activities = append(d.activities, a)
	return nil
}

func (d *ghostfolioDocument) accountName() error {
	d.locateLine()
	var a struct {
		ID   ghostfolioScalar `json:"id"`
		Name ghostfolioScalar `json:"name"`
	}
	if err := d.decoder.Decode(&a); err != nil {
		return err
	}
	if a.Name != "" {
		d.accounts[string(a.ID)] = string(a.Name)
	}
	return nil
}

func (d *ghostfolioDocument) profile() error {
	d.locateLine()
	var p struct {
		Symbol ghostfolioScalar `json:"symbol"`
		Name   ghostfolioScalar `json:"name"`
		ISIN   ghostfolioScalar `json:"isin"`
	}
	if err := d.decoder.Decode(&p); err != nil {
		return err
	}
	d.profiles[string(p.Symbol)] = ghostfolioProfile{name: string(p.Name), isin: string(p.ISIN)}
	return nil
}
