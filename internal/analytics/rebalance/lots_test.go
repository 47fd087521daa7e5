package rebalance_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// Five lots of A at a price of 100, to be sold on 2024-06-03:
//
//	old    20 at 40, long: +60 each     new   20 at 90, short: +10 each
//	fair   20 at 85, long: +15 each     deep   5 at 130, short: -30 each
//	gift   10 of unknown cost
func lots() []rebalance.Lot {
	return []rebalance.Lot{
		lot("old", "2020-01-02", "20", "800"), lot("fair", "2022-01-03", "20", "1700"), lot("gift", "", "10", ""),
		lot("deep", "2024-02-01", "5", "650"), lot("new", "2024-03-01", "20", "1800"),
	}
}

func taxed(t *testing.T) rebalance.Request {
	r := simple()
	r.Jurisdiction = us(t)
	r.Accounts[0].Positions[0].Lots = lots()
	return r
}

// lotsUsed formats lots as "deep 5".
func lotsUsed(p rebalance.Plan) string {
	var out []string
	for _, t := range p.Trades {
		for _, l := range t.Lots {
			out = append(out, l.Lot+" "+l.Quantity.String())
		}
	}
	return strings.Join(out, ", ")
}

// 75 A and 50 B become 0 A and 200 B in steps, to show the order of lots.
func TestPlan_SellsLotsInTheOrderOfTheAccount(t *testing.T) {
	for _, tc := range []struct {
		name, weights, want string
		method              portfolio.Method
		rates               rebalance.TaxRates
	}{
		// 30% and 15%: a tax of -9, +2.25, +3 and +9 a share, and unknown.
		{name: "least tax", weights: "A 0.1 B 0.9", want: "deep 5, fair 20, new 20, old 20", rates: rebalance.TaxRates{Short: known("0.3"), Long: known("0.15")}},
		// 30% and 20%: -9, +3 and +3: with equal taxes the smaller gain is first.
		{name: "equal tax", weights: "A 0.6 B 0.4", want: "deep 5, new 10", rates: rebalance.TaxRates{Short: known("0.3"), Long: known("0.2")}},
		{name: "without rates long gains before short ones", weights: "A 0.1 B 0.9", want: "deep 5, fair 20, old 20, new 20"},
		{name: "first in", weights: "A 0.6 B 0.4", want: "gift 10, old 5", method: portfolio.MethodFIFO},
		{name: "last in", weights: "A 0.6 B 0.4", want: "new 15", method: portfolio.MethodLIFO},
		{name: "dearest", weights: "A 0.5 B 0.5", want: "deep 5, new 20", method: portfolio.MethodHighestCost},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := taxed(t)
			r.Targets, r.Rates, r.Accounts[0].Method = weights(tc.weights), tc.rates, tc.method
			if got := lotsUsed(plan(t, r)); got != tc.want {
				t.Errorf("lots sold = %s, want %s", got, tc.want)
			}
		})
	}
}

// 15 A: 5 of deep lose 150, 10 of fair gain 150 long-term. At 30% and 15% the loss saves 45 and the gain
// costs 22.50; netted, no tax is due.
func TestPlan_TaxIsOfLotsAndOfWhatRemainsAfterLosses(t *testing.T) {
	r := taxed(t)
	r.Rates = rebalance.TaxRates{Short: known("0.3"), Long: known("0.15")}
	p := plan(t, r)
	sale := p.Trades[0]
	if !sale.Gain.Valid || !sale.Gain.Decimal.IsZero() || !sale.Tax.Decimal.Equal(dec("-22.5")) || !sale.Lots[1].Tax.Decimal.Equal(dec("22.5")) || sale.Lots[1].Term != tax.TermLong {
		t.Errorf("sale = %+v, want no gain, -45 and 22.50 of tax", sale)
	}
	if !p.Tax.Valid || !p.Tax.Decimal.IsZero() || len(p.Gains) != 2 {
		t.Errorf("tax = %v of %+v, want 0", p.Tax, p.Gains)
	}
	// 5 more of new gain 50 short-term: the loss of 150 is netted with these 50 first, and the other 100
	// with 300 long-term: 200 at 15% are 30.
	r.Targets = weights("A 0.45 B 0.55") // 45 A stay: 5 deep, 20 fair and 5 new are sold
	p = plan(t, r)
	if got := lotsUsed(p); got != "deep 5, fair 20, new 5" || !p.Tax.Decimal.Equal(dec("30")) {
		t.Errorf("tax = %v of %s, want 30 of deep 5, fair 20, new 5", p.Tax, got)
	}
}

