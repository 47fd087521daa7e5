package fred

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// fromGraph downloads the whole series as CSV, so that one response serves every range.
func (s *Source) fromGraph(ctx context.Context, op string, id market.SeriesID, _ market.SeriesQuery) (market.EconomicSeries, error) {
	all, answer, err := get(ctx, s.graph, client.Request{
		Op: op, URL: s.at(hostGraph, "/graph/fredgraph.csv?"+url.Values{"id": {string(id)}}.Encode()), Kind: client.CSV, Fresh: freshSeries,
	}, graphError, func(body []byte) ([]market.Observation, error) { return parseGraph(body, id) })
	if err != nil {
		return market.EconomicSeries{}, err
	}
	d, ok := s.findKnown(id)
	if !ok {
		d = inferInfo(id, all)
	}
	return newSeries(d, "fredgraph.csv", all, serverDate(answer), answer), nil
}

// serverDate returns the date by the server's clock, because nfa's own clock may be set to the past.
func serverDate(answer client.Response) market.Date {
	at, err := http.ParseTime(answer.Header.Get("Date"))
	if err != nil {
		return market.Date{}
	}
	return at.UTC().Truncate(24 * time.Hour)
}

// graphError returns the error for a missing series, for which FRED returns a page of its own.
func graphError(answer client.Response) error {
	switch answer.Status {
	case http.StatusBadRequest, http.StatusNotFound:
		return fmt.Errorf("%w: FRED has no such series", market.ErrUnknownSymbol)
	case http.StatusOK:
	default:
		return nil
	}
	page := strings.ToLower(string(answer.Body[:min(len(answer.Body), 64<<10)]))
	fredPage := strings.Contains(page, "st. louis fed") || strings.Contains(page, "stlouisfed.org") || strings.Contains(page, "federal reserve")
	if strings.Contains(page, "<html") && fredPage {
		return fmt.Errorf("%w: FRED returned a web page instead of the series", market.ErrUnknownSymbol)
	}
	return nil
}

// parseGraph parses the table: a date and a value, which is empty or a dot if nothing was
// published.
func parseGraph(body []byte, id market.SeriesID) ([]market.Observation, error) {
	r := client.NewCSVReader(body)
	r.ReuseRecord = true
	head, err := r.Read()
	if err != nil || len(head) != 2 {
		return nil, client.Malformedf("no table of dates and values")
	}
	if first := strings.TrimSpace(head[0]); first != "observation_date" && first != "DATE" {
		return nil, client.Malformedf("the first column is %.30q, not the date", first)
	}
	if second := strings.TrimSpace(head[1]); !strings.EqualFold(second, string(id)) {
		return nil, client.Malformedf("response is for %.40q instead of %s", second, id)
	}
	var out []market.Observation
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, client.Malformedf("row with a wrong number of columns")
		}
		if out, err = appendObservation(out, row[0], row[1]); err != nil {
			return nil, err
		}
	}
}

// maxValueLen is longer than any value.
const maxValueLen = 40

// appendObservation appends one observation, which must be later than the last.
func appendObservation(all []market.Observation, date, value string) ([]market.Observation, error) {
	parsed, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return nil, client.Malformedf("invalid date %.20q", date)
	}
	if n := len(all); n > 0 && !parsed.After(all[n-1].Date) {
		return nil, client.Malformedf("observations out of order at %s", date)
	}
	o := market.Observation{Date: parsed}
	if value = strings.TrimSpace(value); value != "" && value != "." {
		figure, ok := client.ParsePlainDecimal(value, maxValueLen)
		if !ok {
			return nil, client.Malformedf("invalid value %.40q", value)
		}
		o.Value = decimal.NewNullDecimal(figure)
	}
	return append(all, o), nil
}
