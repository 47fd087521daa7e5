package lots_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// The purchases follow "Identifying stock or bonds sold" in IRS Publication 550, with other
// numbers:
//
//	t1  100 at 20 = 2,000 + 10 fee = 2,010, 20.10 a share
//	t2  100 at 30 = 3,000 + 10 fee = 3,010, 30.10 a share
//	t3   50 at 26 = 1,300 + 10 fee = 1,310, 26.20 a share
//	t4  sells 120 at 40 = 4,800 - 12 fee - 0.60 tax = 4,787.40, 39.895 a share
func sales() []string {
	return []string{
		"2023-02-01 buy 100 XYZ 2000 USD fee=10",
		"2023-06-01 buy 100 XYZ 3000 USD fee=10",
		"2023-09-01 buy 50 XYZ 1300 USD fee=10",
		"2024-03-01 sell 120 XYZ 4800 USD fee=12.60",
	}
}

func TestEngine_SaleTakesLotsByMethod(t *testing.T) {
	for _, c := range []struct {
		name      string
		method    portfolio.Method
		disposals []string
		lots      []string
	}{
		{
			// 100 at 39.895 = 3,989.50; 20 of t2 at 30.10 = 602, for 797.90.
			name: "the oldest first", method: portfolio.MethodFIFO,
			disposals: []string{"t4 t1: 100 for 3989.5 USD, cost 2010", "t4 t2: 20 for 797.9 USD, cost 602"},
			lots:      []string{"a XYZ t2: 80 for 2408 USD, 2023-06-01", "a XYZ t3: 50 for 1310 USD, 2023-09-01"},
		},
		{
			// 50 at 39.895 = 1,994.75; 70 of t2 at 30.10 = 2,107, for 2,792.65.
			name: "the newest first", method: portfolio.MethodLIFO,
			disposals: []string{"t4 t3: 50 for 1994.75 USD, cost 1310", "t4 t2: 70 for 2792.65 USD, cost 2107"},
			lots:      []string{"a XYZ t1: 100 for 2010 USD, 2023-02-01", "a XYZ t2: 30 for 903 USD, 2023-06-01"},
		},
		{
			// 30.10 is the highest cost, then 26.20: 20 of t3 = 524.
			name: "the dearest first", method: portfolio.MethodHighestCost,
			disposals: []string{"t4 t2: 100 for 3989.5 USD, cost 3010", "t4 t3: 20 for 797.9 USD, cost 524"},
			lots:      []string{"a XYZ t1: 100 for 2010 USD, 2023-02-01", "a XYZ t3: 30 for 786 USD, 2023-09-01"},
		},
		{
			// 2,010 + 3,010 + 1,310 = 6,330 of 250 shares, 25.32 a share.
			name: "at the average", method: portfolio.MethodAverage,
			disposals: []string{"t4 t1: 100 for 3989.5 USD, cost 2532", "t4 t2: 20 for 797.9 USD, cost 506.4"},
			lots:      []string{"a XYZ t2: 80 for 2025.6 USD, 2023-06-01", "a XYZ t3: 50 for 1266 USD, 2023-09-01"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			engine := replayAll(t, withMethod(ledger(t, sales()...), c.method))
			if diff := cmp.Diff(c.disposals, disposalsOf(engine)); diff != "" {
				t.Errorf("disposals by %s, -want +got:\n%s", c.method, diff)
			}
			if diff := cmp.Diff(c.lots, lotsOf(engine)); diff != "" {
				t.Errorf("lots by %s, -want +got:\n%s", c.method, diff)
			}
		})
	}
}

func TestEngine_SaleTakesTheLotsItNames(t *testing.T) {
	for _, method := range []portfolio.Method{portfolio.MethodSpecific, portfolio.MethodFIFO} {
		lines := sales()
		lines[3] += " lot=t3:40 lot=t1:80"
		engine := replayAll(t, withMethod(ledger(t, lines...), method))
		// 40 of t3 at 26.20 = 1,048 for 1,595.80; 80 of t1 at 20.10 = 1,608 for 3,191.60.
		want := []string{"t4 t3: 40 for 1595.8 USD, cost 1048", "t4 t1: 80 for 3191.6 USD, cost 1608"}
		if diff := cmp.Diff(want, disposalsOf(engine)); diff != "" {
			t.Errorf("disposals of named lots by %s, -want +got:\n%s", method, diff)
		}
	}
}

