package fred

import (
	"context"
	"net/url"
	"strconv"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	maxResults  = 20
	maxQueryLen = 100
)

// FindSeries returns the well-known series that match the words or, if there are none and the user has a key,
// the matching series at FRED. Without words it returns all well-known series.
func (s *Source) FindSeries(ctx context.Context, words string) ([]market.SeriesInfo, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var known []market.SeriesInfo
	synonyms := map[market.SeriesID]string{}
	for _, d := range s.knownSeries() {
		known = append(known, d.SeriesInfo)
		synonyms[d.ID] = d.synonyms
	}
	found := market.FindSeries(known, func(id market.SeriesID) string { return synonyms[id] }, words)
	if len(found) > 0 || s.key() == "" {
		return found, nil
	}
	text := client.SingleLine(words, maxQueryLen)
	all, _, err := get(ctx, s.api, s.request("series named "+strconv.Quote(text), "/fred/series/search", url.Values{
		"search_text": {text}, "limit": {strconv.Itoa(maxResults)},
	}, freshInfo), apiError, parseInfo)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		found = append(found, d.SeriesInfo)
	}
	return found, nil
}
