package tax

import "github.com/nfa-cli/nfa/internal/market"

// washDaysUS are the days of 26 U.S.C. 1091(a), before the sale and after it.
const washDaysUS = 30

// longTermFromUS counts as Pub. 550 (Holding Period) does: from the day after the
// acquisition, and the same date of each following month begins a new month. Long
// is more than a year: what was acquired on 2023-03-01 is long from 2024-03-02, and
// what was acquired on the last day of a February from a first of March (Rev. Rul.
// 66-7).
func longTermFromUS(acquired market.Date) market.Date {
	return acquired.AddDate(0, 0, 1).AddDate(1, 0, 0)
}
