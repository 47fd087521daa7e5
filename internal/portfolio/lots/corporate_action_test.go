package lots_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Each case starts with the same two lots: t1 10 for 1,000 and t2 20 for 3,000.
func TestEngine_CorporateActions(t *testing.T) {
	for _, c := range []struct {
		name, does      string
		lots, disposals []string
		cash            string
	}{
		{
			name: "a split keeps cost and dates", does: "split XYZ ratio=4:1",
			lots: []string{"a XYZ t1: 40 for 1000 USD, 2023-01-02", "a XYZ t2: 80 for 3000 USD, 2023-02-01"},
			cash: "a -4000 USD",
		},
		{
			// 30 * 1/8 = 3.75: 10/8 = 1.25 and 20/8 = 2.5.
			name: "a reverse split leaves fractions", does: "reverse_split XYZ ratio=1:8",
			lots: []string{"a XYZ t1: 1.25 for 1000 USD, 2023-01-02", "a XYZ t2: 2.5 for 3000 USD, 2023-02-01"},
			cash: "a -4000 USD",
		},
		{
			// A third of 30 is 10, although thirds of 10 and 20 do not divide evenly.
			name: "what is even together is rounded within", does: "reverse_split XYZ ratio=1:3",
			lots: []string{"a XYZ t1: 3.333333333333 for 1000 USD, 2023-01-02", "a XYZ t2: 6.666666666667 for 3000 USD, 2023-02-01"},
			cash: "a -4000 USD",
		},
		{
			// 12.5 % of 1,000 is 125, of 3,000 is 375; 6 shares as 10 to 20.
			name: "a spin-off takes its part of the cost", does: "spin_off 6 XYZ tosymbol=KID part=0.125",
			lots: []string{
				"a KID t1: 2 for 125 USD, 2023-01-02", "a KID t2: 4 for 375 USD, 2023-02-01",
				"a XYZ t1: 10 for 875 USD, 2023-01-02", "a XYZ t2: 20 for 2625 USD, 2023-02-01",
			},
			cash: "a -4000 USD",
		},
		{
			name: "a spin-off without its part leaves costs unknown", does: "spin_off 6 XYZ tosymbol=KID",
			lots: []string{
				"a KID t1: 2 for ? USD, 2023-01-02", "a KID t2: 4 for ? USD, 2023-02-01",
				"a XYZ t1: 10 for ? USD, 2023-01-02", "a XYZ t2: 20 for ? USD, 2023-02-01",
			},
			cash: "a -4000 USD",
		},
		{
			name: "a merger for shares", does: "merger XYZ tosymbol=NEW ratio=1:2",
			lots: []string{"a NEW t1: 5 for 1000 USD, 2023-01-02", "a NEW t2: 10 for 3000 USD, 2023-02-01"},
			cash: "a -4000 USD",
		},
		{
			// 10% of 1,000 and of 3,000 are set against 600, split as 10 to 20.
			name: "a merger for shares and cash", does: "merger XYZ 600 USD tosymbol=NEW ratio=1:2 part=0.1",
			lots:      []string{"a NEW t1: 5 for 900 USD, 2023-01-02", "a NEW t2: 10 for 2700 USD, 2023-02-01"},
			disposals: []string{"t3 t1: 0 for 200 USD, cost 100", "t3 t2: 0 for 400 USD, cost 300"},
			cash:      "a -3400 USD",
		},
		{
			// 4,500 less a fee of 30 is 4,470, as 10 to 20.
			name: "a merger for cash", does: "merger XYZ 4500 USD fee=30",
			disposals: []string{"t3 t1: 10 for 1490 USD, cost 1000", "t3 t2: 20 for 2980 USD, cost 3000"},
			cash:      "a 470 USD",
		},
		{
			// 3,300 over 30 shares is 110 a share: 1,100 on the first lot, 100 above its
			// cost, and 2,200 on the second.
			name: "capital paid back beyond the cost is a gain", does: "return_of_capital XYZ 3300 USD",
			lots:      []string{"a XYZ t1: 10 for 0 USD, 2023-01-02", "a XYZ t2: 20 for 800 USD, 2023-02-01"},
			disposals: []string{"t3 t1: 0 for 100 USD, cost 0"},
			cash:      "a -700 USD",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			engine := replayAll(t, ledger(t, "2023-01-02 buy 10 XYZ 1000 USD", "2023-02-01 buy 20 XYZ 3000 USD", "2024-05-06 "+c.does))
			if diff := cmp.Diff(c.lots, lotsOf(engine)); diff != "" {
				t.Errorf("lots after %s, -want +got:\n%s", c.does, diff)
			}
			if diff := cmp.Diff(c.disposals, disposalsOf(engine)); diff != "" {
				t.Errorf("disposals after %s, -want +got:\n%s", c.does, diff)
			}
			if diff := cmp.Diff([]string{c.cash}, cashOf(engine)); diff != "" {
				t.Errorf("cash after %s, -want +got:\n%s", c.does, diff)
			}
		})
	}
}

