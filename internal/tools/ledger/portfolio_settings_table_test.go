package ledger_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// newSettingsFixture returns an imported ledger with a value for every setting, to show that a call keeps
// the settings that it does not name.
func newSettingsFixture(t testing.TB) *fixture {
	t.Helper()
	w := newImportedFixture(t)
	w.Record(portfolio.Change{
		Accounts:   []portfolio.Account{{Name: "ira", Method: portfolio.MethodHighestCost, Cash: portfolio.CashUntracked, Untaxed: true, Owner: "Ann"}},
		Aliases:    map[market.Symbol]market.Symbol{"OLD": "VTI"},
		Securities: []portfolio.Security{{Symbol: "VTI", Class: portfolio.ClassEquity, Region: "US", Sector: "all", Fee: decimal.NewNullDecimal(decimal.RequireFromString("0.0003")), RecordedOn: portfoliotest.Day("2024-01-02")}},
		Targets:    []portfolio.Target{{Symbol: "VTI", Weight: decimal.RequireFromString("0.6")}},
	})
	return w
}

// Each setting changes only itself, and nothing else in the ledger.
func TestPortfolioSettings_EachSettingChangesItselfAlone(t *testing.T) {
	ira := func(in args) args {
		in["name"] = "ira"
		return args{"account": in}
	}
	vti := func(in args) args {
		in["symbol"] = "VTI"
		return args{"securities": []args{in}}
	}
	account := func(change func(*portfolio.Account)) func(*portfolio.Ledger) {
		return func(l *portfolio.Ledger) {
			for i := range l.Accounts {
				if l.Accounts[i].Name == "ira" {
					change(&l.Accounts[i])
				}
			}
		}
	}
	security := func(change func(*portfolio.Security)) func(*portfolio.Ledger) {
		return func(l *portfolio.Ledger) {
			l.Securities[0].RecordedOn = portfoliotest.Day("2024-06-28")
			change(&l.Securities[0])
		}
	}
	for _, tc := range []struct {
		name string
		in   args
		want func(*portfolio.Ledger)
	}{
		{"fifo", ira(args{"cost_basis": "fifo"}), account(func(a *portfolio.Account) { a.Method = portfolio.MethodFIFO })},
		{"lifo", ira(args{"cost_basis": " LIFO "}), account(func(a *portfolio.Account) { a.Method = portfolio.MethodLIFO })},
		{"highest cost", ira(args{"cost_basis": "highest_cost"}), account(func(*portfolio.Account) {})},
		{"average", ira(args{"cost_basis": "average"}), account(func(a *portfolio.Account) { a.Method = portfolio.MethodAverage })},
		{"specific", ira(args{"cost_basis": "specific"}), account(func(a *portfolio.Account) { a.Method = portfolio.MethodSpecific })},
		{"cash tracked", ira(args{"cash": "tracked"}), account(func(a *portfolio.Account) { a.Cash = portfolio.CashTracked })},
		{"cash on margin", ira(args{"cash": "Margin"}), account(func(a *portfolio.Account) { a.Cash = portfolio.CashMargin })},
		{"cash untracked", ira(args{"cash": "untracked"}), account(func(*portfolio.Account) {})},
		{"taxed", ira(args{"untaxed": false}), account(func(a *portfolio.Account) { a.Untaxed = false })},
		{"another owner", ira(args{"owner": " Bob "}), account(func(a *portfolio.Account) { a.Owner = "Bob" })},
		{"the user's own", ira(args{"owner": ""}), account(func(a *portfolio.Account) { a.Owner = "" })},
		{
			"a new account", args{"account": args{"name": "roth", "new": true}},
			func(l *portfolio.Ledger) { l.Accounts = append(l.Accounts, portfolio.NewAccount("roth")) },
		},
		{"another name", args{"aliases": args{"us9229087690": "vti"}}, func(l *portfolio.Ledger) { l.Aliases["US9229087690"] = "VTI" }},
		{"a name taken back", args{"aliases": args{"OLD": ""}}, func(l *portfolio.Ledger) { delete(l.Aliases, "OLD") }},
		{"a class", vti(args{"class": "Real Estate"}), security(func(s *portfolio.Security) { s.Class = portfolio.ClassRealEstate })},
		{"a region", vti(args{"region": " World "}), security(func(s *portfolio.Security) { s.Region = "World" })},
		{"a sector", vti(args{"sector": "technology"}), security(func(s *portfolio.Security) { s.Sector = "technology" })},
		{"a fee", vti(args{"fee": 0.0007}), security(func(s *portfolio.Security) { s.Fee.Decimal = toolstest.MustDecimal("0.0007") })},
		{"no fee at all", vti(args{"fee": 0}), security(func(s *portfolio.Security) { s.Fee.Decimal = toolstest.MustDecimal("0") })},
		{
			"facts by another name", args{"securities": []args{{"symbol": "OLD", "region": "World"}}},
			security(func(s *portfolio.Security) { s.Region = "World" }),
		},
		{
			"of a security that nothing is said of", args{"securities": []args{{"symbol": "BND", "class": "bond"}}},
			func(l *portfolio.Ledger) {
				l.Securities = append(l.Securities, portfolio.Security{Symbol: "BND", Class: portfolio.ClassBond, RecordedOn: portfoliotest.Day("2024-06-28")})
			},
		},
		{
			"targets replace all", args{"targets": []args{{"symbol": "BND", "weight": 0.35}}},
			func(l *portfolio.Ledger) {
				l.Targets = []portfolio.Target{{Symbol: "BND", Weight: toolstest.MustDecimal("0.35")}}
			},
		},
		{
			"a target by another name", args{"targets": []args{{"symbol": "OLD", "weight": 1}}},
			func(l *portfolio.Ledger) {
				l.Targets = []portfolio.Target{{Symbol: "VTI", Weight: toolstest.MustDecimal("1")}}
			},
		},
		{"no targets", args{"no_targets": true}, func(l *portfolio.Ledger) { l.Targets = nil }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newSettingsFixture(t)
			want := w.Ledger()
			tc.want(&want)
			w.MustCall("portfolio_settings", tc.in)
			byName := cmpopts.SortSlices(func(a, b portfolio.Account) bool { return a.Name < b.Name })
			bySymbol := cmpopts.SortSlices(func(a, b portfolio.Security) bool { return a.Symbol < b.Symbol })
			if diff := cmp.Diff(want, w.Ledger(), cmpopts.EquateEmpty(), byName, bySymbol); diff != "" {
				t.Errorf("the ledger after %v (-want +got):\n%s", tc.in, diff)
			}
			if len(w.Approvals) != 1 {
				t.Errorf("the user was asked %d times, want once", len(w.Approvals))
			}
		})
	}
}

