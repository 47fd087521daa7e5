package fred

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

// fromAPI asks for the values of the day that q looks from, where that is past,
// and for the newest else.
func (s *Source) fromAPI(ctx context.Context, doing string, id market.SeriesID, q market.SeriesQuery) (market.EconomicSeries, error) {
	var none market.EconomicSeries
	var known market.Date
	// The day by FRED's clock may not have come: of yesterday there surely is one.
	if yesterday := s.o.Now().UTC().AddDate(0, 0, -1); !q.KnownOn.IsZero() && q.KnownOn.Before(yesterday) {
		known = q.KnownOn.UTC().Truncate(24 * time.Hour)
	}
	v, answer, err := s.vintage(ctx, doing, id, known)
	if errors.Is(err, market.ErrNoData) && !known.IsZero() {
		// The archive begins later than the series; its newest values, cut to what was
		// out by then, are what there is.
		known = market.Date{}
		v, answer, err = s.vintage(ctx, doing, id, known)
	}
	if err != nil {
		return none, err
	}
	d, err := s.describedOn(ctx, doing, id, known)
	if err != nil {
		return none, err
	}
	return seriesOf(d, "API", v.observations, v.known, answer), nil
}

// request is a question to the API.
func (s *Source) request(doing, path string, values url.Values, fresh time.Duration) fetch.Request {
	values.Set(keyName, s.key())
	values.Set("file_type", "json")
	return fetch.Request{Doing: doing, URL: s.at(hostAPI, path+"?"+values.Encode()), Kind: fetch.JSON, Fresh: fresh}
}

// refusedAPI is what FRED's own words mean.
func refusedAPI(answer fetch.Response) error {
	var said struct {
		Code    int    `json:"error_code"`
		Message string `json:"error_message"`
	}
	if len(answer.Body) > 4<<10 || json.Unmarshal(answer.Body, &said) != nil || said.Message == "" {
		return nil
	}
	words := strings.ToLower(said.Message)
	sentinel := market.ErrUnavailable
	switch {
	case said.Code == 429 || strings.Contains(words, "too many requests"):
		sentinel = market.ErrRateLimited
	case strings.Contains(words, keyName):
		sentinel = market.ErrAuth
	case strings.Contains(words, "alfred"):
		sentinel = market.ErrNoData
	case strings.Contains(words, "does not exist"):
		sentinel = market.ErrUnknownSymbol
	}
	return wire.Refused(sentinel, said.Message)
}

// vintage is the values as they were known on a day.
type vintage struct {
	observations []market.Observation
	known        market.Date
}

func (s *Source) vintage(ctx context.Context, doing string, id market.SeriesID, known market.Date) (vintage, fetch.Response, error) {
	values, fresh := ofDay(id, known, freshSeries)
	return get(ctx, s.api, s.request(doing, "/fred/series/observations", values, fresh), refusedAPI, func(body []byte) (vintage, error) {
		v, err := parseVintage(body)
		if err == nil && !known.IsZero() && !v.known.Equal(known) {
			return v, wire.Malformed("values of %s in place of %s", v.known.Format(time.DateOnly), known.Format(time.DateOnly))
		}
		return v, err
	})
}

// ofDay asks for a series as it was on a day, where there is one, and says for how long
// the answer is good.
func ofDay(id market.SeriesID, known market.Date, newest time.Duration) (url.Values, time.Duration) {
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
		return vintage{}, wire.Malformed("no observations")
	}
	if b.Units != "" && b.Units != "lin" {
		return vintage{}, wire.Malformed("values changed to %.20q", b.Units)
	}
	if *b.Count != len(*b.Observations) {
		return vintage{}, wire.Malformed("%d of %d observations", len(*b.Observations), *b.Count)
	}
	known, err := time.Parse(time.DateOnly, b.End)
	if err != nil {
		return vintage{}, wire.Malformed("%.20q is no day of publication", b.End)
	}
	v := vintage{known: known, observations: make([]market.Observation, 0, len(*b.Observations))}
	for _, o := range *b.Observations {
		if v.observations, err = appended(v.observations, o.Date, o.Value); err != nil {
			return vintage{}, err
		}
	}
	return v, nil
}

// info asks what a series is, or was on a day.
func (s *Source) info(ctx context.Context, doing string, id market.SeriesID, known market.Date) (described, error) {
	values, fresh := ofDay(id, known, freshWords)
	found, _, err := get(ctx, s.api, s.request(doing, "/fred/series", values, fresh), refusedAPI,
		func(body []byte) ([]described, error) {
			all, err := parseInfo(body)
			if err == nil && (len(all) != 1 || all[0].ID != id) {
				return nil, wire.Malformed("another series than %s", id)
			}
			return all, err
		})
	if err != nil {
		return described{}, err
	}
	return found[0], nil
}

func parseInfo(body []byte) ([]described, error) {
	var b struct {
		Series *[]struct {
			ID, Title, Units string
			Frequency        string `json:"frequency_short"`
			Seasonal         string `json:"seasonal_adjustment_short"`
			Notes            string
		} `json:"seriess"` // FRED's own spelling
	}
	if json.Unmarshal(body, &b) != nil || b.Series == nil {
		return nil, wire.Malformed("no list of series")
	}
	var out []described
	for _, one := range *b.Series {
		id, err := market.ParseSeriesID(one.ID)
		f := frequencyOf(one.Frequency)
		title, unit := clean(one.Title), spelt(clean(one.Units))
		if err != nil || !f.Valid() || title == "" || unit == "" {
			continue
		}
		d := described{
			SeriesInfo: market.SeriesInfo{
				ID: id, Title: title, Unit: unit, Frequency: f, Seasonal: seasonalOf(one.Seasonal),
				Publisher: passedOn, ReleaseLag: usualLag(f),
			},
			licence: unknownHere,
		}
		if strings.Contains(strings.ToLower(one.Notes), "copyright") {
			d.licence = restricted
		}
		out = append(out, d)
	}
	return out, nil
}

// clean is outside text on one line, without control characters, and bounded.
func clean(text string) string {
	const most = 200
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}
