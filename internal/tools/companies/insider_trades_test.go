package companies_test

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// trade returns a trade of 2025-11-10, filed two days later, with changes.
func trade(t testing.TB, owner, code, shares, price string, change func(*market.InsiderTrade)) market.InsiderTrade {
	t.Helper()
	one := market.InsiderTrade{
		Symbol: "AAPL", Owner: owner, Role: "officer: CFO", Date: toolstest.MustDay("2025-11-10"), Filed: toolstest.MustDay("2025-11-12"), Form: "4", Accession: "0000320193-25-000099",
		Security: "Common Stock", Code: code, Shares: decimal.RequireFromString(shares), Acquired: code != "S" && code != "F", URL: "https://www.sec.gov/form4.xml",
		Provenance: market.Provenance{Source: "sec-edgar", Currency: "USD", AsOf: toolstest.MustDay("2025-11-12")},
	}
	if price != "" {
		one.Price = decimal.NewNullDecimal(decimal.RequireFromString(price))
	}
	if change != nil {
		change(&one)
	}
	return one
}

func newInsidersFixture(trades ...market.InsiderTrade) *companyFixture {
	return &companyFixture{Source: markettest.NewSource(), trades: trades}
}

// manyTrades returns trades of each kind: purchases of 100 at 250.5 and 50 without a price, sales of
// 1000 and 500 (under a plan) at 270, and others that are not open-market trades.
func manyTrades(t testing.TB) *companyFixture {
	t.Helper()
	return newInsidersFixture(
		trade(t, "Doe Jane", "P", "100", "250.5", nil),
		trade(t, "Roe Rick", "P", "50", "", nil),
		trade(t, "Doe Jane", "S", "1000", "270", nil),
		trade(t, "Doe Jane", "S", "500", "270", func(one *market.InsiderTrade) { one.Planned = true }),
		trade(t, "Doe Jane", "A", "9999", "0", nil),
		trade(t, "Doe Jane", "F", "8888", "270", nil),
		trade(t, "Doe Jane", "P", "7777", "1", func(one *market.InsiderTrade) { one.Derivative = true }),
		trade(t, "Doe Jane", "S", "6666", "270", func(one *market.InsiderTrade) { one.Provenance = one.Provenance.With(market.FlagRestated) }),
	)
}

func TestInsiderTrades_TotalsAreOfDecisionsOnTheMarket(t *testing.T) {
	res, got := fundamentals.CallOK(t, manyTrades(t).deps(t), "insider_trades", args{"symbol": "AAPL"})
	toolstest.WantFields(t, got, map[string]any{"symbol": "AAPL", "filed_from": "2024-11-20", "filed_to": "2025-11-20", "read": 8.0, "warnings": []any{}, "note": toolkit.OutsideTextNote})
	toolstest.WantFields(t, got["bought"].(map[string]any), map[string]any{"trades": 2.0, "owners": 2.0, "shares": "150", "value": "25050", "unpriced": 1.0, "planned_shares": "0"})
	toolstest.WantFields(t, got["sold"].(map[string]any), map[string]any{"trades": 2.0, "owners": 1.0, "shares": "1500", "value": "405000", "planned_shares": "500"})
	listed := got["trades"].([]any)
	toolstest.WantFields(t, listed[3].(map[string]any), map[string]any{
		"owner": "Doe Jane", "role": "officer: CFO", "date": "2025-11-10", "filed": "2025-11-12", "code": "S", "meaning": "open-market sale", "open_market": true,
		"shares": "500", "price": "270", "value": "135000", "planned": true, "url": "https://www.sec.gov/form4.xml", "accession": "0000320193-25-000099",
	})
	if one := listed[1].(map[string]any); one["price"] != nil || one["value"] != nil {
		t.Errorf("%v, want no price if it is only in a footnote", one)
	}
	if one := listed[7].(map[string]any); one["restated"] != true || len(listed) != 8 {
		t.Errorf("%v of %d, want the amended one told", one, len(listed))
	}
	sold := toolstest.Figure(t, res, "sold.value")
	if sold.Value.String() != "405000" || sold.Unit != "USD" || sold.Formula == "" || sold.Inputs[0] != "8 trades filed 2024-11-20 to 2025-11-20" {
		t.Errorf("figure %+v", sold)
	}
	if f := toolstest.Figure(t, res, "trades.3.value"); f.Unit != "USD" || !strings.Contains(f.Source, "4 0000320193-25-000099 filed 2025-11-12") {
		t.Errorf("figure %+v", f)
	}
	wantDatedFigures(t, res)
	for _, part := range []string{"| bought: shares | 150 |", "| bought: value | 25,050.00 USD |", "| bought: trades without a price | 1 |", "| Doe Jane, officer: CFO | 2025-11-10 | S open-market sale, 10b5-1 plan | -500 | 270.00 USD |", "amended later"} {
		if !strings.Contains(res.UserText(), part) {
			t.Errorf("the card lacks %q:\n%s", part, res.UserText())
		}
	}
}

