package prices_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// If the source does not report a currency, people and models must not assume one.
func TestPrices_OfNoCurrencySaySoAtEveryDoor(t *testing.T) {
	plain := payer(t, dividend(t, "2024-06-14", "0.6"))
	plain.Provenance.Currency, plain.Provenance.Unit = "", "price"
	d := depsOf(t, plain)
	d.Quotes = liveQuote(t, market.Provenance{Source: "a source", AsOf: toolstest.MustDay("2026-11-20"), Unit: "price"})
	options := chain(t, toolstest.Clock(t, "2026-11-20T10:15:00Z")())
	nameless := options.Options.(*markettest.FakeFeeds).Chains["VTI"]
	nameless.Provenance.Currency = ""
	options.Options.(*markettest.FakeFeeds).Chains["VTI"] = nameless
	for _, row := range []struct {
		tool   string
		in     args
		figure string
	}{
		{"quote", args{"symbol": "VTI"}, "quotes.0.price"},
		{"price_history", args{"symbol": "KO"}, "last.close"},
		{"dividends_splits", args{"symbol": "KO"}, "trailing_12m"},
		{"option_chain", args{"symbol": "VTI"}, "spot"},
	} {
		at := d
		if row.tool == "option_chain" {
			at = options
		}
		res, _ := group.CallOK(t, at, row.tool, row.in)
		if !strings.Contains(res.UserText(), "of unknown currency") || strings.Contains(res.UserText(), "in price") {
			t.Errorf("%s: people read %q", row.tool, res.UserText())
		}
		if unit := toolstest.Figure(t, res, row.figure).Unit; unit != "of unknown currency" {
			t.Errorf("%s: figure %s is in %q", row.tool, row.figure, unit)
		}
		if !strings.Contains(res.ForModel, "the currency of these prices is unknown") {
			t.Errorf("%s: a model reads %q", row.tool, res.ForModel)
		}
	}
}

func TestPrices_OfAnIndexAreInPointsWithoutAWordOfCurrency(t *testing.T) {
	s := markettest.Daily("^GSPC", toolstest.MustDay("2024-06-03"), "5000", "5010")
	s.Kind, s.Provenance.Currency, s.Provenance.Unit = "index", "", "index points"
	res, _ := group.CallOK(t, depsOf(t, s), "price_history", args{"symbol": "^GSPC", "range": "max"})
	if strings.Contains(res.ForModel+res.UserText(), "currency") || !strings.Contains(res.UserText(), "index points") {
		t.Errorf("an index reads %q", res.UserText())
	}
}

// The last price of an option may be days old or undated; it is not the current price.
func TestOptionChain_ALastPriceOfNoDaySaysSo(t *testing.T) {
	d := chain(t, toolstest.Clock(t, "2026-11-20T10:15:00Z")())
	c := d.Options.(*markettest.FakeFeeds).Chains["VTI"]
	for i := range c.Options {
		c.Options[i].LastTraded = time.Time{}
	}
	res, _ := group.CallOK(t, d, "option_chain", args{"symbol": "VTI"})
	if f := toolstest.Figure(t, res, "options.5.last"); !f.AsOf.IsZero() {
		t.Errorf("the last price is as of %v, which is when the chain was made", f.AsOf)
	}
	if !strings.Contains(res.UserText(), "n/a") && strings.Contains(res.UserText(), "traded") {
		t.Errorf("people read a day of the last price: %q", res.UserText())
	}
}
