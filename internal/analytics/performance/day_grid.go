package performance

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// grid numbers the days of a history. Day 0 is the one before the first transaction.
type grid struct {
	first market.Date
	days  int
}

const dayDuration = 24 * time.Hour

// maxDays bounds the cost of a mistyped date: two hundred years.
const maxDays = 200 * 366

func (g grid) index(d market.Date) int { return int(d.Sub(g.first) / dayDuration) }

func (g grid) date(i int) market.Date { return g.first.AddDate(0, 0, i) }
