package fred

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// fromAPI requests the values as known on q.KnownOn if that is in the past, else the newest ones.
func (s *Source) fromAPI(ctx context.Context, op string, id market.SeriesID, q market.SeriesQuery) (market.EconomicSeries, error) {
	var zero market.EconomicSeries
	var known market.Date
	// The day may not have started in FRED's time zone; yesterday certainly exists.
	if yesterday := s.o.Now().UTC().AddDate(0, 0, -1); !q.KnownOn.IsZero() && q.KnownOn.Before(yesterday) {
		known = q.KnownOn.UTC().Truncate(24 * time.Hour)
	}
	v, answer, err := s.vintage(ctx, op, id, known)
	if errors.Is(err, market.ErrNoData) && !known.IsZero() {
		// The archive starts later than the series. Use the newest values of the periods published
		// by then.
		known = market.Date{}
		v, answer, err = s.vintage(ctx, op, id, known)
	}
	if err != nil {
		return zero, err
	}
	d, err := s.describe(ctx, op, id, known)
	if err != nil {
		return zero, err
	}
	return newSeries(d, "API", v.observations, v.day, answer), nil
}

// request returns a request to the API.
func (s *Source) request(op, path string, values url.Values, fresh time.Duration) client.Request {
	values.Set(keyParam, s.key())
	values.Set("file_type", "json")
	return client.Request{Op: op, URL: s.at(hostAPI, path+"?"+values.Encode()), Kind: client.JSON, Fresh: fresh}
}

// apiError interprets FRED's error messages.
func apiError(answer client.Response) error {
	var body struct {
		Code    int    `json:"error_code"`
		Message string `json:"error_message"`
	}
	if len(answer.Body) > 4<<10 || json.Unmarshal(answer.Body, &body) != nil || body.Message == "" {
		return nil
	}
	text := strings.ToLower(body.Message)
	sentinel := market.ErrUnavailable
	switch {
	case body.Code == 429 || strings.Contains(text, "too many requests"):
		sentinel = market.ErrRateLimited
	case strings.Contains(text, keyParam):
		sentinel = market.ErrAuth
	case strings.Contains(text, "alfred"):
		sentinel = market.ErrNoData
	case strings.Contains(text, "does not exist"):
		sentinel = market.ErrUnknownSymbol
	}
	return client.RefusalError(sentinel, body.Message)
}

// vintage holds the values as they were known on a day.
type vintage struct {
	observations []market.Observation
	day          market.Date
}

func (s *Source) vintage(ctx context.Context, op string, id market.SeriesID, known market.Date) (vintage, client.Response, error) {
	values, fresh := vintageParams(id, known, freshSeries)
	return get(ctx, s.api, s.request(op, "/fred/series/observations", values, fresh), apiError, func(body []byte) (vintage, error) {
		v, err := parseVintage(body)
		if err == nil && !known.IsZero() && !v.day.Equal(known) {
			return v, client.Malformedf("response is for %s instead of %s", v.day.Format(time.DateOnly), known.Format(time.DateOnly))
		}
		return v, err
	})
}

// vintageParams returns the parameters for a series as known on a day, if set, and how long the response
// stays fresh.
func vintageParams(id market.SeriesID, known market.Date, newest time.Duration) (url.Values, time.Duration) {
	values := url.Values{"series_id": {string(id)}}
	if known.IsZero() {
		return values, newest
	}
	day := known.Format(time.DateOnly)
	values.Set("realtime_start", day)
	values.Set("realtime_end", day)
	return values, freshVintage
}

func parseVintage(body []byte) (vintage, error) {
	var b struct {
		End          string `json:"realtime_end"`
		Units        string
		Count        *int
		Observations *[]struct{ Date, Value string }
	}
	if json.Unmarshal(body, &b) != nil || b.Observations == nil || b.Count == nil {
		return vintage{}, client.Malformedf("no observations")
	}
	if b.Units != "" && b.Units != "lin" {
		return vintage{}, client.Malformedf("values in unexpected units %.20q", b.Units)
	}
	if *b.Count != len(*b.Observations) {
		return vintage{}, client.Malformedf("only %d of %d observations", len(*b.Observations), *b.Count)
	}
	known, err := time.Parse(time.DateOnly, b.End)
	if err != nil {
		return vintage{}, client.Malformedf("invalid publication date %.20q", b.End)
	}
	v := vintage{day: known, observations: make([]market.Observation, 0, len(*b.Observations))}
	for _, o := range *b.Observations {
		if v.observations, err = appendObservation(v.observations, o.Date, o.Value); err != nil {
			return vintage{}, err
		}
	}
	return v, nil
}

// fetchInfo requests the description of a series, optionally as of a day.
func (s *Source) fetchInfo(ctx context.Context, op string, id market.SeriesID, known market.Date) (describedSeries, error) {
	values, fresh := vintageParams(id, known, freshInfo)
	found, _, err := get(ctx, s.api, s.request(op, "/fred/series", values, fresh), apiError,
		func(body []byte) ([]describedSeries, error) {
			all, err := parseInfo(body)
			if err == nil && (len(all) != 1 || all[0].ID != id) {
				return nil, client.Malformedf("response is not for series %s", id)
			}
			return all, err
		})
	if err != nil {
		return describedSeries{}, err
	}
	return found[0], nil
}

func parseInfo(body []byte) ([]describedSeries, error) {
	var b struct {
		Series *[]struct {
			ID, Title, Units string
			Frequency        string `json:"frequency_short"`
			Seasonal         string `json:"seasonal_adjustment_short"`
			Notes            string
		} `json:"seriess"` // FRED's own spelling
	}
	if json.Unmarshal(body, &b) != nil || b.Series == nil {
		return nil, client.Malformedf("no list of series")
	}
	var out []describedSeries
	for _, one := range *b.Series {
		id, err := market.ParseSeriesID(one.ID)
		f := frequencyOf(one.Frequency)
		title, unit := client.SingleLine(one.Title, 200), normalizeUnit(client.SingleLine(one.Units, 200))
		if err != nil || !f.Valid() || title == "" || unit == "" {
			continue
		}
		d := describedSeries{
			SeriesInfo: market.SeriesInfo{
				ID: id, Title: title, Unit: unit, Frequency: f, Seasonal: seasonalOf(one.Seasonal),
				Publisher: unknownPublisher, ReleaseLag: typicalLag(f),
			},
			license: unknownLicense,
		}
		if strings.Contains(strings.ToLower(one.Notes), "copyright") {
			d.license = copyrighted
		}
		out = append(out, d)
	}
	return out, nil
}
