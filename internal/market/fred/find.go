package fred

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	maxResults  = 20
	maxQueryLen = 100
)

// FindSeries lists the series that the words describe: of the best known ones, and
// with a key, where none of those fits, of all at FRED. Without words it lists the
// best known.
func (s *Source) FindSeries(ctx context.Context, words string) ([]market.SeriesInfo, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	terms := splitWords(words)
	found := []market.SeriesInfo{}
	for _, d := range s.knownSeries() {
		if d.matchesWords(terms) {
			found = append(found, d.SeriesInfo)
		}
	}
	if len(terms) > 0 {
		// More of a short title is in the words.
		slices.SortStableFunc(found, func(a, b market.SeriesInfo) int { return cmp.Compare(len(a.Title), len(b.Title)) })
	}
	if len(found) > 0 || s.key() == "" {
		return found, nil
	}
	text := strings.Join(terms, " ")
	text = text[:min(len(text), maxQueryLen)]
	all, _, err := get(ctx, s.api, s.request("series named "+strconv.Quote(text), "/fred/series/search", url.Values{
		"search_text": {strings.ToValidUTF8(text, "")}, "limit": {strconv.Itoa(maxResults)},
	}, freshInfo), apiError, parseInfo)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		found = append(found, d.SeriesInfo)
	}
	return found, nil
}