func TestEngine_SpecificLotsMustBeNamedAndHeld(t *testing.T) {
	for _, c := range []struct {
		name, sale string
		want       error
		says       string
	}{
		{"none named", "sell 120 XYZ 4800 USD", portfolio.ErrInvalid, "t1 (100), t2 (100), t3 (50)"},
		{"no such lot", "sell 5 XYZ 200 USD lot=t9:5", portfolio.ErrNotHeld, "no lot t9"},
		{"more than the lot", "sell 60 XYZ 200 USD lot=t3:60", portfolio.ErrNotHeld, "lot t3 has 50"},
		{"named short", "sell 300 XYZ 200 USD short=yes lot=t1:300", portfolio.ErrNotHeld, "has 250 XYZ"},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := append(sales()[:3], "2024-03-01 "+c.sale)
			err := replayError(t, withMethod(ledger(t, lines...), portfolio.MethodSpecific))
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s = %v, want %v with %q", c.sale, err, c.want, c.says)
			}
		})
	}
	all := append(sales()[:3], "2024-03-01 sell 250 XYZ 4800 USD")
	if engine := replayAll(t, withMethod(ledger(t, all...), portfolio.MethodSpecific)); len(engine.Disposals()) != 3 {
		t.Errorf("a sale of everything names no lots: %v, want three disposals", disposalsOf(engine))
	}
}

// A third of 100.00 does not divide evenly: the parts are rounded to 12 decimals and the last one
// is the remainder.
func TestEngine_CostsOfPartsAddUpExactly(t *testing.T) {
	for _, method := range portfolio.Methods()[:4] {
		engine := replayAll(t, withMethod(ledger(t,
			"2023-02-01 buy 3 XYZ 100 USD",
			"2023-03-01 sell 1 XYZ 50 USD", "2023-03-02 sell 1 XYZ 50 USD", "2023-03-03 sell 1 XYZ 50 USD"), method))
		// 100 - 33.333333333333 = 66.666666666667; half of it has 13 decimals and is rounded up, so
		// that the last share equals the first.
		want := []string{
			"t2 t1: 1 for 50 USD, cost 33.333333333333",
			"t3 t1: 1 for 50 USD, cost 33.333333333334",
			"t4 t1: 1 for 50 USD, cost 33.333333333333",
		}
		if diff := cmp.Diff(want, disposalsOf(engine)); diff != "" {
			t.Errorf("thirds by %s, -want +got:\n%s", method, diff)
		}
	}
}

func TestEngine_UnknownCostStaysUnknown(t *testing.T) {
	lines := []string{
		"2023-02-01 transfer_in 10 XYZ unknown=yes",
		"2023-03-01 buy 10 XYZ 300 USD",
		"2023-04-01 sell 5 XYZ 200 USD",
	}
	for method, want := range map[portfolio.Method]string{
		portfolio.MethodFIFO:        "t3 t1: 5 for 200 USD, cost ?",
		portfolio.MethodHighestCost: "t3 t2: 5 for 200 USD, cost 150", // the unknown one comes last
		portfolio.MethodAverage:     "t3 t1: 5 for 200 USD, cost ?",
	} {
		engine := replayAll(t, withMethod(ledger(t, lines...), method))
		if got := disposalsOf(engine); len(got) != 1 || got[0] != want {
			t.Errorf("sale of partly unknown cost by %s = %v, want %s", method, got, want)
		}
		if p := engine.Positions(); p[0].Cost.Valid {
			t.Errorf("cost of the position by %s = %s, want unknown", method, p[0].Cost.Decimal)
		}
	}
}