func TestInsiderTrades_OfTheMarketAloneKeepTheTotals(t *testing.T) {
	_, got := fundamentals.CallOK(t, manyTrades(t).deps(t), "insider_trades", args{"symbol": "AAPL", "open_market_only": true})
	if n := len(got["trades"].([]any)); n != 6 || got["read"] != 8.0 {
		t.Errorf("%d trades of %v read, want 6 of 8", n, got["read"])
	}
}

func TestInsiderTrades_NoneFiledAfterTheClockOrOutsideTheRange(t *testing.T) {
	on := func(filed string) market.InsiderTrade {
		return trade(t, "Doe Jane", "S", "1", "270", func(one *market.InsiderTrade) { one.Filed = toolstest.MustDay(filed) })
	}
	undated := on("2025-11-12")
	undated.Filed = market.Date{}
	w := newInsidersFixture(on("2031-01-01"), on("2025-11-21"), undated, on("2025-11-20"), on("2025-06-01"), on("2024-11-20"), on("2024-11-19"))
	for _, row := range []struct {
		in   args
		want float64
	}{
		{args{"symbol": "AAPL"}, 3},
		{args{"symbol": "AAPL", "from": "2025-06", "to": "2035"}, 2},
		{args{"symbol": "AAPL", "to": "2024"}, 2},
	} {
		if _, got := fundamentals.CallOK(t, w.deps(t), "insider_trades", row.in); got["read"] != row.want {
			t.Errorf("%v: %v trades read, want %v", row.in, got["read"], row.want)
		}
	}
	toolstest.WantError(t, fundamentals.Call(t, w.deps(t), "insider_trades", args{"symbol": "AAPL", "to": "2020"}), tool.CodeNoData, "from 2019-12-31 to 2020-12-31")
}

func TestInsiderTrades_WarnsIfTheListIsCut(t *testing.T) {
	_, got := fundamentals.CallOK(t, manyTrades(t).deps(t), "insider_trades", args{"symbol": "AAPL", "limit": 3})
	if w := toolstest.Strings(t, got["warnings"]); got["read"] != 3.0 || len(w) != 1 || !strings.Contains(w[0], "only the newest 3 trades") {
		t.Errorf("%v read, warnings %q; want three and said so", got["read"], w)
	}
	var all []market.InsiderTrade
	for range 200 {
		all = append(all, trade(t, strings.Repeat("a long name ", 20), "S", "1", "270", nil))
	}
	res, got := fundamentals.CallOK(t, newInsidersFixture(all...).deps(t), "insider_trades", args{"symbol": "AAPL", "limit": 200})
	sold := got["sold"].(map[string]any)
	if len(res.ModelText()) > toolkit.MaxEncodedBytes || sold["trades"] != 200.0 || toolstest.Object(t, res.ModelText())["trades_omitted"] == nil {
		t.Errorf("%d bytes, %v sold; want the totals of all in %d bytes, and said so", len(res.ModelText()), sold, toolkit.MaxEncodedBytes)
	}
	toolstest.WantError(t, fundamentals.Call(t, manyTrades(t).deps(t), "insider_trades", args{"symbol": "AAPL", "limit": 201}), tool.CodeValidation, "use 1 to 200")
	toolstest.WantError(t, fundamentals.Call(t, manyTrades(t).deps(t), "insider_trades", args{"symbol": "AAPL", "from": "soon"}), tool.CodeValidation, "is not a date")
}

func TestInsiderTrades_APriceWithoutACurrencyIsNotTheReadersOwn(t *testing.T) {
	res, _ := fundamentals.CallOK(t, newInsidersFixture(trade(t, "Doe Jane", "S", "10", "270", func(one *market.InsiderTrade) { one.Provenance.Currency = "" })).deps(t), "insider_trades", args{"symbol": "AAPL"})
	if f := toolstest.Figure(t, res, "sold.value"); f.Unit != "units of money" {
		t.Errorf("figure %+v, want it in no currency", f)
	}
	mixed := newInsidersFixture(trade(t, "A", "S", "1", "270", nil), trade(t, "B", "S", "1", "270", func(one *market.InsiderTrade) { one.Provenance.Currency = "EUR" }))
	res, got := fundamentals.CallOK(t, mixed.deps(t), "insider_trades", args{"symbol": "AAPL"})
	toolstest.WantFields(t, got["sold"].(map[string]any), map[string]any{"shares": "2", "value": "270", "unpriced": 1.0})
	if f := toolstest.Figure(t, res, "trades.1.value"); len(got["warnings"].([]any)) != 1 || f.Unit != "EUR" {
		t.Errorf("warnings %v, figure %+v; want currencies told and not added", got["warnings"], f)
	}
}
