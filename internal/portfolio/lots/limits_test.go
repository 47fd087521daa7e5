package lots_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

// Each action counts the lots it changes, five times if it creates lots or disposals, and is
// rejected after ten million changes. 10 of the 30 lots cost less than the capital returned.
func TestEngine_ActionsChangeSoManyLotsAndNoMore(t *testing.T) {
	for _, c := range []struct {
		does string
		want int
	}{
		{"split XYZ ratio=2:1", 30},
		{"reverse_split XYZ ratio=1:2", 30},
		{"return_of_capital XYZ 3300 USD", 30 + 5*10}, // 110 a lot: 10 lots cost 100 to 109
		{"merger XYZ tosymbol=ABC ratio=1:1", 5 * 30},
		{"spin_off 1000 XYZ tosymbol=ABC part=0.01", 5 * 30},
		{"transfer_out 45 XYZ to=b", 5},
		{"transfer_out 300 XYZ to=b", 30},
	} {
		t.Run(c.does, func(t *testing.T) {
			l := ledger(t)
			for i := range 30 {
				l.Transactions = append(l.Transactions, transaction(t, fmt.Sprintf("b%02d", i), fmt.Sprintf("2000-01-02 buy 10 XYZ %d USD", 100+i)))
			}
			l.Transactions = append(l.Transactions, transaction(t, "x", "2000-02-01 "+c.does))
			engine := replayAll(t, l)
			if got := *engine.LotChanges(); got != c.want {
				t.Errorf("after %s %d lots were changed, want %d", c.does, got, c.want)
			}
			engine = openEngine(t, l)
			if err := engine.Advance(day("2000-01-31")); err != nil {
				t.Fatal(err)
			}
			before := allPostings(engine)
			*engine.LotChanges() = 10_000_000
			err := engine.Advance(day("2000-03-01"))
			if !errors.Is(err, portfolio.ErrInvalid) || !strings.Contains(err.Error(), "changed 10000000 lots") {
				t.Errorf("%s after ten million = %v, want ErrInvalid that says so", c.does, err)
			}
			if diff := cmp.Diff(before, allPostings(engine)); diff != "" {
				t.Errorf("%s was refused and changed the engine, -before +after:\n%s", c.does, diff)
			}
		})
	}
}

func TestEngine_NothingIsSplitMoreThanFiveHundredTimes(t *testing.T) {
	l := ledger(t, "2000-01-02 buy 10 XYZ 100 USD", "2000-01-02 buy 10 ABC 100 USD")
	for i := range 501 {
		line := fmt.Sprintf("%s %s", day("2000-01-03").AddDate(0, 0, i).Format("2006-01-02"), []string{"split XYZ ratio=2:1", "reverse_split XYZ ratio=1:2"}[i%2])
		l.Transactions = append(l.Transactions, transaction(t, fmt.Sprintf("x%d", i), line))
	}
	if err := replayError(t, l); !errors.Is(err, portfolio.ErrInvalid) || !strings.Contains(err.Error(), "x500 ") || !strings.Contains(err.Error(), "more than 500 splits") {
		t.Errorf("501 splits = %v, want the last one refused", err)
	}
	l.Transactions[502].Symbol = "ABC"
	if err := lots.Check(l); err != nil {
		t.Errorf("500 splits, and one of another security = %v, want nil", err)
	}
}

// The maximum cost of a forged ledger: ten million lot changes, two thousand actions on five
// thousand lots.
func BenchmarkForged(b *testing.B) {
	for _, kind := range []string{"return_of_capital XYZ 0.01 USD", "transfer_out 50000 XYZ to=b"} {
		l := ledger(b)
		for i := range 5000 {
			l.Transactions = append(l.Transactions, transaction(b, fmt.Sprintf("b%d", i), fmt.Sprintf("2000-01-02 buy 10 XYZ %d USD", 100+i)))
		}
		for i := range 100_000 {
			tr := transaction(b, fmt.Sprintf("x%d", i), day("2000-01-03").AddDate(0, 0, i/10).Format("2006-01-02 ")+kind)
			tr.Time = tr.Date.Add(time.Duration(i % 10)) // there and back, in this order
			if tr.ToAccount != "" && i%2 == 1 {
				tr.Account, tr.ToAccount = "b", "a"
			}
			l.Transactions = append(l.Transactions, tr)
		}
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				if err := lots.Check(l); !errors.Is(err, portfolio.ErrInvalid) {
					b.Fatalf("Check = %v, want ErrInvalid", err)
				}
			}
		})
	}
}
