package offline

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// ShareCount is a number of shares that the question names, as a term of calculate:
// "10", or "(10 + 5)" where it is named twice.
type ShareCount struct{ Symbol, Shares string }

var (
	shareCount = lazyregexp.New(`^\d{1,9}(?:\.\d{1,9})?$`)
	// thousandOrOne matches 1.000: nobody counts shares to three zeros after the point, so that the
	// writer may mean a thousand.
	thousandOrOne = lazyregexp.New(`^\d{1,3}\.000$`)
	yearNumber    = lazyregexp.New(`^(?:19|20)\d{2}$`)
)

// sharesBefore is the number that stands before the name at word i, or "". A
// number that may be a year is none unless shares are spoken of.
func (s sentence) sharesBefore(i int, covered []bool) string {
	spoken := false
	i--
	for ; i >= 0 && slices.Contains([]string{"of", "share", "shares", "stock", "stocks", "x"}, s.words[i].low); i-- {
		spoken = true
	}
	if i < 0 || covered[i] { // the 500 of the S&P counts no shares
		return ""
	}
	n := s.words[i].low
	if thousands().FindString(n) == n {
		n = strings.ReplaceAll(n, ",", "")
	}
	if !shareCount().MatchString(n) || !spoken && yearNumber().MatchString(n) {
		return ""
	}
	return n
}

func (m *mentions) addShareCount(symbol, shares string) {
	if shares == "" {
		return
	}
	if thousandOrOne().MatchString(shares) {
		m.unclear = shares
		return
	}
	at := slices.IndexFunc(m.shareCounts, func(h ShareCount) bool { return h.Symbol == symbol })
	if at < 0 {
		m.shareCounts = append(m.shareCounts, ShareCount{symbol, shares})
		return
	}
	m.shareCounts[at].Shares = "(" + strings.Trim(m.shareCounts[at].Shares, "()") + " + " + shares + ")"
}

var (
	countOfShares = lazyregexp.New(`\b\d[\d,]*(?:\.\d+)? (?:shares|aktien)\b`)
	// russell2000 is the one index whose number might be a year.
	russell2000 = lazyregexp.New(`\brussell 2000\b`)
)

// withoutCounts is a sentence without the numbers that are no years, though they look
// like one: 2000 shares, and the Russell 2000.
func withoutCounts(low string) string {
	return russell2000().ReplaceAllString(countOfShares().ReplaceAllString(low, "shares"), "russell")
}
