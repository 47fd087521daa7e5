package companies_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Apple's fiscal 2025, as in its 10-K filed on 2025-10-31.
func TestFinancialStatements_GiveExactValuesWithTheirFilings(t *testing.T) {
	res, got := fundamentals.CallOK(t, newSampleDeps(t), "financial_statements", args{"symbol": "aapl", "periods": 2})
	toolstest.WantFields(t, got, map[string]any{"symbol": "AAPL", "span": "annual", "statement": "all", "template": "general", "currency": "USD", "flags": []any{"sample"}, "warnings": []any{}})
	toolstest.WantFields(t, got["periods"].([]any)[0].(map[string]any), map[string]any{
		"period": "FY2025", "end": "2025-09-27", "form": "10-K", "accession": "0000320193-25-000079", "filed": "2025-10-31",
	})
	for item, want := range map[string][]any{
		market.ItemRevenue: {"416161000000", "391035000000"}, market.ItemOperatingIncome: {"133050000000", "123216000000"}, market.ItemNetIncome: {"112010000000", "93736000000"},
		market.ItemOperatingCashFlow: {"111482000000", "118254000000"}, market.ItemCapitalExpenditure: {"12715000000", "9447000000"}, market.ItemDilutedEPS: {"7.46", "6.08"},
	} {
		if diff := cmp.Diff(want, toolstest.Find(t, got, "lines", "item", item)["values"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", item, diff)
		}
	}
	for _, part := range []string{"in millions of USD", "| revenue | 416,161 | 391,035 |", "| earnings per share, diluted, USD/share | 7.46 | 6.08 |", "SAMPLE ·"} {
		if !strings.Contains(res.UserText(), part) {
			t.Errorf("the table lacks %q:\n%s", part, res.UserText())
		}
	}
	eps := toolstest.Figure(t, res, "FY2025.diluted_eps")
	if eps.Value.String() != "7.46" || eps.Unit != "USD/share" || !eps.AsOf.Equal(toolstest.MustDay("2025-09-27")) || !strings.Contains(eps.Source, "0000320193-25-000079") {
		t.Errorf("figure %+v", eps)
	}
	wantDatedFigures(t, res)
}

func TestFinancialStatements_OneStatementHasItsLinesOnly(t *testing.T) {
	for statement, want := range map[string][]string{
		"income":    {"revenue", "operating_income", "net_income"},
		"cash flow": {"operating_cash_flow", "capital_expenditure"},
		"per_share": {"diluted_eps"},
	} {
		_, got := fundamentals.CallOK(t, newSampleDeps(t), "financial_statements", args{"symbol": "AAPL", "statement": statement})
		var items []string
		for _, l := range got["lines"].([]any) {
			items = append(items, l.(map[string]any)["item"].(string))
		}
		if diff := cmp.Diff(want, items); diff != "" {
			t.Errorf("%s (-want +got):\n%s", statement, diff)
		}
	}
	toolstest.WantError(t, fundamentals.Call(t, newSampleDeps(t), "financial_statements", args{"symbol": "AAPL", "statement": "balance"}), tool.CodeNoData, "no balance figures")
	toolstest.WantError(t, fundamentals.Call(t, newSampleDeps(t), "financial_statements", args{"symbol": "AAPL", "span": "quarterly"}), tool.CodeNoData, "no data")
}

func TestFinancialStatements_WhatIsNoChoiceIsRefused(t *testing.T) {
	for _, row := range []struct {
		in   args
		want string
	}{
		{args{"symbol": "AAPL", "statement": "profit"}, "use one of income, balance"},
		{args{"symbol": "AAPL", "span": "monthly"}, "annual, quarterly or ttm"},
		{args{"symbol": "AAPL", "periods": 13}, "use 1 to 12"},
		{args{"symbol": "AAPL", "periods": -1}, "use 1 to 12"},
	} {
		toolstest.WantError(t, fundamentals.Call(t, newSampleDeps(t), "financial_statements", row.in), tool.CodeValidation, row.want)
	}
}

// newStatementsFixture returns a source with only the statements of AAPL.
func newStatementsFixture(statements ...market.Statement) *companyFixture {
	w := &companyFixture{Source: markettest.NewSource()}
	w.AddStatements(statements...)
	return w
}

func TestFinancialStatements_SayWhatWasRestatedDerivedAndDoubtful(t *testing.T) {
	all := apple(t)
	change := func(i int, name string, f func(*market.Item)) {
		item := all[i].Items[name]
		f(&item)
		all[i].Items[name] = item
	}
	change(1, market.ItemNetIncome, func(i *market.Item) {
		i.First, i.Flags, i.Accession, i.Filed = decimal.NewNullDecimal(decimal.New(90, 9)), []market.Flag{market.FlagRestated}, "0000320193-25-000001", all[0].Filed
	})
	for i := range all {
		change(i, market.ItemEquity, func(i *market.Item) {
			i.Formula, i.Inputs = "assets - liabilities", []string{"us-gaap:Assets", "us-gaap:Liabilities"}
		})
		change(i, market.ItemRevenue, func(i *market.Item) { i.Formula = "assets - liabilities" })
		all[i].Warnings = []string{"a warning of both"}
	}
	change(0, market.ItemSharesOutstanding, func(i *market.Item) { i.Flags = []market.Flag{market.FlagSuspect} })
	all[0].Warnings = append(all[0].Warnings, "filed before a split")

	res, got := fundamentals.CallOK(t, newStatementsFixture(all...).deps(t), "financial_statements", args{"symbol": "AAPL"})
	toolstest.WantFields(t, got, map[string]any{
		"restated": []any{map[string]any{"items": []any{"net_income"}, "periods": []any{"FY2024"}, "first_reported": "90000000000", "filing": "10-K 0000320193-25-000001 filed 2025-10-31"}},
		"derived":  []any{map[string]any{"items": []any{"revenue", "shareholders_equity"}, "periods": []any{"FY2025", "FY2024"}, "formula": "assets - liabilities"}},
		"doubtful": []any{map[string]any{"items": []any{"shares_outstanding"}, "periods": []any{"FY2025"}}},
		"from":     []any{map[string]any{"items": []any{"net_income"}, "periods": []any{"FY2024"}, "filing": "10-K 0000320193-25-000001 filed 2025-10-31"}},
		"warnings": []any{"FY2025, FY2024: a warning of both", "FY2025: filed before a split"},
	})
	for _, part := range []string{"93,736 r |", "416,161 d |", "| 14,776 ? | n/a |", "net income of FY2024 was first reported as 90,000", "! FY2025: filed before a split", "r: changed by a later filing · d: derived · ?: doubtful"} {
		if !strings.Contains(res.UserText(), part) {
			t.Errorf("the table lacks %q:\n%s", part, res.UserText())
		}
	}
	first := toolstest.Figure(t, res, "FY2024.net_income.first_reported")
	equity := toolstest.Figure(t, res, "FY2025.shareholders_equity")
	if first.Value.String() != "90000000000" || equity.Formula != "assets - liabilities" || len(equity.Inputs) != 2 {
		t.Errorf("figures %+v and %+v", first, equity)
	}
	wantDatedFigures(t, res)
}

func TestFinancialStatements_OfABankHaveItsLines(t *testing.T) {
	bank := year(t, 2025, "2025-09-27", "2025-10-31", map[string]string{
		market.ItemNetInterestIncome: "92583", market.ItemRevenue: "177556", market.ItemCreditLosses: "10678", market.ItemDeposits: "2406032", market.ItemLoans: "1347988",
		market.ItemNetIncome: "58471",
	})
	bank.Template = market.TemplateBank
	_, got := fundamentals.CallOK(t, newStatementsFixture(bank).deps(t), "financial_statements", args{"symbol": "AAPL"})
	var items []string
	for _, l := range got["lines"].([]any) {
		items = append(items, l.(map[string]any)["item"].(string))
	}
	want := []string{"net_interest_income", "revenue", "provision_for_credit_losses", "net_income", "loans", "deposits"}
	if diff := cmp.Diff(want, items); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	for _, missing := range toolstest.Strings(t, got["not_reported"]) {
		if missing == market.ItemOperatingIncome || missing == market.ItemInventory {
			t.Errorf("%s is listed as missing, but banks do not have it", missing)
		}
	}
}

func TestFinancialStatements_AnotherCurrencyIsToldAndNotMixed(t *testing.T) {
	all := apple(t)
	all[1].Provenance.Currency = "EUR"
	set(&all[1], market.ItemRevenue, "391035000000")
	res, got := fundamentals.CallOK(t, newStatementsFixture(all...).deps(t), "financial_statements", args{"symbol": "AAPL"})
	if w := strings.Join(toolstest.Strings(t, got["warnings"]), "; "); !strings.Contains(w, "FY2024 is in EUR, not in USD") || !strings.Contains(w, "revenue of FY2024 is in EUR") {
		t.Errorf("warnings %q, want that of the currency", w)
	}
	if f := toolstest.Figure(t, res, "FY2024.revenue"); f.Unit != "EUR" {
		t.Errorf("figure %+v, want it in EUR", f)
	}
}

// Twelve years of all lines, with numbers as large as Apple's, exceed the limit for a model.
func TestFinancialStatements_OmitsOldPeriodsOfALongAnswer(t *testing.T) {
	var all []market.Statement
	for i := range 12 {
		s := year(t, 2025-i, toolstest.MustDay("2025-09-27").AddDate(-i, 0, 0).Format("2006-01-02"), "2025-10-31", nil)
		for _, name := range allItems(t) {
			set(&s, name, "416161000000.123456789012345678901234567890123456")
		}
		all = append(all, s)
	}
	res, got := fundamentals.CallOK(t, newStatementsFixture(all...).deps(t), "financial_statements", args{"symbol": "AAPL", "periods": 12})
	n := len(got["periods"].([]any))
	if len(res.ModelText()) > toolkit.MaxEncodedBytes || n < 5 || n >= 12 || !strings.Contains(res.UserText(), strconv.Itoa(12-n)+" older periods are omitted") {
		t.Errorf("%d bytes of %d periods, want fewer than twelve in %d bytes, and said so", len(res.ModelText()), n, toolkit.MaxEncodedBytes)
	}
}

// allItems returns the items that package market defines.
func allItems(t testing.TB) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../market/statement.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Item") || len(spec.Values) != 1 {
			return true
		}
		name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, name)
		return false
	})
	if len(out) < 50 {
		t.Fatalf("only %d items found: the test looks in the wrong place", len(out))
	}
	return out
}

