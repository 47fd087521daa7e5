package analytics

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Gap is a stretch without observations, longer than holidays explain.
type Gap struct {
	From, To time.Time // the observations on both sides
}

// Days is the length in calendar days.
func (g Gap) Days() int { return int(g.To.Sub(g.From).Hours() / 24) }

// Gaps lists the stretches in which observations seem to be missing, oldest
// first: more than 7 days between daily closes, more than 45 between monthly
// ones, none of those of another interval. Seven days is the longest stretch
// between two closes in New York since the bank holiday of 1933 (2001-09-10 to
// 2001-09-17), so no later closure counts.
func Gaps(p Prices) []Gap {
	longest, known := map[market.Interval]int{market.Daily: 7, market.Monthly: 45}[p.interval]
	if !known {
		return nil
	}
	var out []Gap
	for i := 1; i < len(p.dates); i++ {
		if g := (Gap{From: p.dates[i-1], To: p.dates[i]}); g.Days() > longest {
			out = append(out, g)
		}
	}
	return out
}
