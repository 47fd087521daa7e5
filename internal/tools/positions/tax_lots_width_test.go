package positions_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// lotFieldLine is a line of a table that did not fit and became a list of fields.
var lotFieldLine = regexp.MustCompile(`(?m)^\s*(sold|symbol|account|acquired|units|proceeds|cost basis|gain|in %|tax year|sales|disallowed|replaced by)\b[^:\n]{0,24}: .*$`)

// saver has amounts of six digits in one account, with a gain, a loss that a purchase disallows, and open
// lots.
func saver(rules string) *toolstest.PortfolioFixture {
	w := toolstest.TwoCurrencyFixture()
	w.Rules = rules
	a := portfolio.NewAccount("schwab")
	a.Cash = portfolio.CashUntracked
	w.Accounts = append(w.Accounts, a)
	w.Transactions = append(w.Transactions,
		toolstest.Buy("10", "schwab", "GOOGL", "1234.5", "123450.55", "USD", "2023-12-21"), toolstest.Sell("11", "schwab", "GOOGL", "234.5", "28450.25", "USD", "2024-01-03"),
		toolstest.Buy("12", "schwab", "LOSS", "500", "98765.43", "USD", "2023-12-27"), toolstest.Sell("13", "schwab", "LOSS", "400", "55432.10", "USD", "2024-01-03"),
		toolstest.Buy("14", "schwab", "LOSS", "100", "10000.01", "USD", "2024-01-04"),
	)
	w.Series = append(w.Series, toolstest.Daily("GOOGL", "USD", toolstest.MustDay("2023-12-20"), "100", "101", "102", "103", "104", "105", "106", "107", "108", "109", "110", "119.35"),
		toolstest.Daily("LOSS", "USD", toolstest.MustDay("2023-12-20"), "200", "200", "200", "200", "200", "200", "200", "200", "200", "100", "100", "99.15"))
	return w
}

func TestTaxLots_AreTablesInEightyColumns(t *testing.T) {
	for _, rules := range []string{"", "us"} {
		for _, kind := range []string{"open", "closed", "harvest", "wash"} {
			for _, account := range []string{"", "schwab"} {
				t.Run(strings.Join([]string{kind, rules, account}, " "), func(t *testing.T) {
					res := toolstest.Call(t, taxLotToolsOf(t, saver(rules)), "tax_lots", toolstest.Args{"kind": kind, "account": account})
					for _, width := range []int{80, 100} {
						drawn := strings.Join(markdown.Render(res.UserText(), markdown.Options{Width: width}), "\n")
						if found := lotFieldLine.FindString(drawn); found != "" || !strings.Contains(drawn, "─") && strings.Contains(res.UserText(), "\n| ") {
							t.Errorf("%d columns hold no table (%q):\n%s", width, found, drawn)
						}
					}
				})
			}
		}
	}
}

func TestTaxLots_WhatIsOneCurrencyIsSaidOnce(t *testing.T) {
	res := toolstest.Call(t, taxLotToolsOf(t, saver("")), "tax_lots", toolstest.Args{"kind": "closed", "account": "schwab"})
	toolstest.WantParts(t, "people read", res.UserText(), "**Sales in USD**", "| 2024-01-03 2023-12-21 | GOOGL schwab | 234.5 | 28,450.25 | 23,450.10 | +5,000.15 | +21.3% |")
	if strings.Contains(res.UserText(), "at the rate of each day") {
		t.Errorf("a table is there twice:\n%s", res.UserText())
	}
}

func TestTaxLots_NoRuleTellsNoDays(t *testing.T) {
	res, got := toolstest.CallOK(t, taxLotToolsOf(t, saver("")), "tax_lots", toolstest.Args{"kind": "harvest"})
	harvest := toolstest.ObjectAt(t, got, "lots", "LOSS", "harvest")
	for _, day := range []string{"sell_from", "buy_from", "blocked_by"} {
		if v, ok := harvest[day]; ok {
			t.Errorf("%s = %v where no rule is known", day, v)
		}
	}
	if harvest["status"] != "no rule known" || !strings.Contains(res.UserText(), "there are no dates for selling and buying again") {
		t.Errorf("harvest = %v and people read\n%s\nwant that no rule is known", harvest, res.UserText())
	}
	_, us := toolstest.CallOK(t, taxLotToolsOf(t, saver("us")), "tax_lots", toolstest.Args{"kind": "harvest"})
	if harvest := toolstest.ObjectAt(t, us, "lots", "LOSS", "harvest"); harvest["buy_from"] == nil || harvest["sell_from"] == nil {
		t.Errorf("harvest = %v under a rule, want its days", harvest)
	}
}

func TestTaxLots_HiddenAmountsLeaveRatiosAndCountsOfLines(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Series[0].Actions = []market.Action{toolstest.Split("2024-01-05", "4", "1")}
	output := toolstest.CallHidden(t, taxLotToolsOf(t, w), "tax_lots", nil).ModelText()
	for _, want := range []string{"a split of 4:1 on 2024-01-05", `\"new\":4,\"old\":1`} {
		if !strings.Contains(output, want) {
			t.Errorf("a model is not told %q:\n%s", want, output)
		}
	}
	large := toolstest.LargeFixture(40, 2000)
	output = toolstest.CallHidden(t, taxLotToolsOf(t, large), "tax_lots", nil).ModelText()
	got := toolstest.Object(t, output)
	if shown, omitted := len(got["lots"].([]any)), got["lots_omitted"]; omitted != float64(360-shown) || len(output) > toolkit.MaxEncodedBytes {
		t.Errorf("a model gets %d lots and %v are omitted, in %d bytes; want 360 in all", shown, omitted, len(output))
	}
}