// The average cost covers all lots: 4,000 for 30. A spin-off of an eighth leaves 3,500.
func TestEngine_ActionsAtAverageCost(t *testing.T) {
	engine := replayAll(t, withMethod(ledger(t, "2023-01-02 buy 10 XYZ 1000 USD", "2023-02-01 buy 20 XYZ 3500 USD",
		"2024-05-06 spin_off 6 XYZ tosymbol=KID part=0.2", "2024-05-07 split XYZ ratio=2:1", "2024-05-08 sell 30 XYZ 2000 USD"), portfolio.MethodAverage))
	// 4,500 less 900; 3,600 for 60 after the split, so 30 cost 1,800.
	want := []string{"t5 t1: 20 for 1333.333333333333 USD, cost 1200", "t5 t2: 10 for 666.666666666667 USD, cost 600"}
	if diff := cmp.Diff(want, disposalsOf(engine)); diff != "" {
		t.Errorf("disposals, -want +got:\n%s", diff)
	}
	lots := []string{"a KID t1: 2 for 300 USD, 2023-01-02", "a KID t2: 4 for 600 USD, 2023-02-01", "a XYZ t2: 30 for 1800 USD, 2023-02-01"}
	if diff := cmp.Diff(lots, lotsOf(engine)); diff != "" {
		t.Errorf("lots, -want +got:\n%s", diff)
	}
}

func TestEngine_SplitOfAShortPosition(t *testing.T) {
	engine := replayAll(t, ledger(t, "2023-01-02 sell 10 XYZ 1000 USD short=yes", "2023-02-01 split XYZ ratio=3:1"))
	if diff := cmp.Diff([]string{"a XYZ t1: -30 for 1000 USD, 2023-01-02"}, lotsOf(engine)); diff != "" {
		t.Errorf("lots, -want +got:\n%s", diff)
	}
	if p := engine.Postings(); !p[len(p)-1].Quantity.Equal(dec("-20")) {
		t.Errorf("posting of the split = %s, want -20", p[len(p)-1].Quantity)
	}
}

func TestEngine_ActionsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		name, first, does string
		want              error
		says              string
	}{
		{"split of nothing", "buy 1 ABC 1 USD", "split XYZ ratio=4:1", portfolio.ErrNotHeld, `"a" has 0 XYZ`},
		{"spin-off of nothing", "buy 1 ABC 1 USD", "spin_off 6 XYZ tosymbol=KID", portfolio.ErrNotHeld, `"a" has 0 XYZ`},
		{"merger of nothing", "buy 1 ABC 1 USD", "merger XYZ tosymbol=KID ratio=1:1", portfolio.ErrNotHeld, `"a" has 0 XYZ`},
		{"capital of nothing", "buy 1 ABC 1 USD", "return_of_capital XYZ 6 USD", portfolio.ErrNotHeld, `"a" has 0 XYZ`},
		{"merger of a short position", "sell 5 XYZ 1 USD short=yes", "merger XYZ 6 USD", portfolio.ErrNotHeld, `"a" has -5 XYZ`},
		{"spin-off into a short position", "sell 5 KID 1 USD short=yes", "spin_off 6 ABC tosymbol=KID", portfolio.ErrInvalid, "short 5 KID"},
		{"merger into a short position", "sell 5 KID 1 USD short=yes", "merger ABC tosymbol=KID ratio=1:1", portfolio.ErrInvalid, "short 5 KID"},
		{"transfer into a short position", "sell 5 KID 1 USD short=yes", "transfer_in 6 KID 5 USD", portfolio.ErrInvalid, "short 5 KID"},
		{"reinvestment in a short position", "sell 5 KID 1 USD short=yes", "reinvested_dividend 6 KID 5 USD", portfolio.ErrInvalid, "short 5 KID"},
		{"a split beyond all numbers", "buy 1 XYZ 1 USD", "split XYZ ratio=99999999999999999999999999999999999999:0.000000000000000001", portfolio.ErrInvalid, "check new and old"},
		{"a reverse split to nothing", "buy 1 XYZ 1 USD", "reverse_split XYZ ratio=0.000000000000000001:1000", portfolio.ErrInvalid, "check new and old"},
	} {
		t.Run(c.name, func(t *testing.T) {
			engine := openEngine(t, ledger(t, "2023-01-02 buy 3 ABC 5 USD", "2023-02-01 "+c.first, "2023-03-01 "+c.does))
			if err := engine.Advance(day("2023-02-28")); err != nil {
				t.Fatal(err)
			}
			before, postings := lotsOf(engine), len(engine.Postings())
			err := engine.Advance(day("2024-01-01"))
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("%s = %v, want %v with %q", c.does, err, c.want, c.says)
			}
			if diff := cmp.Diff(before, lotsOf(engine)); diff != "" || len(engine.Postings()) != postings {
				t.Errorf("%s was refused and changed the engine by %d postings, -before +after:\n%s", c.does, len(engine.Postings())-postings, diff)
			}
		})
	}
}