func TestFinancialStatements_EveryItemHasALine(t *testing.T) {
	shown := map[string]bool{}
	for _, template := range []market.Template{market.TemplateGeneral, market.TemplateBank, market.TemplateInsurer} {
		s := year(t, 2025, "2025-09-27", "2025-10-31", nil)
		s.Template = template
		for _, name := range allItems(t) {
			set(&s, name, "1")
		}
		_, got := fundamentals.CallOK(t, newStatementsFixture(s).deps(t), "financial_statements", args{"symbol": "AAPL"})
		seen := map[string]bool{}
		for _, l := range got["lines"].([]any) {
			item := l.(map[string]any)["item"].(string)
			if seen[item] {
				t.Errorf("%s has %s twice", template, item)
			}
			seen[item], shown[item] = true, true
		}
	}
	for _, name := range allItems(t) {
		if !shown[name] {
			t.Errorf("%s is in no statement", name)
		}
	}
}

// With the clock set back, a year is known from the day it was filed.
func TestFinancialStatements_OfAClockSetBackWereFiledByThen(t *testing.T) {
	for _, replay := range []bool{true, false} {
		for clock, want := range map[string]string{"2025-10-30T23:59:59Z": "FY2024", "2025-10-31T00:00:01Z": "FY2025"} {
			d := newStatementsFixture(apple(t)...).deps(t)
			d.Now, d.Replay = toolstest.Clock(t, clock), replay
			_, got := fundamentals.CallOK(t, d, "financial_statements", args{"symbol": "AAPL"})
			if p := got["periods"].([]any)[0].(map[string]any); p["period"] != want {
				t.Errorf("on %s, replay %t: the newest is %s, want %s", clock, replay, p["period"], want)
			}
		}
	}
	d := newStatementsFixture(apple(t)...).deps(t)
	d.Now, d.Replay = toolstest.Clock(t, "2020-01-01T00:00:00Z"), true
	toolstest.WantError(t, fundamentals.Call(t, d, "financial_statements", args{"symbol": "AAPL"}), market.CodeUnknownSymbol, "")
}

// Fourth quarters and cash flows are derived, and ten years of the SEC's figures fit into an answer.
func TestRecorded_StatementsOfApple(t *testing.T) {
	d := newStatementsFixture().deps(t)
	d.Statements = recordedApple(t)
	for span, want := range map[string]string{"annual": "416161000000", "quarterly": "102466000000", "ttm": "416161000000"} {
		res, got := fundamentals.CallOK(t, d, "financial_statements", args{"symbol": "AAPL", "span": span, "periods": 12})
		if v := toolstest.Find(t, got, "lines", "item", "revenue")["values"].([]any)[0]; v != want || len(res.ModelText()) > toolkit.MaxEncodedBytes || len(got["periods"].([]any)) < 10 {
			t.Errorf("%s: revenue %v in %d bytes of %d periods, want %s", span, v, len(res.ModelText()), len(got["periods"].([]any)), want)
		}
		wantDatedFigures(t, res)
	}
}
