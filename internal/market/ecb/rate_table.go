package ecb

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// rateTable holds the reference rates of some days, oldest first: the price of one euro in each currency.
type rateTable struct {
	days       []day
	currencies map[string]bool // all currencies with a column, quoted or not
	legs       []string        // the currencies to read
}

type day struct {
	date  market.Date
	rates map[string]decimal.Decimal
}

// rateTableParser returns a parser for the reference rates of a pair, published as XML, CSV or
// zipped CSV. The whole history has 300,000 rates, so other currencies are skipped.
func rateTableParser(pair market.Pair) func([]byte) (rateTable, error) {
	return func(body []byte) (rateTable, error) { return parseRateTable(body, []string{pair.Base, pair.Quote}) }
}

func parseRateTable(body []byte, legs []string) (rateTable, error) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), " \t\r\n")
	var out rateTable
	var err error
	switch {
	case bytes.HasPrefix(trimmed, []byte("PK\x03\x04")):
		var unpacked []byte
		if unpacked, err = unzip(body); err == nil {
			out, err = parseCSV(unpacked, legs)
		}
	case bytes.HasPrefix(trimmed, []byte("<")):
		out, err = parseXML(trimmed, legs)
	default:
		out, err = parseCSV(trimmed, legs)
	}
	if err != nil {
		return rateTable{}, err
	}
	if len(out.days) == 0 {
		return rateTable{}, client.Malformedf("no rates")
	}
	slices.SortFunc(out.days, func(a, b day) int { return a.date.Compare(b.date) })
	for i := 1; i < len(out.days); i++ {
		if out.days[i].date.Equal(out.days[i-1].date) {
			return rateTable{}, client.Malformedf("duplicate rates for %s", out.days[i].date.Format(time.DateOnly))
		}
	}
	return out, nil
}

// maxUnzipped is many times the size of the whole history.
const maxUnzipped = 32 << 20

// unzip returns the contents of the only table in an archive.
func unzip(body []byte) ([]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, client.Malformedf("broken archive")
	}
	for _, f := range archive.File {
		if !strings.HasSuffix(strings.ToLower(f.Name), ".csv") {
			continue
		}
		opened, err := f.Open()
		if err != nil {
			return nil, client.Malformedf("broken archive")
		}
		defer opened.Close()
		text, err := io.ReadAll(io.LimitReader(opened, maxUnzipped+1))
		if err != nil || len(text) > maxUnzipped {
			return nil, client.Malformedf("broken or oversized archive")
		}
		return text, nil
	}
	return nil, client.Malformedf("archive without a table")
}

// parseXML parses nested Cube elements: one per day, containing one per currency.
func parseXML(body []byte, legs []string) (rateTable, error) {
	out := rateTable{currencies: map[string]bool{}, legs: legs}
	r := xml.NewDecoder(bytes.NewReader(body))
	for {
		token, err := r.Token()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return rateTable{}, client.Malformedf("unexpected XML")
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "Cube" {
			continue
		}
		cube := map[string]string{}
		for _, a := range start.Attr {
			cube[a.Name.Local] = a.Value
		}
		switch code := cube["currency"]; {
		case cube["time"] != "":
			if err := out.addDay(cube["time"]); err != nil {
				return rateTable{}, err
			}
		case code != "" && len(out.days) == 0:
			return rateTable{}, client.Malformedf("rate without a date")
		case code != "":
			if err := out.addCurrency(code); err != nil {
				return rateTable{}, err
			}
			if err := out.addRate(code, cube["rate"]); err != nil {
				return rateTable{}, err
			}
		}
	}
}

// parseCSV parses a table with a row per day. The last column is empty.
func parseCSV(body []byte, legs []string) (rateTable, error) {
	r := client.NewCSVReader(body)
	r.ReuseRecord = true
	head, err := r.Read()
	if err != nil || !strings.EqualFold(strings.TrimSpace(head[0]), "date") {
		return rateTable{}, client.Malformedf("no table of rates")
	}
	out := rateTable{currencies: map[string]bool{}, legs: legs}
	columns := map[int]string{}
	for i, code := range head[1:] {
		if code = strings.TrimSpace(code); code == "" {
			continue
		}
		if out.currencies[code] {
			return rateTable{}, client.Malformedf("duplicate columns for %s", code)
		}
		if err := out.addCurrency(code); err != nil {
			return rateTable{}, err
		}
		if slices.Contains(legs, code) {
			columns[i+1] = code
		}
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return rateTable{}, client.Malformedf("row with a wrong number of columns")
		}
		if err := out.addDay(row[0]); err != nil {
			return rateTable{}, err
		}
		for i, code := range columns {
			if err := out.addRate(code, row[i]); err != nil {
				return rateTable{}, err
			}
		}
	}
}

// addDay adds a day without rates.
func (s *rateTable) addDay(text string) error {
	date, err := parseDate(text)
	if err == nil {
		s.days = append(s.days, day{date, make(map[string]decimal.Decimal, len(s.legs))})
	}
	return err
}

// addCurrency records that the table has a currency.
func (s *rateTable) addCurrency(code string) error {
	if len(code) != 3 || strings.ContainsFunc(code, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		return client.Malformedf("invalid currency %.10q", code)
	}
	s.currencies[code] = true
	return nil
}

// addRate adds a rate to the last day. N/A and blanks are skipped.
func (s *rateTable) addRate(code, text string) error {
	text = strings.TrimSpace(text)
	if text == "" || text == "N/A" || !slices.Contains(s.legs, code) {
		return nil
	}
	const longest = 20
	rate, ok := client.ParsePlainDecimal(text, longest)
	if !ok || !rate.IsPositive() {
		return client.Malformedf("invalid rate %.20q for %s", text, code)
	}
	of := s.days[len(s.days)-1]
	if _, twice := of.rates[code]; twice {
		return client.Malformedf("duplicate rates for %s on %s", code, of.date.Format(time.DateOnly))
	}
	of.rates[code] = rate
	return nil
}

// parseDate parses the two date formats in use.
func parseDate(text string) (market.Date, error) {
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.DateOnly, "2 January 2006"} {
		if date, err := time.Parse(layout, text); err == nil {
			return date, nil
		}
	}
	return market.Date{}, client.Malformedf("invalid date %.20q", text)
}
