package feed

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

const sampleDateLayout = "2006-01-02"

// sampleTable is a file: a head of "# key: value" lines, a row of column names, and
// rows of as many cells.
type sampleTable struct {
	head    map[string]string
	columns []string
	rest    []byte
	line    int // of the next row, from 1
}

// openSampleTable reads head and column names; rows are left to next.
func openSampleTable(text []byte) (*sampleTable, error) {
	t := &sampleTable{head: make(map[string]string), rest: text, line: 1}
	for {
		row, ok := t.cut()
		if !ok {
			return nil, errors.New("no row of column names")
		}
		entry, isHead := strings.CutPrefix(row, "# ")
		if !isHead {
			t.columns = strings.Split(row, ",")
			return t, nil
		}
		key, value, found := strings.Cut(entry, ":")
		if !found || !isKnownHeaderKey(key) {
			return nil, fmt.Errorf("line %d: %q is no head entry", t.line-1, row)
		}
		// Only "about" may repeat, and nobody reads it but people.
		if _, twice := t.head[key]; twice && key != "about" {
			return nil, fmt.Errorf("line %d: %q stands twice", t.line-1, key)
		}
		t.head[key] = strings.TrimSpace(value)
	}
}

func isKnownHeaderKey(key string) bool {
	switch key {
	case "symbol", "interval", "currency", "unit", "adjustment", "source", "licence", "fetched", "note", "about",
		"series", "title", "frequency", "seasonal", "publisher", "lag", "vintage", "cik", "company":
		return true
	}
	return false
}

func (t *sampleTable) cut() (string, bool) {
	row, ok := t.cutBytes()
	return string(row), ok
}

func (t *sampleTable) cutBytes() ([]byte, bool) {
	if len(t.rest) == 0 {
		return nil, false
	}
	row, rest, _ := bytes.Cut(t.rest, []byte("\n"))
	t.rest = rest
	t.line++
	return row, true
}

// next splits the next row into cells, which must be as many as the columns.
func (t *sampleTable) next(cells [][]byte) (bool, error) {
	row, ok := t.cutBytes()
	if !ok {
		return false, nil
	}
	for i := range cells {
		cell, rest, more := bytes.Cut(row, []byte(","))
		if more != (i < len(cells)-1) {
			return false, fmt.Errorf("line %d: want %d cells", t.line-1, len(cells))
		}
		cells[i], row = cell, rest
	}
	return true, nil
}

// require reports the first of the keys that the head lacks.
func (t *sampleTable) require(keys ...string) error {
	for _, key := range keys {
		if t.head[key] == "" {
			return fmt.Errorf("head lacks %s", key)
		}
	}
	return nil
}

// provenance is the part of it that the head gives, for all kinds of file.
func (t *sampleTable) provenance() (market.Provenance, error) {
	fetched, err := parseSampleDate([]byte(t.head["fetched"]))
	if err != nil {
		return market.Provenance{}, fmt.Errorf("fetched: %w", err)
	}
	if err := t.require("source"); err != nil {
		return market.Provenance{}, err
	}
	return market.Provenance{
		Source: t.head["source"], License: t.head["licence"], FetchedAt: fetched,
		Currency: t.head["currency"], Unit: t.head["unit"], Note: t.head["note"],
		Adjustment: market.AdjustmentUnknown, Flags: []market.Flag{market.FlagSample},
	}, nil
}

// parseSampleDate is time.Parse of one layout at a tenth of its cost.
func parseSampleDate(text []byte) (market.Date, error) {
	bad := func() (market.Date, error) {
		return market.Date{}, fmt.Errorf("%q is no date such as 2020-01-31", text)
	}
	if len(text) != len(sampleDateLayout) || text[4] != '-' || text[7] != '-' {
		return bad()
	}
	year, ok1 := parseDigits(text[:4])
	month, ok2 := parseDigits(text[5:7])
	day, ok3 := parseDigits(text[8:])
	date := time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC)
	// time.Date carries 31 April over into May.
	if !ok1 || !ok2 || !ok3 || int64(date.Year()) != year || int64(date.Month()) != month || int64(date.Day()) != day {
		return bad()
	}
	return date, nil
}

func parseDigits(text []byte) (int64, bool) {
	var n int64
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// maxDecimalDigits keeps a coefficient within int64.
const maxDecimalDigits = 18

// parseSampleDecimal reads "-12.5": no exponent, no sign but minus, digits on both
// sides of a point.
func parseSampleDecimal(text []byte) (decimal.Decimal, error) {
	integer, negative := bytes.CutPrefix(text, []byte("-"))
	integer, fraction, point := bytes.Cut(integer, []byte("."))
	n, ok := parseDigits(integer)
	if len(integer) == 0 || len(integer)+len(fraction) > maxDecimalDigits || !ok || point && len(fraction) == 0 {
		return decimal.Decimal{}, fmt.Errorf("%s is no decimal number", strconv.Quote(string(text)))
	}
	coefficient := n
	for _, c := range fraction {
		if c < '0' || c > '9' {
			return decimal.Decimal{}, fmt.Errorf("%s is no decimal number", strconv.Quote(string(text)))
		}
		coefficient = coefficient*10 + int64(c-'0')
	}
	if negative {
		coefficient = -coefficient
	}
	return decimal.New(coefficient, -int32(len(fraction))), nil
}
