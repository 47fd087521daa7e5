package lots_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// orderOf applies the lines in many orders of entry and returns the one order of application.
func orderOf(t *testing.T, lines ...string) string {
	t.Helper()
	l := ledger(t, lines...)
	random, first := rand.New(rand.NewPCG(3, 4)), ""
	for range 50 {
		random.Shuffle(len(l.Transactions), func(i, j int) {
			l.Transactions[i], l.Transactions[j] = l.Transactions[j], l.Transactions[i]
		})
		var ids []string
		for _, tr := range openEngine(t, l).OrderedTransactions() {
			ids = append(ids, tr.ID)
		}
		order := strings.Join(ids, " ")
		if first != "" && order != first {
			t.Fatalf("order of entry matters: %s and %s", first, order)
		}
		first = order
	}
	return first
}

func TestEngine_OrderWithinADay(t *testing.T) {
	const d = "2024-01-02 "
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{
			name:  "by time where each trade has one",
			lines: []string{d + "sell 1 XYZ 5 USD at=11:00 short=yes id=second", d + "buy 1 XYZ 5 USD at=09:30 id=first", d + "buy 1 XYZ 5 USD at=12:00 id=third"},
			want:  "first second third",
		},
		{
			name:  "what brings in before what takes out where one has no time",
			lines: []string{d + "sell 1 XYZ 5 USD at=09:00 id=out", d + "buy 1 XYZ 5 USD id=in"},
			want:  "in out",
		},
		{
			name:  "a dividend without time does not matter to timed trades",
			lines: []string{d + "sell 1 XYZ 5 USD at=09:00 short=yes id=out", d + "buy 1 XYZ 5 USD at=10:00 id=in", d + "dividend XYZ 5 USD id=paid"},
			want:  "paid out in",
		},
		{
			name:  "a split without time comes before timed trades",
			lines: []string{d + "sell 1 XYZ 5 USD at=09:00 short=yes id=out", d + "buy 1 XYZ 5 USD at=10:00 id=in", d + "split XYZ ratio=2:1 id=zz"},
			want:  "zz out in",
		},
		{
			name: "actions, what comes in, what moves, what goes out",
			lines: []string{
				d + "sell 1 XYZ 5 USD id=a6", d + "transfer_out 1 XYZ id=a7", d + "transfer_out 1 XYZ to=b id=a5", d + "buy 1 XYZ 5 USD id=a4",
				d + "return_of_capital XYZ 1 USD id=a3", d + "merger OLD tosymbol=XYZ ratio=1:1 id=a2", d + "spin_off 1 XYZ tosymbol=KID id=a1", d + "split XYZ ratio=2:1 id=a0",
			},
			want: "a0 a1 a2 a3 a4 a5 a6 a7",
		},
		{
			name:  "what names its lots first, what may go short last",
			lines: []string{d + "sell 1 XYZ 5 USD short=yes id=third", d + "sell 2 XYZ 5 USD id=second", d + "sell 3 XYZ 5 USD lot=t1:3 id=first"},
			want:  "first second third",
		},
		{
			name:  "a move through three accounts, whatever their names",
			lines: []string{d + "transfer_out 1 XYZ account=b to=a id=then", d + "transfer_out 1 XYZ account=c to=b id=first"},
			want:  "first then",
		},
		{
			name:  "a chain of mergers",
			lines: []string{d + "merger AA tosymbol=ZZ ratio=1:1 id=then", d + "merger MM tosymbol=AA ratio=1:1 id=first"},
			want:  "first then",
		},
		{
			name:  "moves in a circle have an order",
			lines: []string{d + "transfer_out 1 XYZ account=a to=b id=one", d + "transfer_out 1 XYZ account=b to=a id=two"},
			want:  "two one",
		},
		{
			name:  "the time of one symbol says nothing of another",
			lines: []string{d + "sell 1 AA 5 USD at=09:00 short=yes id=first", d + "buy 1 AA 5 USD at=10:00 id=second", d + "sell 1 BB 5 USD id=fourth", d + "buy 1 BB 5 USD at=10:00 id=third"},
			want:  "first second third fourth",
		},
		{
			name:  "what says the same by its ID",
			lines: []string{d + "buy 1 XYZ 5 USD id=x2", d + "buy 1 XYZ 5 USD id=x1", d + "buy 1 XYZ 4 USD id=x3"},
			want:  "x3 x1 x2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := orderOf(t, c.lines...); got != c.want {
				t.Errorf("order = %s, want %s", got, c.want)
			}
		})
	}
}

