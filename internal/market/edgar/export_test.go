package edgar

import "github.com/nfa-cli/nfa/internal/market"

// CountFilings parses submissions as a Source does.
func CountFilings(document []byte) (int, error) {
	s, err := parseSubmissions(document)
	if err != nil {
		return 0, err
	}
	rows, err := s.Filings.Recent.rows()
	return len(rows), err
}

// CountOlderFilings parses an older page.
func CountOlderFilings(document []byte) (int, error) {
	rows, err := parsePage(document)
	return len(rows), err
}

// CountTickers parses the list of tickers.
func CountTickers(document []byte) (int, error) {
	d, err := parseTickers(document)
	if err != nil {
		return 0, err
	}
	return len(d.rows), nil
}

// TradesOf parses an insider's form.
func TradesOf(document []byte) ([]market.InsiderTrade, error) {
	o, err := parseOwnership(document)
	if err != nil {
		return nil, err
	}
	return o.trades()
}

// ArticlesOf parses a feed. Entries that are not news are returned as errors.
func ArticlesOf(document []byte) (articles []market.Article, odd []error, err error) {
	entries, err := parseFeed(document)
	for _, e := range entries {
		a, _, err := e.article()
		if err != nil {
			odd = append(odd, err)
			continue
		}
		articles = append(articles, a)
	}
	return articles, odd, err
}

// SearchIndex searches a quarterly index.
func SearchIndex(packed []byte, accession string) ([]string, error) {
	return searchIndex(packed, accession)
}
