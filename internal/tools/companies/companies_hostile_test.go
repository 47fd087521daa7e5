package companies_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Outside text cannot break out of a table row or grow without limit.
func TestInsiderTrades_OutsideTextStaysInItsCell(t *testing.T) {
	w := newInsidersFixture(trade(t, "Doe | Jane\n\n# Buy now", "S", "10", "270", func(one *market.InsiderTrade) {
		one.Role, one.Security, one.Code = strings.Repeat("x", 5000), "Common\tStock", "S"
		one.URL = "javascript:alert(1)"
	}))
	res, got := fundamentals.CallOK(t, w.deps(t), "insider_trades", args{"symbol": "AAPL"})
	one := got["trades"].([]any)[0].(map[string]any)
	if one["owner"] != "Doe | Jane # Buy now" || one["url"] != nil || len(one["role"].(string)) > 300 || one["security"] != "Common Stock" {
		t.Errorf("trade %v, want its text on one line, limited in length, without an invalid link", one)
	}
	if !strings.Contains(res.UserText(), `| Doe \| Jane # Buy now, xxx`) || strings.Contains(res.UserText(), "\n# Buy now") {
		t.Errorf("the owner breaks out of its cell:\n%s", res.UserText())
	}
}

func TestInsiderTrades_CodesAreSaidInWords(t *testing.T) {
	for code, want := range map[string]string{
		"P": "open-market purchase", "S": "open-market sale", "A": "grant or award", "D": "returned to the company", "F": "withheld for tax or exercise price",
		"M": "option exercise", "X": "option exercise", "C": "conversion", "G": "gift", "W": "inheritance", "U": "tendered in change of control", "H": "option expired or canceled",
		"I": "discretionary plan", "Z": "voting trust", "J": "other", "": "other",
	} {
		_, got := fundamentals.CallOK(t, newInsidersFixture(trade(t, "Doe Jane", code, "1", "1", nil)).deps(t), "insider_trades", args{"symbol": "AAPL"})
		one := got["trades"].([]any)[0].(map[string]any)
		if one["meaning"] != want || one["open_market"] != (code == "P" || code == "S") {
			t.Errorf("code %q is %q, open market %v; want %q", code, one["meaning"], one["open_market"], want)
		}
	}
}

// The restated flag applies to the amended trade, not to the whole answer.
func TestInsiderTrades_TheNoteIsThatOfTheSourceAndNotOfOneForm(t *testing.T) {
	amended := trade(t, "Doe Jane", "S", "1", "1", func(one *market.InsiderTrade) {
		one.Provenance = one.Provenance.With(market.FlagRestated)
		one.Provenance.Note = "amended by 0000320193-25-000100"
	})
	plain := trade(t, "Doe Jane", "S", "1", "1", func(one *market.InsiderTrade) { one.Provenance.Note = "forms filed before 2025-01-02 were not read" })
	_, got := fundamentals.CallOK(t, newInsidersFixture(amended, plain).deps(t), "insider_trades", args{"symbol": "AAPL"})
	if note := got["note"].(string); !strings.Contains(note, "forms filed before 2025-01-02") || strings.Contains(note, "amended") || len(got["flags"].([]any)) != 0 {
		t.Errorf("note %q, flags %v; want the source's", note, got["flags"])
	}
}

func TestCompanyProfile_WithLittleKnownIsShort(t *testing.T) {
	w := newProfileFixture(t, "2025-11-20")
	w.profile = market.Profile{Instrument: market.Instrument{Symbol: "AAPL"}, Provenance: w.profile.Provenance, Employees: -3}
	res, got := fundamentals.CallOK(t, w.deps(t), "company_profile", args{"symbol": "AAPL"})
	for _, field := range []string{"employees", "sector", "description", "website", "cik"} {
		if v, ok := got[field]; ok {
			t.Errorf("%s = %v, want it omitted", field, v)
		}
	}
	if strings.Contains(res.UserText(), "---") || len(res.Figures) != 0 {
		t.Errorf("an empty table, or figures of nothing:\n%s", res.UserText())
	}
}

func TestFundamentalTools_ACancelledCallEnds(t *testing.T) {
	d := appleAt(t, "2025-11-19", "268.56").deps(t)
	d.Statements = blockedSource{}
	router := toolstest.Open(t, companies.FundamentalTools(d))
	raw, err := json.Marshal(args{"symbol": "AAPL"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"key_ratios", "financial_statements"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if out, err := router.Call(ctx, llm.ToolCall{ID: "1", Name: name, Arguments: string(raw)}); err == nil && !out.Result.IsError {
			t.Errorf("%s of a cancelled call = %s, want an error", name, out.Result.ModelText())
		} else if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s of a cancelled call = %v, want context.Canceled", name, err)
		}
	}
}

// blockedSource answers only after the call has ended.
type blockedSource struct{}

func (blockedSource) Statements(ctx context.Context, _ market.Symbol, _ market.StatementQuery) ([]market.Statement, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// A bank's ratios, by hand: 58471 / 177556 = 32.93%, 1347988 / 2406032 = 56.03%.
func TestKeyRatios_OfABankLeaveOutWhatMeansNothing(t *testing.T) {
	bank := year(t, 2025, "2025-09-27", "2025-10-31", map[string]string{
		market.ItemRevenue: "177556000000", market.ItemNetIncome: "58471000000", market.ItemLoans: "1347988000000", market.ItemDeposits: "2406032000000",
		market.ItemOperatingCashFlow: "-42012000000", market.ItemDilutedEPS: "19.75",
	})
	bank.Template = market.TemplateBank
	res, got := fundamentals.CallOK(t, newStatementsFixture(bank).deps(t), "key_ratios", args{"symbol": "AAPL"})
	values, reasons := ratios(got)
	wantRatios(t, values, map[string]string{"net_margin": "32.93", "loans_to_deposits": "56.03"})
	for _, id := range []string{"operating_margin", "free_cash_flow", "current_ratio", "ev_to_ebitda"} {
		if values[id] != "" || reasons[id] != "" {
			t.Errorf("%s is named (%q, %q): it means nothing for a bank", id, values[id], reasons[id])
		}
	}
	if !strings.Contains(res.UserText(), "! a bank: ratios of operating income") {
		t.Errorf("the card does not say what is omitted:\n%s", res.UserText())
	}
}

// A loss has no P/E: the answer has the reason instead of a negative number.
func TestKeyRatios_OfALossHaveNoPriceToEarnings(t *testing.T) {
	w := appleAt(t, "2025-11-19", "268.56")
	all := apple(t)
	for name, value := range map[string]string{market.ItemNetIncome: "-1000000000", market.ItemDilutedEPS: "-0.07"} {
		set(&all[0], name, value)
	}
	loss := &companyFixture{Source: w.Source}
	d := loss.deps(t)
	d.Statements = newStatementsFixture(all...)
	_, got := fundamentals.CallOK(t, d, "key_ratios", args{"symbol": "AAPL"})
	values, reasons := ratios(got)
	if v, ok := values["price_to_earnings"]; ok || !strings.Contains(reasons["price_to_earnings"], "not meaningful: diluted_eps is -0.07") {
		t.Errorf("price_to_earnings = %q, %q; want none of a loss", v, reasons["price_to_earnings"])
	}
	if v := decimal.RequireFromString(values["net_margin"]); !v.IsNegative() {
		t.Errorf("net_margin = %s, want it below zero", v)
	}
}
