package companies_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// answers returns one result of each tool.
func answers(t *testing.T) map[string]tool.Result {
	t.Helper()
	priced := appleAt(t, "2025-11-18", "267.44", "268.56").deps(t)
	news := newNewsDeps(t, article(t, "2026-11-20T08:00:00Z", "fund grows"), article(t, "2026-11-19T08:00:00Z", "fund *shrinks*"))
	target := args{"name": "T", "net_income": 50, "ebitda": 80, "net_debt": 100, "shares": 10}
	forecast := args{"base_cash_flow": 90, "growth": []any{0.1, 0.04}, "years": 3, "discount_rate": 0.09, "terminal_growth": 0.02, "net_debt": 200, "shares": 10, "price": 100, "currency": "USD", "company": "T"}
	return map[string]tool.Result{
		"company_profile":      fundamentals.Call(t, newProfileFixture(t, "2025-11-20").deps(t), "company_profile", args{"symbol": "AAPL"}),
		"financial_statements": fundamentals.Call(t, newSampleDeps(t), "financial_statements", args{"symbol": "AAPL", "periods": 2}),
		"key_ratios":           fundamentals.Call(t, priced, "key_ratios", args{"symbol": "AAPL", "groups": []string{"profitability", "valuation"}}),
		"insider_trades":       fundamentals.Call(t, manyTrades(t).deps(t), "insider_trades", args{"symbol": "AAPL"}),
		"filings":              publications.Call(t, publicationDeps(t), "filings", args{"symbol": "AAPL", "limit": 3}),
		"filing_section":       publications.Call(t, publicationDeps(t), "filing_section", args{"symbol": "AAPL", "year": 2024, "item": "1A"}),
		"news":                 publications.Call(t, news, "news", args{"symbol": "VTI"}),
		"dcf_valuation":        toolstest.Call(t, companies.ValuationTools(), "dcf_valuation", forecast),
		"comps_valuation":      toolstest.Call(t, companies.ValuationTools(), "comps_valuation", args{"target": target, "peers": peers(), "price": 40, "currency": "USD"}),
	}
}

func TestAnswers_AsPeopleReadThem(t *testing.T) {
	for name, res := range answers(t) {
		text := fmt.Sprintf("%s\n%s\n%s: %s\n", res.Headline, res.HeadlineZH, res.Title, res.Summary)
		for _, k := range res.Keys {
			text += fmt.Sprintf("%s = %s\n", k.Label, k.Text)
		}
		golden.CheckFile(t, filepath.Join("testdata", name+".golden"), text+"\n"+res.UserText(), *update)
		if res.IsError || !strings.ContainsFunc(res.HeadlineZH, func(r rune) bool { return unicode.Is(unicode.Han, r) }) || utf8.RuneCountInString(res.Headline) > 120 {
			t.Errorf("%s: headlines %q, %q", name, res.Headline, res.HeadlineZH)
		}
		toolstest.Object(t, res.ModelText())
		toolstest.WantFigures(t, res)
	}
}