func TestEngine_LotsOfAnotherCurrencyKeepIt(t *testing.T) {
	engine := replayAll(t, ledger(t, "2023-02-01 buy 10 XYZ 300 EUR", "2023-03-01 buy 10 XYZ 400 USD", "2023-04-01 sell 15 XYZ 900 USD"))
	want := []string{"t3 t1: 10 for 600 USD, cost 300 EUR", "t3 t2: 5 for 300 USD, cost 200"}
	if diff := cmp.Diff(want, disposalsOf(engine)); diff != "" {
		t.Errorf("sale in dollars of a lot in euros, -want +got:\n%s", diff)
	}
	if gain := engine.Disposals()[0].Gain(); gain.Valid {
		t.Errorf("gain across currencies = %s, want none without rates", gain.Decimal)
	}
	if gain := engine.Disposals()[1].Gain(); !gain.Valid || !gain.Decimal.Equal(dec("100")) {
		t.Errorf("gain = %v, want 300 - 200 = 100", gain)
	}
}

func TestEngine_SellingMoreThanHeldIsRefused(t *testing.T) {
	l := ledger(t, "2024-01-02 buy 10 VTI 2000 USD", "2024-01-03 buy 7 VTI 1400 USD account=b", "2024-02-01 sell 11 VTI 2400 USD id=much")
	engine := openEngine(t, l)
	err := engine.Advance(day("2024-12-31"))
	if !errors.Is(err, portfolio.ErrNotHeld) {
		t.Fatalf("sell 11 of 10 = %v, want ErrNotHeld", err)
	}
	for _, part := range []string{"much", "2024-02-01", `"a" has 10 VTI`, `"b" has 7`, "short"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
	want := []string{"a VTI t1: 10 for 2000 USD, 2024-01-02", "b VTI t2: 7 for 1400 USD, 2024-01-03"}
	if diff := cmp.Diff(want, lotsOf(engine)); diff != "" {
		t.Errorf("the engine after the refusal, -want +got:\n%s", diff)
	}
	if again := engine.Advance(day("2025-12-31")); again == nil || again.Error() != err.Error() {
		t.Errorf("Advance after a refusal = %v, want the same error", again)
	}
	if before := engine.Advance(day("2024-01-31")); before != nil {
		t.Errorf("Advance to a day before the refusal = %v, want nil", before)
	}
}

// Sold 10 short at 50, less a fee of 5: 495 received. Bought 4 back at 40 with a fee of 2: 162
// paid, against 495 * 4/10 = 198 received, a gain of 36. Then 9 at 60: 6 close the rest (360 of 540
// paid against 297, so -63), 3 are a new lot for 180.
func TestEngine_ShortPositionIsClosedBeforeALotIsOpened(t *testing.T) {
	engine := openEngine(t, ledger(t,
		"2024-01-02 sell 10 XYZ 500 USD fee=5 short=yes", "2024-02-01 buy 4 XYZ 160 USD fee=2", "2024-03-01 buy 9 XYZ 540 USD"))
	if err := engine.Advance(day("2024-01-31")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a XYZ t1: -10 for 495 USD, 2024-01-02"}, lotsOf(engine)); diff != "" {
		t.Errorf("a short position, -want +got:\n%s", diff)
	}
	if err := engine.Advance(day("2024-12-31")); err != nil {
		t.Fatal(err)
	}
	want := []string{"t2 t1: -4 for 198 USD, cost 162", "t3 t1: -6 for 297 USD, cost 360"}
	if diff := cmp.Diff(want, disposalsOf(engine)); diff != "" {
		t.Errorf("closing a short position, -want +got:\n%s", diff)
	}
	if gain := engine.Disposals()[1].Gain(); !gain.Decimal.Equal(dec("-63")) {
		t.Errorf("gain of the second part = %v, want -63", gain.Decimal)
	}
	if diff := cmp.Diff([]string{"a XYZ t3: 3 for 180 USD, 2024-03-01"}, lotsOf(engine)); diff != "" {
		t.Errorf("what was left of the purchase, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a -207 USD"}, cashOf(engine)); diff != "" { // 495 - 162 - 540
		t.Errorf("cash, -want +got:\n%s", diff)
	}
}

func TestEngine_SaleBeyondTheLotsOpensAShort(t *testing.T) {
	engine := replayAll(t, ledger(t, "2024-01-02 buy 4 XYZ 100 USD", "2024-02-01 sell 10 XYZ 500 USD short=yes"))
	// 500 * 4/10 for the lot, 300 for the short position.
	if diff := cmp.Diff([]string{"t2 t1: 4 for 200 USD, cost 100"}, disposalsOf(engine)); diff != "" {
		t.Errorf("disposals, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a XYZ t2: -6 for 300 USD, 2024-02-01"}, lotsOf(engine)); diff != "" {
		t.Errorf("lots, -want +got:\n%s", diff)
	}
}

func TestEngine_ReinvestedDividendIsIncomeAndALot(t *testing.T) {
	// 100 less 15 tax is 85: 84 of shares and a fee of 1, nothing in cash.
	engine := replayAll(t, ledger(t, "2024-01-02 buy 10 XYZ 1000 USD", "2024-02-01 reinvested_dividend 0.84 XYZ 100 USD tax=15 fee=1"))
	want := []string{"a XYZ t1: 10 for 1000 USD, 2024-01-02", "a XYZ t2: 0.84 for 85 USD, 2024-02-01"}
	if diff := cmp.Diff(want, lotsOf(engine)); diff != "" {
		t.Errorf("lots, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a -1000 USD"}, cashOf(engine)); diff != "" {
		t.Errorf("cash, -want +got:\n%s", diff)
	}
	in := engine.Incomes()
	if len(in) != 1 || !in[0].Amount.Equal(dec("100")) || !in[0].Tax.Equal(dec("15")) {
		t.Errorf("incomes = %+v, want 100 with 15 of tax", in)
	}
}

func TestEngine_WorthlessSharesLeaveAtAPriceOfZero(t *testing.T) {
	engine := replayAll(t, ledger(t, "2024-01-02 buy 10 XYZ 1000 USD", "2024-02-01 sell 10 XYZ currency=USD price=0"))
	if diff := cmp.Diff([]string{"t2 t1: 10 for 0 USD, cost 1000"}, disposalsOf(engine)); diff != "" {
		t.Errorf("disposals, -want +got:\n%s", diff)
	}
}

// The highest cost is found again after a return of capital, and after parts of a lot are joined.
func TestEngine_HighestCostFollowsWhatChangesCosts(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{
			// 20 a share less 15 is 5, below the 10 of the second lot.
			name:  "capital paid back",
			lines: []string{"2023-01-02 buy 10 XYZ 200 USD", "2023-02-01 return_of_capital XYZ 150 USD", "2023-03-01 buy 10 XYZ 100 USD", "2023-04-01 sell 5 XYZ 90 USD"},
			want:  "t4 t3: 5 for 90 USD, cost 50",
		},
		{
			// A return of capital of 9 a share on 2 of t1 and on t2 leaves 1 and 6 a share. With
			// the 8 of t1 that were away, at 10, t1 costs 82 for 10.
			name: "parts that meet again",
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 USD", "2023-01-03 buy 10 XYZ 150 USD", "2023-02-01 transfer_out 8 XYZ to=b lot=t1:8",
				"2023-03-01 return_of_capital XYZ 108 USD", "2023-04-01 transfer_out 8 XYZ account=b to=a", "2023-05-01 sell 5 XYZ 90 USD",
			},
			want: "t6 t1: 5 for 90 USD, cost 41",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := disposalsOf(replayAll(t, withMethod(ledger(t, c.lines...), portfolio.MethodHighestCost)))
			if diff := cmp.Diff([]string{c.want}, got); diff != "" {
				t.Errorf("the sale, -want +got:\n%s", diff)
			}
		})
	}
}
