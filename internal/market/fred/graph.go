package fred

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

// fromGraph reads the whole series from the table behind its graph: one answer
// serves every range.
func (s *Source) fromGraph(ctx context.Context, doing string, id market.SeriesID, _ market.SeriesQuery) (market.EconomicSeries, error) {
	all, answer, err := get(ctx, s.graph, fetch.Request{
		Doing: doing, URL: s.at(hostGraph, "/graph/fredgraph.csv?"+url.Values{"id": {string(id)}}.Encode()), Kind: fetch.CSV, Fresh: freshSeries,
	}, refusedGraph, func(body []byte) ([]market.Observation, error) { return parseGraph(body, id) })
	if err != nil {
		return market.EconomicSeries{}, err
	}
	d, ok := s.described(id)
	if !ok {
		d = guessed(id, all)
	}
	return seriesOf(d, "fredgraph.csv", all, served(answer), answer), nil
}

// served is the day by the server's own clock, which goes on where nfa's stands in
// the past.
func served(answer fetch.Response) market.Date {
	at, err := http.ParseTime(answer.Header.Get("Date"))
	if err != nil {
		return market.Date{}
	}
	return at.UTC().Truncate(24 * time.Hour)
}

// refusedGraph tells a series that does not exist from a page that is in the way:
// the former is in FRED's own dress.
func refusedGraph(answer fetch.Response) error {
	switch answer.Status {
	case http.StatusBadRequest, http.StatusNotFound:
		return fmt.Errorf("%w: FRED has no such series", market.ErrUnknownSymbol)
	case http.StatusOK:
	default:
		return nil
	}
	page := strings.ToLower(string(answer.Body[:min(len(answer.Body), 64<<10)]))
	own := strings.Contains(page, "st. louis fed") || strings.Contains(page, "stlouisfed.org") || strings.Contains(page, "federal reserve")
	if strings.Contains(page, "<html") && own {
		return fmt.Errorf("%w: FRED shows a page in place of the series", market.ErrUnknownSymbol)
	}
	return nil
}

// parseGraph reads the table: a date and a value, which is empty or a dot where
// nothing was published.
func parseGraph(body []byte, id market.SeriesID) ([]market.Observation, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))))
	r.ReuseRecord = true
	head, err := r.Read()
	if err != nil || len(head) != 2 {
		return nil, wire.Malformed("no table of dates and values")
	}
	if first := strings.TrimSpace(head[0]); first != "observation_date" && first != "DATE" {
		return nil, wire.Malformed("the first column is %.30q, not the date", first)
	}
	if second := strings.TrimSpace(head[1]); !strings.EqualFold(second, string(id)) {
		return nil, wire.Malformed("%.40q in place of %s", second, id)
	}
	var out []market.Observation
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, wire.Malformed("a row that is none")
		}
		if out, err = appended(out, row[0], row[1]); err != nil {
			return nil, err
		}
	}
}

// longestValue is more than any value takes.
const longestValue = 40

// appended is the run of observations with one more. They stand in order.
func appended(all []market.Observation, date, value string) ([]market.Observation, error) {
	when, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return nil, wire.Malformed("%.20q is no date", date)
	}
	if n := len(all); n > 0 && !when.After(all[n-1].Date) {
		return nil, wire.Malformed("the observation of %s does not follow the one before", date)
	}
	o := market.Observation{Date: when}
	if value = strings.TrimSpace(value); value != "" && value != "." {
		figure, ok := wire.Plain(value, longestValue)
		if !ok {
			return nil, wire.Malformed("%.40q is no value", value)
		}
		o.Value = decimal.NewNullDecimal(figure)
	}
	return append(all, o), nil
}
