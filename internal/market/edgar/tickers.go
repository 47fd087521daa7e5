package edgar

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// company is one row of the SEC's list of tickers.
type company struct {
	symbol     market.Symbol
	cik        string
	name       string
	class      market.SecurityClass
	shareClass string
	// classes are the ratios of its share classes if their economic rights differ, the class with the most
	// rights first.
	classes []reference.ShareRatio
}

// directory is the list of tickers. It has only current listings, the largest companies first, with
// a row for each share class.
type directory struct {
	rows     []company
	bySymbol map[market.Symbol]int
	byCIK    map[string][]int
}

// parseTickers parses company_tickers.json, an object of rows by rank. Invalid rows are omitted.
func parseTickers(document []byte) (*directory, error) {
	var rows map[string]struct {
		CIK    int64  `json:"cik_str"`
		Ticker string `json:"ticker"`
		Title  string `json:"title"`
	}
	if err := client.DecodeJSON(document, &rows); err != nil {
		return nil, err
	}
	ranks := make([]int, 0, len(rows))
	for key := range rows {
		rank, err := strconv.Atoi(key)
		if err != nil {
			return nil, fmt.Errorf("ticker list: invalid rank %.20q", key)
		}
		ranks = append(ranks, rank)
	}
	slices.Sort(ranks)
	d := &directory{bySymbol: make(map[market.Symbol]int, len(rows)), byCIK: make(map[string][]int, len(rows))}
	for _, rank := range ranks {
		row := rows[strconv.Itoa(rank)]
		symbol, err := market.ParseSymbol(row.Ticker)
		if _, known := d.bySymbol[symbol]; err != nil || known || row.CIK <= 0 || row.CIK > 9_999_999_999 || row.Title == "" {
			continue
		}
		c := company{symbol: symbol, cik: fmt.Sprintf("%010d", row.CIK), name: client.SingleLine(row.Title, maxFilerName)}
		d.bySymbol[symbol] = len(d.rows)
		d.byCIK[c.cik] = append(d.byCIK[c.cik], len(d.rows))
		d.rows = append(d.rows, c)
	}
	if len(d.rows) == 0 {
		return nil, errors.New("ticker list: no rows")
	}
	d.classify()
	return d, nil
}

// classify sets the classes of the securities of each company.
func (d *directory) classify() {
	for _, rows := range d.byCIK {
		issuer := make([]market.Instrument, len(rows))
		for i, row := range rows {
			issuer[i] = d.rows[row].instrument()
		}
		reference.Classify(issuer)
		classes := classRatios(issuer)
		for i, row := range rows {
			c := &d.rows[row]
			c.class, c.shareClass, c.classes = issuer[i].Class, issuer[i].ShareClass, classes
		}
	}
}

// classRatios returns the current ratios of an issuer's share classes, the class with the most rights first,
// or nil if all are the same.
func classRatios(issuer []market.Instrument) []reference.ShareRatio {
	var ratios []reference.ShareRatio
	for _, i := range issuer {
		if ratio, ok := reference.RatioOf(i, time.Now()); ok && i.Class == market.ClassCommon {
			ratios = append(ratios, ratio)
		}
	}
	if !slices.ContainsFunc(ratios, func(r reference.ShareRatio) bool { return !r.IsOne() }) {
		return nil
	}
	slices.SortFunc(ratios, func(a, b reference.ShareRatio) int { return cmp.Compare(b.Shares*a.Units, a.Shares*b.Units) })
	return ratios
}

func (c company) instrument() market.Instrument {
	return market.Instrument{
		Symbol: c.symbol, Name: c.name, Kind: c.kind(), Class: c.class, ShareClass: c.shareClass,
		Listing: market.Listing{CIK: c.cik, TradingCurrency: "USD"},
	}
}

// kind returns share unless the name indicates a fund, because the list does not distinguish them.
func (c company) kind() string {
	for word := range strings.FieldsSeq(strings.ToUpper(c.name)) {
		if word = strings.Trim(word, ",."); word == "ETF" || word == "FUND" || word == "FUNDS" {
			return "fund"
		}
	}
	return "equity"
}

// directory requests the list of tickers, which changes a few times a week.
func (s *Source) directory(ctx context.Context, doing string) (*directory, error) {
	const day = 24 * time.Hour
	d, _, err := getDocument(ctx, s, client.Request{
		Op: doing, URL: s.hosts.tickers(), Kind: client.JSON, Fresh: day, Stale: 90 * day, Check: responseCheck(market.ErrUnavailable),
	}, func(document []byte) (*directory, error) {
		sum := sha256.Sum256(document) // much faster than parsing the list
		return s.tickers.get(string(sum[:]), func() (*directory, error) { return parseTickers(document) })
	})
	return d, err
}

// findCompany returns the company with a symbol.
func (s *Source) findCompany(ctx context.Context, sym market.Symbol, doing string) (company, error) {
	d, err := s.directory(ctx, doing)
	if err != nil {
		return company{}, err
	}
	if i, ok := d.bySymbol[sym]; ok {
		return d.rows[i], nil
	}
	return company{}, s.client.NewError(doing, market.ErrUnknownSymbol, "the SEC's ticker list has only current US listings")
}

// Instruments returns every company in the SEC's list of tickers, largest first.
func (s *Source) Instruments(ctx context.Context) ([]market.Instrument, error) {
	d, err := s.directory(ctx, "listed companies")
	if err != nil {
		return nil, err
	}
	out := make([]market.Instrument, len(d.rows))
	for i, c := range d.rows {
		out[i] = c.instrument()
	}
	return out, nil
}

// Search finds companies by ticker, part of the name, or CIK: the exact ticker first, then name
// prefixes, then the rest, larger companies first.
func (s *Source) Search(ctx context.Context, text string, limit int) ([]market.Instrument, error) {
	d, err := s.directory(ctx, fmt.Sprintf("search for %.60q", text))
	if err != nil {
		return nil, err
	}
	return d.search(text, limit), nil
}

// Ranks of a match, best first.
const (
	matchTicker = iota
	matchTickerPrefix
	matchNamePrefix
	matchWordPrefix
	matchNamePart
	matchClasses
)

func (d *directory) search(text string, limit int) []market.Instrument {
	query := strings.ToLower(strings.Join(strings.Fields(text), " "))
	if !strings.ContainsFunc(query, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return nil
	}
	symbol, _ := market.ParseSymbol(text)
	var found [matchClasses][]market.Instrument
	for _, c := range d.rows {
		if class, ok := c.matches(query, symbol); ok {
			found[class] = append(found[class], c.instrument())
		}
	}
	out := slices.Concat(found[:]...)
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out
}

func (c company) matches(query string, symbol market.Symbol) (int, bool) {
	name := strings.ToLower(c.name)
	number := strings.TrimPrefix(query, "cik")
	switch {
	case c.symbol == symbol, name == query, len(number) >= 4 && strings.TrimLeft(number, "0 ") == strings.TrimLeft(c.cik, "0"):
		return matchTicker, true
	case symbol != "" && strings.HasPrefix(string(c.symbol), string(symbol)):
		return matchTickerPrefix, true
	case strings.HasPrefix(name, query):
		return matchNamePrefix, true
	case strings.Contains(name, " "+query):
		return matchWordPrefix, true
	case len(query) >= 3 && strings.Contains(name, query):
		return matchNamePart, true
	}
	return 0, false
}