// A call shows the settings of the ledger, and the rest of the targets is for cash.
func TestPortfolioSettings_TheAnswerIsWhatIsRecorded(t *testing.T) {
	w := newSettingsFixture(t)
	res := w.MustCall("portfolio_settings", nil)
	got := toolstest.DecodeResult(t, res)
	if n := len(got["accounts"].([]any)); n != 2 || got["left_for_cash"] != "0.4" || got["base_currency"] != "USD" || got["changed"] != nil {
		t.Errorf("%d accounts, %v for cash, base %v, changed %v; want two, 0.4, USD and nothing changed", n, got["left_for_cash"], got["base_currency"], got["changed"])
	}
	if diff := cmp.Diff(map[string]any{"OLD": "VTI"}, got["aliases"]); diff != "" {
		t.Errorf("aliases (-want +got):\n%s", diff)
	}
	for id, want := range map[string]string{"targets.0.weight": "60", "left_for_cash": "40", "securities.0.fee": "0.03"} {
		if f := toolstest.Figure(t, res, id); f.Value.String() != want || f.Unit != "%" || f.Source == "" {
			t.Errorf("figure %s = %+v; want %s %%", id, f, want)
		}
	}
	want := `**portfolio settings**

| measure | value | basis |
| --- | ---: | --- |
| left for cash | 40.0% | 1 - the weights |

**Accounts**

| account | cost basis | cash | tax-deferred | owner |
| --- | --- | --- | --- | --- |
| schwab | fifo | tracked |  |  |
| ira | highest_cost | untracked | yes | Ann |

**Facts about securities**

| symbol | class | region | sector | yearly cost | recorded |
| --- | --- | --- | --- | ---: | --- |
| VTI | equity | US | all | 0.03% | 2024-01-02 |

**Targets**

| symbol | weight |
| --- | ---: |
| VTI | 60.0% |

**Aliases**

| recorded as | symbol |
| --- | --- |
| OLD | VTI |

portfolio ledger · 2024-06-28
`
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("the user sees (-want +got):\n%s", diff)
	}
	w.MustCall("portfolio_settings", args{"no_targets": true})
	res = w.MustCall("portfolio_settings", nil)
	if got := toolstest.DecodeResult(t, res); got["left_for_cash"] != nil || len(got["targets"].([]any)) > 0 {
		t.Errorf("without targets %v is left for cash of %v; want neither", got["left_for_cash"], got["targets"])
	}
}