// Lots that arrive by a transfer or merger can be sold on the same day.
func TestEngine_WhatMovedCanBeSoldTheSameDay(t *testing.T) {
	engine := replayAll(t, ledger(t, "2024-01-02 buy 10 OLD 100 USD account=c",
		"2024-01-03 sell 5 NEW 90 USD", "2024-01-03 merger OLD tosymbol=NEW ratio=1:2 account=c", "2024-01-03 transfer_out 5 NEW account=c to=a"))
	if diff := cmp.Diff([]string{"t2 t1: 5 for 90 USD, cost 100"}, disposalsOf(engine)); diff != "" {
		t.Errorf("disposals, -want +got:\n%s", diff)
	}
}

// The smaller sale would otherwise come first and take the lots that the larger one names.
func TestEngine_SalesOfADayLeaveEachOtherTheirLots(t *testing.T) {
	const first, second, d = "2024-01-02 buy 10 XYZ 100 USD", "2024-01-03 buy 10 XYZ 200 USD", "2024-02-01 "
	for _, c := range []struct {
		name   string
		method portfolio.Method
		sales  []string
		want   []string
	}{
		{
			name: "the rest of specific lots", method: portfolio.MethodSpecific, sales: []string{d + "sell 5 XYZ 90 USD", d + "sell 15 XYZ 300 USD lot=t1:10 lot=t2:5"},
			want: []string{"t4 t1: 10 for 200 USD, cost 100", "t4 t2: 5 for 100 USD, cost 100", "t3 t2: 5 for 90 USD, cost 100"},
		},
		{
			name: "a lot that the method would take", method: portfolio.MethodFIFO, sales: []string{d + "sell 5 XYZ 90 USD", d + "sell 10 XYZ 200 USD lot=t1:10"},
			want: []string{"t4 t1: 10 for 200 USD, cost 100", "t3 t2: 5 for 90 USD, cost 100"},
		},
		{
			name: "what is sold short beside what is held", method: portfolio.MethodFIFO, sales: []string{d + "sell 8 XYZ 90 USD short=yes", d + "sell 20 XYZ 400 USD"},
			want: []string{"t4 t1: 10 for 200 USD, cost 100", "t4 t2: 10 for 200 USD, cost 200"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := withMethod(ledger(t, append([]string{first, second}, c.sales...)...), c.method)
			if diff := cmp.Diff(c.want, disposalsOf(replayAll(t, l))); diff != "" {
				t.Errorf("disposals, -want +got:\n%s", diff)
			}
		})
	}
}

func TestEngine_DaysAndHoldingsAdvanceTogether(t *testing.T) {
	engine := openEngine(t, ledger(t, "2024-03-01 sell 10 XYZ 5 USD", "2024-01-02 buy 10 XYZ 5 USD", "2024-02-01 buy 3 ABC 5 USD account=b", "2024-02-01 deposit 1 USD"))
	want := map[string]string{"2024-01-02": "a XYZ 10", "2024-02-01": "a XYZ 10, b ABC 3", "2024-03-01": "b ABC 3"}
	days := engine.Days()
	if len(days) != 3 {
		t.Fatalf("Days = %v, want three", days)
	}
	for _, d := range days {
		if err := engine.Advance(d); err != nil {
			t.Fatal(err)
		}
		var held []string
		for h := range engine.OpenPositions() {
			held = append(held, h.Account+" "+string(h.Symbol)+" "+h.Quantity.String())
		}
		if got := strings.Join(held, ", "); got != want[formatDate(d)] {
			t.Errorf("held on %s = %s, want %s", formatDate(d), got, want[formatDate(d)])
		}
	}
	if err := engine.Advance(day("2024-01-02")); err != nil || len(engine.Positions()) != 1 {
		t.Errorf("Advance to an earlier day = %v with %d positions, want no change", err, len(engine.Positions()))
	}
}

func TestEngine_WhatItReturnsStaysWhenItMovesOn(t *testing.T) {
	engine := openEngine(t, ledger(t, "2024-01-02 buy 10 XYZ 100 USD", "2024-01-03 sell 4 XYZ 50 USD", "2024-01-04 sell 6 XYZ 80 USD"))
	if err := engine.Advance(day("2024-01-03")); err != nil {
		t.Fatal(err)
	}
	positions, disposals, postings := engine.Positions(), engine.Disposals(), engine.Postings()
	if err := engine.Advance(day("2024-01-04")); err != nil {
		t.Fatal(err)
	}
	if q := positions[0].Lots[0].Quantity; !q.Equal(dec("6")) || !positions[0].Cost.Decimal.Equal(dec("60")) {
		t.Errorf("the earlier position = %+v, want 6 for 60", positions[0])
	}
	_ = append(disposals, portfolio.Disposal{})
	_ = append(postings, portfolio.Posting{})
	if got := engine.Disposals()[1].Transaction; got != "t3" {
		t.Errorf("second disposal = %q, want t3: appending to an answer must not change the engine", got)
	}
}