func TestPlan_TaxIsAbsentWhereItIsNotKnown(t *testing.T) {
	r := taxed(t)
	if p := plan(t, r); p.Tax.Valid || p.Trades[0].Tax.Valid || !p.Trades[0].Gain.Valid {
		t.Errorf("without rates: %v, want the gain and no tax", p.Tax)
	}
	r.Rates = rebalance.TaxRates{Short: known("0.3"), Long: known("0.15")}
	r.Targets = weights("A 0 B 1")
	if p := plan(t, r); p.Tax.Valid || !p.Unknown.Equal(dec("1000")) || p.Trades[0].Gain.Valid {
		t.Errorf("with a lot of unknown cost: tax %v, unknown %s; want none, and 1000", p.Tax, p.Unknown)
	}
	r.Accounts[0].Untaxed = true
	if p := plan(t, r); !p.Tax.Valid || !p.Tax.Decimal.IsZero() || !p.Trades[0].Tax.Decimal.IsZero() {
		t.Errorf("in an untaxed account: %v, want zero", p.Tax)
	}
}

// A lot that a taxed account may not sell at a loss is skipped where lots are chosen, and stops the sale
// where they are not.
func TestPlan_KeepsLossesThatWouldBeWashed(t *testing.T) {
	r := taxed(t)
	r.KeepLosses = map[market.Symbol]bool{"A": true}
	if got := lotsUsed(plan(t, r)); got != "fair 15" {
		t.Errorf("lots sold = %s, want fair 15", got)
	}
	r.Accounts[0].Method = portfolio.MethodLIFO
	r.Targets = weights("A 0.5 B 0.5")
	if got := lotsUsed(plan(t, r)); got != "new 20" {
		t.Errorf("last in: %s, want new 20, for deep comes next", got)
	}
	r.Accounts[0].Untaxed = true
	if got := lotsUsed(plan(t, r)); got != "new 20, deep 5" {
		t.Errorf("untaxed: %s, want new 20, deep 5", got)
	}
}

// The account that owes cash sells A at a loss; the other, which has cash for A, does not buy it in the
// same plan. Of 12,000 B should have 4,800 and has 2,500; A should have 7,200, and has 500 after the sale.
func TestPlan_DoesNotBuyWhatItSellsAtALoss(t *testing.T) {
	r := simple()
	r.Jurisdiction = us(t)
	r.Accounts = []rebalance.Account{account("one", "-500", "A 10"), account("two", "9000", "B 50")}
	r.Accounts[0].Positions[0].Lots = []rebalance.Lot{lot("l1", "2024-01-02", "10", "1500")}
	p := plan(t, r)
	if diff := cmp.Diff([]string{"sell one A 5", "buy two B 46"}, tradeLines(p)); diff != "" {
		t.Errorf("trades (-want +got):\n%s", diff)
	}
	if len(p.Skipped) != 1 || p.Skipped[0].Symbol != "A" || p.Skipped[0].Reason != rebalance.WashSale || !p.Skipped[0].From.Equal(day("2024-07-04")) {
		t.Errorf("left out = %+v, want the purchase of A until 31 days later", p.Skipped)
	}
	r.Jurisdiction = tax.Jurisdiction{}
	if diff := cmp.Diff([]string{"sell one A 5", "buy two A 67", "buy two B 46"}, tradeLines(plan(t, r))); diff != "" {
		t.Errorf("trades without a rule on wash sales (-want +got):\n%s", diff)
	}
}

// Two taxed accounts: of 15 A the 10 with a loss are sold in one, the 5 with the smallest gain in the
// other. The fee of 3 is shared by quantity: 3 * 10/10.
func TestPlan_LeastTaxIsFoundAcrossAccounts(t *testing.T) {
	r := simple()
	r.Jurisdiction, r.Fee.Fixed = us(t), dec("3")
	r.Rates = rebalance.TaxRates{Short: known("0.3"), Long: known("0.15")}
	r.Accounts = []rebalance.Account{account("one", "0", "A 35 B 50"), account("two", "0", "A 40")}
	r.Accounts[0].Positions[0].Lots = []rebalance.Lot{lot("a", "2020-01-02", "25", "1000"), lot("b", "2023-01-03", "10", "1100")}
	r.Accounts[1].Positions[0].Lots = []rebalance.Lot{lot("c", "2020-01-02", "20", "1200"), lot("d", "2023-01-03", "20", "1900")}
	p := plan(t, r)
	if got := lotsUsed(p); got != "b 10, d 5" {
		t.Fatalf("lots sold = %s, want b 10, d 5", got)
	}
	if l := p.Trades[0].Lots[0]; !l.Proceeds.Equal(dec("997")) || !l.Gain.Decimal.Equal(dec("-103")) {
		t.Errorf("b = %+v, want 997 and a loss of 103", l)
	}
}

func TestPlan_AverageCostIsThatOfAllLots(t *testing.T) {
	r := simple()
	r.Jurisdiction, r.Accounts[0].Method = us(t), portfolio.MethodAverage
	// 75 for 6,000: 80 each.
	r.Accounts[0].Positions[0].Lots = []rebalance.Lot{lot("a", "2020-01-02", "25", "1000"), lot("b", "2023-01-03", "50", "5000")}
	if l := plan(t, r).Trades[0].Lots[0]; l.Lot != "a" || !l.Cost.Decimal.Equal(dec("1200")) || !l.Gain.Decimal.Equal(dec("300")) {
		t.Errorf("lot = %+v, want 15 of a at 80", l)
	}
}