// With the clock set back, the tool shows the settings of that day and changes nothing.
func TestPortfolioSettings_AClockSetBackOnlyReads(t *testing.T) {
	w := newSettingsFixture(t)
	w.Now, w.Replay = toolstest.Clock(t, "2024-01-01T12:00:00Z"), true
	if got := toolstest.DecodeResult(t, w.MustCall("portfolio_settings", nil)); len(got["securities"].([]any)) > 0 {
		t.Errorf("on 2024-01-01 of securities is said %v; want nothing, for it was said the day after", got["securities"])
	}
	before := w.Ledger()
	w.WantRefused("portfolio_settings", args{"account": args{"name": "ira", "cash": "margin"}}, "read-only")
	if diff := cmp.Diff(before, w.Ledger()); diff != "" || len(w.Approvals) > 0 {
		t.Errorf("asked %d times, and the ledger changed (-before +after):\n%s", len(w.Approvals), diff)
	}
}

// If the user refuses, nothing is written.
func TestPortfolioSettings_ARefusalChangesNothing(t *testing.T) {
	w := newSettingsFixture(t)
	w.Allow = false
	before := w.Ledger()
	res := w.Call("portfolio_settings", args{"account": args{"name": "ira", "cash": "margin"}, "no_targets": true, "aliases": args{"OLD": ""}})
	if diff := cmp.Diff(before, w.Ledger()); diff != "" || !res.IsError {
		t.Errorf("refused by the user it says %q, and the ledger changed (-before +after):\n%s", toolstest.ResultText(res), diff)
	}
}

// Numbers are kept exactly, and text that is not a number is refused in every field.
func TestPortfolioSettings_NumbersAreFractionsDigitByDigit(t *testing.T) {
	w := newSettingsFixture(t)
	w.MustCall("portfolio_settings", args{"targets": []args{{"symbol": "A", "weight": 0.333333333333333}, {"symbol": "B", "weight": 0.1}}})
	if got := w.Ledger().Targets[0].Weight.String(); got != "0.333333333333333" {
		t.Errorf("weight = %s; want every digit", got)
	}
	if !strings.Contains(w.Plan(), "56.6666666666667%") {
		t.Errorf("the user was shown\n%s\nwant 56.6666666666667%% in cash", w.Plan())
	}
	for name, in := range map[string]args{
		"a weight below zero": {"targets": []args{{"symbol": "A", "weight": -0.1}}},
		"a weight of nothing": {"targets": []args{{"symbol": "A", "weight": 1e-40}}},
		"a fee below zero":    {"securities": []args{{"symbol": "A", "fee": -0.1}}},
		"a fee above all":     {"securities": []args{{"symbol": "A", "fee": 7}}},
		"no symbol":           {"targets": []args{{"symbol": "", "weight": 0.1}}},
		"a symbol of words":   {"securities": []args{{"symbol": "all of it|", "class": "equity"}}},
		"no account":          {"account": args{"name": "", "new": true}},
		"no cash policy":      {"account": args{"name": "ira", "cash": "some"}},
	} {
		t.Run(name, func(t *testing.T) { newSettingsFixture(t).WantRefused("portfolio_settings", in, "") })
	}
}
