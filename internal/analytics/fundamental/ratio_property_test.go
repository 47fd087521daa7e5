package fundamental_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/market"
)

// Ratios do not depend on the currency of the figures: in yen at 150 all sums and prices are 150 times as
// large, and no margin, multiple or number of days changes.
func TestRatios_DoNotDependOnTheCurrency(t *testing.T) {
	dollars := ratiosByID(mustCompany(t, apple(), sharePrice("271.4", "2025-10-31")))
	s := apple()
	for i := range s.Annual {
		s.Annual[i].Provenance.Currency = "JPY"
		for name, item := range s.Annual[i].Items {
			switch item.Unit {
			case "USD":
				item.Unit, item.Value = "JPY", item.Value.Mul(decimal.NewFromInt(150))
			case "USD/share":
				item.Unit, item.Value = "JPY/share", item.Value.Mul(decimal.NewFromInt(150))
			}
			s.Annual[i].Items[name] = item
		}
	}
	p := sharePrice("40710", "2025-10-31")
	p.Currency = "JPY"
	for id, r := range ratiosByID(mustCompany(t, s, p)) {
		was := dollars[id]
		switch r.Unit {
		case fundamental.UnitPercent, fundamental.UnitTimes, fundamental.UnitDays:
			if r.Value.Decimal.Sub(was.Value.Decimal).Abs().GreaterThan(decimal.New(1, -12)) || r.Missing != was.Missing {
				t.Errorf("%s = %s in yen and %s in dollars", id, r.Value.Decimal, was.Value.Decimal)
			}
		case "JPY":
			if !r.Value.Decimal.Sub(was.Value.Decimal.Mul(decimal.NewFromInt(150))).Abs().LessThan(decimal.NewFromInt(2)) {
				t.Errorf("%s = %s yen and %s dollars", id, r.Value.Decimal, was.Value.Decimal)
			}
		case "JPY/share":
		default:
			t.Errorf("%s is in %q", id, r.Unit)
		}
	}
}

// For any figures that a source gives, a ratio has a value or a reason, and there is no multiple of
// negative earnings or equity.
func FuzzOf(f *testing.F) {
	f.Add(int64(416161), int64(112010), int64(73733), int64(7), int64(271), int64(14776))
	f.Add(int64(-1), int64(-5000), int64(0), int64(0), int64(1), int64(-3))
	f.Add(int64(0), int64(0), int64(0), int64(-9), int64(-9), int64(1)<<62)
	f.Fuzz(func(t *testing.T, revenue, income, equity, eps, paid, count int64) {
		s := apple()
		for name, v := range map[string]int64{
			market.ItemRevenue: revenue, market.ItemNetIncome: income, market.ItemEquity: equity, market.ItemDilutedEPS: eps, market.ItemSharesOutstanding: count,
			market.ItemOperatingIncome: income, market.ItemTotalAssets: equity, market.ItemIncomeTax: revenue, market.ItemPretaxIncome: income, market.ItemCapitalExpenditure: count,
		} {
			item := s.Annual[0].Items[name]
			item.Value = decimal.NewFromInt(v)
			s.Annual[0].Items[name] = item
		}
		p := sharePrice("1", "2025-10-31")
		p.Value = decimal.NewFromInt(paid)
		c, ok := fundamental.NewCompany(s, "")
		if !ok {
			t.Fatal("Gather = false")
		}
		c.Price = p
		got := ratiosByID(c)
		for id, r := range got {
			if r.Value.Valid == (r.Missing != "") {
				t.Errorf("%s = %+v, want a value or a reason", id, r)
			}
		}
		if pe := got["price_to_earnings"]; pe.Value.Valid && eps <= 0 {
			t.Errorf("price_to_earnings = %s of earnings a share of %d", pe.Value.Decimal, eps)
		}
		if pb := got["price_to_book"]; pb.Value.Valid && equity <= 0 {
			t.Errorf("price_to_book = %s of equity %d", pb.Value.Decimal, equity)
		}
	})
}
