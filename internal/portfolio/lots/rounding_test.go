package lots_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// 100 shares for 900 become 33.333333333333 at 1 for 3. Brokers write four or three decimals,
// rounded up or down, pay the fraction in cash, and the 33 are sold later.
func TestEngine_AFractionPaidOutLeavesNoDust(t *testing.T) {
	for _, c := range []struct{ fraction, left string }{
		{"0.3333", "33.000033333333"}, {"0.333", "33.000333333333"}, {"0.3334", "32.999933333333"}, {"0.333333", "33.000000333333"},
	} {
		t.Run(c.fraction, func(t *testing.T) {
			l := ledger(t, "2023-01-02 buy 100 XYZ 900 USD", "2023-02-01 reverse_split XYZ ratio=1:3",
				"2023-02-05 sell "+c.fraction+" XYZ 10 USD", "2023-03-01 sell 33 XYZ 990 USD", "2023-04-01 buy 2.0004 XYZ 50 USD", "2023-05-01 sell 2 XYZ 55 USD")
			engine := openEngine(t, l)
			if err := engine.Advance(day("2023-02-28")); err != nil {
				t.Fatal(err)
			}
			if p := engine.Positions(); !p[0].Quantity.Equal(dec(c.left)) {
				t.Errorf("left of the fraction = %s, want %s", p[0].Quantity, c.left)
			}
			if err := engine.Advance(day("2023-03-31")); err != nil {
				t.Fatal(err)
			}
			if got := lotsOf(engine); got != nil {
				t.Errorf("after all is sold = %v, want nothing", got)
			}
			d := engine.Disposals()
			if sum := d[0].Cost.Decimal.Add(d[1].Cost.Decimal); !d[1].Quantity.Equal(dec(c.left)) || !sum.Equal(dec("900")) || !d[1].Proceeds.Equal(dec("990")) {
				t.Errorf("the last sale is of %s for %s, costs together %s; want %s for 990, and 900", d[1].Quantity, d[1].Proceeds, sum, c.left)
			}
			checkBalanced(t, l, engine)
			// Later purchases keep their own digits.
			if err := engine.Advance(day("2023-05-31")); err != nil {
				t.Fatal(err)
			}
			if p := engine.Positions(); len(p) != 1 || !p[0].Quantity.Equal(dec("0.0004")) {
				t.Errorf("after 2 of 2.0004 are sold = %+v, want 0.0004", p)
			}
		})
	}
}

func TestEngine_DigitsThatMeanSomethingAreKept(t *testing.T) {
	first := []string{"2023-01-02 buy 100 XYZ 900 USD", "2023-02-01 reverse_split XYZ ratio=1:3"}
	for _, c := range []struct {
		name  string
		lines []string
		left  string
		want  error
	}{
		{"a third is a third", append(first, "2023-03-01 sell 33 XYZ 990 USD"), "0.333333333333", nil},
		{"more than the last digit tells", append(first, "2023-03-01 sell 33.3332 XYZ 990 USD"), "0.000133333333", nil},
		{"half a thousandth at most", append(first, "2023-03-01 sell 33.3 XYZ 990 USD"), "0.033333333333", nil},
		{"more than there is", append(first, "2023-03-01 sell 33.3335 XYZ 990 USD"), "33.333333333333", portfolio.ErrNotHeld},
		{"no split", []string{"2023-01-02 buy 0.12345678 COIN 9000 USD", "2023-03-01 sell 0.123 COIN 9000 USD"}, "0.00045678", nil},
		{"no split, and more than there is", []string{"2023-01-02 buy 0.12345678 COIN 9000 USD", "2023-03-01 sell 0.1234568 COIN 9000 USD"}, "0.12345678", portfolio.ErrNotHeld},
		{"a split that came out even", []string{"2023-01-02 buy 10 XYZ 900 USD", "2023-02-01 reverse_split XYZ ratio=1:8", "2023-03-01 sell 1.2496 XYZ 990 USD"}, "0.0004", nil},
		{"as many again are sold short", []string{"2023-01-02 sell 10 XYZ 900 USD short=yes", "2023-02-01 reverse_split XYZ ratio=1:3", "2023-03-01 sell 3.3333 XYZ 990 USD short=yes"}, "-6.666633333333", nil},
		{"shares handed out as the broker writes them", []string{"2023-01-02 buy 10 XYZ 900 USD", "2023-02-01 spin_off 1.23456 XYZ tosymbol=KID part=0.1", "2023-02-02 sell 10 XYZ 900 USD", "2023-03-01 sell 1.234 KID 99 USD"}, "0.00056", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := ledger(t, c.lines...)
			engine := openEngine(t, l)
			if err := engine.Advance(day("2024-01-01")); !errors.Is(err, c.want) {
				t.Fatalf("Advance = %v, want %v", err, c.want)
			}
			if p := engine.Positions(); len(p) != 1 || !p[0].Quantity.Equal(dec(c.left)) {
				t.Errorf("left = %+v, want %s", p, c.left)
			}
			checkBalanced(t, l, engine)
		})
	}
}

// 10 and 20 shares at 1 for 3: the lots are 3.333333333333 and 6.666666666667. If a sale names them
// with a broker's digits, it takes all of them.
func TestEngine_LotsThatAreNamedWithFewerDigitsAreTakenWhole(t *testing.T) {
	l := withMethod(ledger(t, "2023-01-02 buy 10 XYZ 100 USD", "2023-01-03 buy 20 XYZ 400 USD", "2023-02-01 reverse_split XYZ ratio=1:3",
		"2023-03-01 sell 5.3333 XYZ 160 USD lot=t1:3.3333 lot=t2:2", "2023-04-01 transfer_out 4.6667 XYZ lot=t2:4.6667 to=b", "2023-05-01 sell 4.667 XYZ 180 USD account=b"), portfolio.MethodSpecific)
	engine := replayAll(t, l)
	want := []string{
		"t4 t1: 3.333333333333 for 99.999999999996 USD, cost 100", "t4 t2: 2 for 60.000000000004 USD, cost 119.999999999994",
		"t6 t2: 4.666666666667 for 180 USD, cost 280.000000000006",
	}
	if diff := cmp.Diff(want, disposalsOf(engine)); diff != "" {
		t.Errorf("disposals, -want +got:\n%s", diff)
	}
	if got := lotsOf(engine); got != nil {
		t.Errorf("lots = %v, want none", got)
	}
	checkBalanced(t, l, engine)
}

// A merger at 1 for 7 leaves excess digits as a split does.
func TestEngine_AMergerLeavesNoDust(t *testing.T) {
	l := ledger(t, "2023-01-02 buy 10 XYZ 100 USD", "2023-02-01 merger XYZ tosymbol=NEW ratio=1:7", "2023-02-05 sell 0.4286 NEW 8 USD", "2023-03-01 sell 1 NEW 20 USD")
	engine := replayAll(t, l)
	if got := lotsOf(engine); got != nil {
		t.Errorf("lots = %v, want none", got)
	}
	checkBalanced(t, l, engine)
}
