package toolkit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// account is an answer with every tag.
type account struct {
	Flag     string              `json:"label" as:"flag"`
	Symbol   string              `json:"symbol" input:"symbol"`
	Weight   float64             `json:"weight" label:"weight" as:"percent"`
	Return   *float64            `json:"total_return" label:"total return" as:"change" key:"1" formula:"last / first - 1" basis:"365.25-day years"`
	Value    decimal.Decimal     `json:"value" label:"market value" as:"money" key:"2" sensitive:"amount"`
	Gain     decimal.NullDecimal `json:"gain" label:"gain" as:"gain" key:"3" sensitive:"amount"`
	Bars     int                 `json:"bars" label:"days" unit:"bars"`
	Since    time.Time           `json:"since" label:"since"`
	Silent   float64             `json:"silent"`
	Hidden   string              `json:"hidden,omitempty" model:"-"`
	Empty    []string            `json:"empty"`
	Missing  *float64            `json:"missing,omitempty" label:"missing"`
	Currency string              `json:"currency,omitempty"`
	Inner    inner               `json:"inner" label:"benchmark"`
	Lots     []lot               `json:"lots" table:"Lots" max:"4"`
	Warnings toolkit.Notes       `json:"warnings"`
	toolkit.Origin
}

type inner struct {
	Beta float64 `json:"beta" label:"beta" unit:"ratio"`
}

type lot struct {
	Day   string          `json:"day" label:"bought"`
	Cost  decimal.Decimal `json:"cost" label:"cost basis" as:"money" sensitive:"amount"`
	Share float64         `json:"share" label:"share" as:"percent"`
}

func (a account) Headline(lang string) string {
	if lang == "zh" {
		return "回报率 " + toolkit.Format(a.Return, toolkit.Change, "")
	}
	return a.Symbol + " returned " + toolkit.Format(a.Return, toolkit.Change, "") + "."
}

func (a account) Title() string { return a.Symbol + " · [all]" }

func (a account) Explain(field string) toolkit.Explanation {
	switch field {
	case "weight":
		return toolkit.Explanation{Label: "share of the whole", Basis: "market value", Inputs: []string{"2 positions"}}
	case "lots.share":
		return toolkit.Explanation{Formula: "cost / all", Source: "ledger"}
	}
	return toolkit.Explanation{}
}

func (a account) Chart() *chart.Spec { return &chart.Spec{Title: "value"} }

func anAccount() account {
	ret := 0.986346123456789
	a := account{
		Flag: "HYPOTHETICAL", Symbol: "VTI", Weight: 1. / 3, Return: &ret, Value: decimal.RequireFromString("1234567.890123456789"), Gain: decimal.NewNullDecimal(decimal.NewFromInt(-250)),
		Bars: 3095, Since: time.Date(2008, 1, 2, 0, 0, 0, 0, time.UTC), Silent: 0.30000000000000004, Hidden: "x", Currency: "USD", Inner: inner{Beta: 1.0625},
		Origin: toolkit.Origin{Source: "markettest", AsOf: "2020-04-17", Flags: []market.Flag{market.FlagSample}},
	}
	for i := range 6 {
		a.Lots = append(a.Lots, lot{fmt.Sprintf("2020-01-0%d", i+1), decimal.NewFromInt(int64(1000 * (i + 1))), 0.125})
	}
	a.Warnings.Warn("stale", "Prices are 5 sessions old.")
	a.Warnings.Note("method", "Closes are adjusted.")
	return a
}

func TestRender_ShowsKeyFiguresFirstThenTablesNotesAndSource(t *testing.T) {
	want := `**HYPOTHETICAL · VTI · \[all\]**

| measure | value | basis |
| --- | ---: | --- |
| total return | +98.6% | 365.25-day years |
| market value | 1,234,567.89 USD |  |
| gain | -250.00 USD |  |
| share of the whole | 33.3% | market value |
| days | 3,095 bars |  |
| since | 2008-01-02 |  |
| benchmark beta | 1.0625 |  |

**Lots**

| bought | cost basis (USD) | share |
| --- | ---: | ---: |
| 2020-01-01 | 1,000.00 | 12.5% |
| 2020-01-02 | 2,000.00 | 12.5% |
| 2020-01-03 | 3,000.00 | 12.5% |
| 2020-01-04 | 4,000.00 | 12.5% |
| 2020-01-05 | 5,000.00 | 12.5% |
| 2020-01-06 | 6,000.00 | 12.5% |

SAMPLE · HYPOTHETICAL · markettest · 2020-04-17

- ! Prices are 5 sessions old.
- Closes are adjusted.
`
	res := toolkit.Render(anAccount())
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("ForUser (-want +got):\n%s", diff)
	}
	keys := []tool.KeyFigure{{Label: "total return", Text: "+98.6%", Sign: 1}, {Label: "market value", Text: "1,234,567.89 USD"}, {Label: "gain", Text: "-250.00 USD", Sign: -1}}
	if diff := cmp.Diff(keys, res.Keys); diff != "" {
		t.Errorf("Keys (-want +got):\n%s", diff)
	}
	if want := "HYPOTHETICAL: +98.6% total return, 1,234,567.89 USD market value SAMPLE"; res.Summary != want {
		t.Errorf("Summary = %q, want %q", res.Summary, want)
	}
	if res.Headline != "VTI returned +98.6%." || res.HeadlineZH != "回报率 +98.6%" {
		t.Errorf("headlines = %q, %q", res.Headline, res.HeadlineZH)
	}
	if res.Title != "VTI · [all]" || res.Chart == nil || len(res.Notes) != 2 {
		t.Errorf("title %q, chart %v, notes %v", res.Title, res.Chart, res.Notes)
	}
}

func TestRender_JSONHasEveryDigitAndTheModelWhatIsSignificant(t *testing.T) {
	res := toolkit.Render(anAccount())
	raw, err := json.Marshal(res.Value)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"total_return":0.986346123456789,`, `"value":"1234567.890123456789"`, `"silent":0.30000000000000004`, `"empty":null`, `"warnings":["Prices are 5 sessions old."]`, `"day":"2020-01-05"`} {
		if !strings.Contains(string(raw), part) {
			t.Errorf("JSON %s lacks %s", raw, part)
		}
	}
	want := `{"label":"HYPOTHETICAL","symbol":"VTI","weight":0.333333,"total_return":0.986346,"value":"1234567.89","gain":"-250","bars":3095,"since":"2008-01-02T00:00:00Z","silent":0.3,"currency":"USD",` +
		`"inner":{"beta":1.0625},"lots":[{"day":"2020-01-01","cost":"1000","share":0.125},{"day":"2020-01-02","cost":"2000","share":0.125},{"day":"2020-01-03","cost":"3000","share":0.125},{"day":"2020-01-06","cost":"6000","share":0.125}],"lots_omitted":2,` +
		`"warnings":["Prices are 5 sessions old."],"source":"markettest","as_of":"2020-04-17","flags":["sample"]}`
	if diff := cmp.Diff(want, res.ForModel); diff != "" {
		t.Errorf("ForModel (-want +got):\n%s", diff)
	}
}

func TestRender_FiguresHaveValueUnitAndOrigin(t *testing.T) {
	byID := map[string]tool.Figure{}
	res := toolkit.Render(anAccount())
	for _, f := range res.Figures {
		byID[f.ID] = f
	}
	asOf := time.Date(2020, 4, 17, 0, 0, 0, 0, time.UTC)
	symbol := []string{"symbol VTI"}
	want := []tool.Figure{
		{ID: "total_return", Label: "total return", Value: decimal.RequireFromString("98.6346123456789"), Unit: "%", AsOf: asOf, Source: "markettest", Formula: "last / first - 1", Inputs: symbol},
		{ID: "weight", Label: "share of the whole", Value: decimal.RequireFromString("33.33333333333333"), Unit: "%", AsOf: asOf, Source: "markettest", Inputs: []string{"2 positions", "symbol VTI"}},
		{ID: "value", Label: "market value", Value: decimal.RequireFromString("1234567.890123456789"), Unit: "USD", AsOf: asOf, Source: "markettest", Inputs: symbol},
		{ID: "bars", Label: "days", Value: decimal.NewFromInt(3095), Unit: "bars", AsOf: asOf, Source: "markettest", Inputs: symbol},
		{ID: "inner.beta", Label: "benchmark beta", Value: decimal.RequireFromString("1.0625"), Unit: "ratio", AsOf: asOf, Source: "markettest", Inputs: symbol},
		{ID: "lots.5.share", Label: "2020-01-06 share", Value: decimal.RequireFromString("12.5"), Unit: "%", AsOf: asOf, Source: "ledger", Formula: "cost / all", Inputs: symbol},
	}
	for _, f := range want {
		if diff := cmp.Diff(f, byID[f.ID]); diff != "" {
			t.Errorf("figure %s (-want +got):\n%s", f.ID, diff)
		}
	}
	// Six numbers, and two in each of the four rows that the model receives.
	if n := len(res.Figures); n != 6+8 {
		t.Errorf("%d figures, want 14", n)
	}
	if _, ok := byID["silent"]; ok {
		t.Error("a field without a label is a figure")
	}
}

func TestRender_WhatIsNotKnownIsNoFigure(t *testing.T) {
	a := anAccount()
	a.Return, a.Gain = nil, decimal.NullDecimal{}
	res := toolkit.Render(a)
	if !strings.Contains(res.UserText(), "| total return | n/a |") || !strings.Contains(res.UserText(), "| gain | n/a |") || !strings.Contains(res.ForModel, `"total_return":null`) {
		t.Errorf("ForUser = %s\nForModel = %s", res.UserText(), res.ForModel)
	}
	for _, f := range res.Figures {
		if f.ID == "total_return" || f.ID == "gain" {
			t.Errorf("figure of an unknown number: %+v", f)
		}
	}
}

// single is an answer of one number.
type single struct {
	Sum decimal.Decimal `json:"sum" label:"sum" as:"exact"`
}

func (s single) Headline(string) string { return "2*3*4 = " + s.Sum.String() }

func TestRender_OneNumberIsItsHeadline(t *testing.T) {
	res := toolkit.Render(single{decimal.NewFromInt(24)})
	if want := "2\\*3\\*4 = 24\n"; res.UserText() != want {
		t.Errorf("ForUser = %q, want %q", res.UserText(), want)
	}
	if res.Redacted != "" {
		t.Errorf("Redacted = %q of an answer without amounts", res.Redacted)
	}
}

// No amount appears in the text for a model if amounts are hidden.
func TestRender_NoAmountIsInTheRedactedText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		a := anAccount()
		amounts := []decimal.Decimal{}
		amount := func() decimal.Decimal {
			d := decimal.New(7_000_000+random.Int64N(1_000_000), -int32(random.IntN(4)))
			amounts = append(amounts, d)
			return d
		}
		a.Value, a.Gain = amount(), decimal.NewNullDecimal(amount())
		for i := range a.Lots {
			a.Lots[i].Cost = amount()
		}
		a.Warnings.Warn("large", "The gain of %s is large.", toolkit.Amount(a.Gain.Decimal.String()))
		res := toolkit.Render(a)
		for _, d := range amounts {
			if digits := d.Coefficient().String(); strings.Contains(strings.ReplaceAll(res.Redacted, ".", ""), digits) {
				t.Fatalf("Redacted = %s, which has %s", res.Redacted, d)
			}
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(res.Redacted), &got); err != nil {
			t.Fatal(err)
		}
		if got["weight"] == nil || got["amounts"] != toolkit.AmountsHiddenNote || got["value"] != nil {
			t.Fatalf("Redacted = %s; want weights, no value, and a note", res.Redacted)
		}
		if diff := cmp.Diff([]any{"Prices are 5 sessions old.", "The gain of (hidden) is large."}, got["warnings"]); diff != "" {
			t.Fatalf("warnings (-want +got):\n%s", diff)
		}
	}
}

func TestRouter_SendsTheRedactedTextIfAmountsAreHidden(t *testing.T) {
	one := tool.Result{Value: 1, ForModel: "all", Redacted: "some", Figures: []tool.Figure{{ID: "x"}}}
	got := routed(t, one, func(name string) bool { return name == "probe" })
	if got.ForModel != "some" || !got.Private || got.Figures[0].Source != "probe" {
		t.Errorf("result = %+v, want the redacted text, private, with its source", got)
	}
	if got := routed(t, one, nil); got.ForModel != "all" || got.Private {
		t.Errorf("result = %+v, want all of it", got)
	}
}

// routed returns a result after it passed through a Router.
func routed(t *testing.T, res tool.Result, hide func(string) bool) tool.Result {
	t.Helper()
	probe := tool.New("probe", "", tool.Reads, func(context.Context, struct{}) (tool.Result, error) { return res, nil })
	router, err := tool.NewRouter([]tool.Tool{probe}, tool.Options{HideAmounts: hide})
	if err != nil {
		t.Fatal(err)
	}
	out, err := router.Call(t.Context(), llm.ToolCall{ID: "1", Name: "probe", Arguments: "{}"})
	if err != nil {
		t.Fatal(err)
	}
	return out.Result
}

// holdings is an answer with amounts in several currencies, percentages, a comparison, rows that
// name their own source, and text that the user wrote.
type holdings struct {
	Currency  string                  `json:"currency"`
	Positions []holding               `json:"positions" table:"Positions" max:"fit"`
	Compared  []holding               `json:"compared" table:"Compared" across:"true"`
	Notes     toolkit.BackgroundNotes `json:"notes"`
	Goal      toolkit.OwnWords        `json:"goal"`
	grouped   []toolkit.Table
}

type holding struct {
	Symbol    string           `json:"symbol" label:"symbol"`
	Value     decimal.Decimal  `json:"value" label:"value" as:"money" sensitive:"amount"`
	ValueBase decimal.Decimal  `json:"value_base" label:"in total" as:"money" currency:"/currency" sensitive:"amount"`
	WeightPct *decimal.Decimal `json:"weight_pct,omitempty" label:"weight" as:"percent" in:"percent"`
	Units     int              `json:"units" label:"units" unit:"units"`
	Trend     string           `json:"-" label:"trend"`
	*toolkit.Origin
	Warnings toolkit.Notes `json:"warnings,omitempty"`
}

func (h holdings) Headline(string) string  { return "two positions" }
func (h holdings) Title() string           { return "positions" }
func (h holdings) Summary() string         { return "2 positions" }
func (h holdings) Tables() []toolkit.Table { return h.grouped }
func (h holdings) Text() string            { return "Below the tables." }

func twoHoldings() holdings {
	weight := decimal.RequireFromString("12.3456")
	origin := func(currency, source string) *toolkit.Origin {
		return &toolkit.Origin{Currency: currency, Source: source, AsOf: "2020-04-17", Flags: []market.Flag{}}
	}
	h := holdings{Currency: "EUR", Goal: "a house for 400,000 by 2030-01-01, at 5%", Positions: []holding{
		{Symbol: "VTI", Value: decimal.RequireFromString("1234.567"), ValueBase: decimal.NewFromInt(1100), WeightPct: &weight, Units: 3, Trend: "▁▂▃", Origin: origin("USD", "one")},
		{Symbol: "7203.T", Value: decimal.NewFromInt(5000), ValueBase: decimal.NewFromInt(31), Units: 3, Trend: "▃▂▁", Origin: origin("JPY", "two")},
	}}
	h.Positions[1].Warnings.Warn("stale", "old")
	h.Compared = h.Positions
	h.grouped = []toolkit.Table{{Title: "By class", Columns: []string{"class", "weight:"}, Rows: [][]string{{"stocks", "100.0%"}}}}
	return h
}

func TestRender_TablesKeepTheCurrencyAndTheSourceOfEachRow(t *testing.T) {
	want := `**positions**

| symbol | value | in total (EUR) | weight | units | trend |
| --- | ---: | ---: | ---: | ---: | --- |
| VTI | 1,234.57 USD | 1,100.00 | 12.3% | 3 | ▁▂▃ |
| 7203.T | 5,000 JPY | 31.00 | n/a | 3 | ▃▂▁ |

**Compared**

| measure | VTI | 7203.T |
| --- | ---: | ---: |
| value | 1,234.57 USD | 5,000 JPY |
| in total | 1,100.00 EUR | 31.00 EUR |
| weight | 12.3% | n/a |
| units | 3 | 3 |
| trend | ▁▂▃ | ▃▂▁ |

**By class**

| class | weight |
| --- | ---: |
| stocks | 100.0% |

Below the tables.

one, two · 2020-04-17

- ! 7203.T: old
`
	res := toolkit.Render(twoHoldings())
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	for id, want := range map[string]string{"positions.0.value": "1234.567 USD one", "positions.1.value": "5000 JPY two", "positions.0.value_base": "1100 EUR one", "positions.0.weight_pct": "12.3456 % one"} {
		found := ""
		for _, f := range res.Figures {
			if f.ID == id {
				found = fmt.Sprintf("%s %s %s", f.Value, f.Unit, f.Source)
			}
		}
		if found != want {
			t.Errorf("figure %s = %q, want %q", id, found, want)
		}
	}
	if strings.Contains(res.ForModel, "▁") {
		t.Errorf("the model gets what is only for people: %s", res.ForModel)
	}
}

// periods is an answer with lists in the rows of a list.
type periods struct {
	Trend   decimal.Decimal `json:"-" label:"trend" as:"change" key:"1"`
	Periods []onePeriod     `json:"periods" table:"-"`
}

type onePeriod struct {
	Name    string          `json:"name" label:"period"`
	End     decimal.Decimal `json:"end" label:"value at end" as:"money" sensitive:"amount"`
	Returns []oneReturn     `json:"returns"`
	Other   *onePeriod      `json:"other" label:"benchmark"`
	Days    []int           `json:"days" max:"2 last"`
	Parts   []oneReturn     `json:"parts" max:"1 first"`
}

type oneReturn struct {
	Method string  `json:"method" label:"method"`
	Return float64 `json:"return" label:"return" as:"change" formula:"end / start - 1"`
}

func (r oneReturn) Explain(field string) toolkit.Explanation {
	return toolkit.Explanation{Inputs: []string{field + " of " + r.Method}}
}

func (p periods) Headline(string) string { return "one period" }

func (p periods) Explain(field string) toolkit.Explanation {
	return toolkit.Explanation{Source: "source of " + field}
}

func TestRender_NumbersNestedInRowsAreFigures(t *testing.T) {
	one := func(method string) oneReturn { return oneReturn{method, 0.25} }
	inner := onePeriod{Name: "VTI", Returns: []oneReturn{one("simple")}}
	res := toolkit.Render(periods{Trend: decimal.RequireFromString("-0.5"), Periods: []onePeriod{
		{Name: "1 year", End: decimal.NewFromInt(7), Returns: []oneReturn{one("simple"), one("log")}, Other: &inner, Days: []int{1, 2, 3}, Parts: []oneReturn{one("a"), one("b")}},
	}})
	var got []string
	for _, f := range res.Figures {
		got = append(got, fmt.Sprintf("%s = %s %s: %s (%s; %s; %s)", f.ID, f.Value, f.Unit, f.Label, f.Formula, strings.Join(f.Inputs, ""), f.Source))
	}
	want := []string{
		"periods.0.end = 7 units of money: 1 year value at end (; ; source of periods.end)",
		"periods.0.returns.0.return = 25 %: return, simple, 1 year (end / start - 1; return of simple; source of periods.returns.return)",
		"periods.0.returns.1.return = 25 %: return, log, 1 year (end / start - 1; return of log; source of periods.returns.return)",
		"periods.0.other.end = 0 units of money: benchmark value at end, 1 year (; ; source of periods.other.end)",
		"periods.0.other.returns.0.return = 25 %: benchmark return, simple, 1 year (end / start - 1; return of simple; source of periods.other.returns.return)",
		"periods.0.parts.0.return = 25 %: return, a, 1 year (end / start - 1; return of a; source of periods.parts.return)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	for _, part := range []string{`"days":[2,3],"days_omitted":1`, `"parts":[{"method":"a","return":0.25}],"parts_omitted":1`} {
		if !strings.Contains(res.ForModel, part) {
			t.Errorf("ForModel = %s, want %s", res.ForModel, part)
		}
	}
	if strings.Contains(res.Redacted, `"end"`) {
		t.Errorf("Redacted = %s has an amount", res.Redacted)
	}
	if diff := cmp.Diff([]tool.KeyFigure{{Label: "trend", Text: "-50.0%", Sign: -1}}, res.Keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

func TestRender_WordsOfTheUserLoseTheirNumbersIfAmountsAreHidden(t *testing.T) {
	res := toolkit.Render(twoHoldings())
	if want := `"goal":"a house for (hidden) by 2030-01-01, at 5%"`; !strings.Contains(res.Redacted, want) || !strings.Contains(res.ForModel, "400,000") {
		t.Errorf("redacted %s\nwhole %s\nwant %s in the first", res.Redacted, res.ForModel, want)
	}
}

// remark is an answer whose only amounts are in sentences.
type remark struct {
	Words []toolkit.OwnWords `json:"words,omitempty"`
}

func (remark) Headline(string) string { return "a remark" }

func TestRender_WordsAloneAreRedacted(t *testing.T) {
	var warned noted
	warned.Warnings.Warn("overdrawn", "%s less than zero", toolkit.Amount("500 USD"))
	for want, a := range map[string]toolkit.Answer{`"words":["sell (hidden)"]`: remark{Words: []toolkit.OwnWords{"sell 500"}}, `"warnings":["(hidden) less than zero"]`: warned} {
		if res := toolkit.Render(a); !strings.Contains(res.Redacted, want) || !strings.Contains(res.ForModel, "500") {
			t.Errorf("redacted %q, whole %q; want %s in the first", res.Redacted, res.ForModel, want)
		}
	}
}

// noted is an answer with notes and no words.
type noted struct {
	Warnings toolkit.Notes `json:"warnings,omitempty"`
}

func (noted) Headline(string) string { return "a warning" }

func TestRender_CutsTheRowsThatDoNotFit(t *testing.T) {
	h := twoHoldings()
	for range 3000 {
		h.Positions = append(h.Positions, h.Positions[0])
	}
	h.Compared = nil
	text := toolkit.Render(h).ForModel
	var got struct {
		Positions []any `json:"positions"`
		Omitted   int   `json:"positions_omitted"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if len(text) > toolkit.MaxEncodedBytes || len(got.Positions)+got.Omitted != 3002 || len(got.Positions) < 100 {
		t.Errorf("%d bytes with %d rows and %d omitted; want at most %d bytes and 3002 rows in total", len(text), len(got.Positions), got.Omitted, toolkit.MaxEncodedBytes)
	}
}

// balances is an answer that draws its list itself.
type balances struct {
	Cash  []balance     `json:"cash" table:"-"`
	Yen   []balance     `json:"yen" table:"Yen"`
	Notes toolkit.Notes `json:"warnings"`
}

type balance struct {
	Account  string          `json:"account" label:"account"`
	Currency string          `json:"currency"`
	Amount   decimal.Decimal `json:"amount" label:"amount" as:"money"`
	Do       string          `json:"do" label:"what to do"`
	toolkit.Origin
}

func (b balances) Headline(string) string { return "two balances" }
func (b balances) Tables() []toolkit.Table {
	return []toolkit.Table{{Columns: []string{"account"}, Rows: [][]string{{"drawn by hand"}}}}
}

func TestRender_AListThatTheAnswerDrawsItselfHasFiguresAndNoTable(t *testing.T) {
	const do = `set it: portfolio_settings {"a":1} (nfa portfolio map A)` // the Router writes the command for people
	line := balance{Account: "us", Currency: "JPY", Amount: decimal.NewFromInt(1234), Do: do, Origin: toolkit.Origin{Source: "bank", AsOf: "2024-01-08"}}
	b := balances{Cash: []balance{line}, Yen: []balance{line}}
	b.Notes.Warn("unset", "%s", do)
	res := toolkit.Render(b)
	want := `**Yen**

| account | amount (JPY) | what to do |
| --- | ---: | --- |
| us | 1,234 | ` + do + ` |

| account |
| --- |
| drawn by hand |

bank · 2024-01-08

- ! ` + do + `
`
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if f := res.Figures[0]; f.ID != "cash.0.amount" || f.Label != "us amount" || f.Source != "bank" || f.Unit != "JPY" {
		t.Errorf("figure = %+v", f)
	}
	if !strings.Contains(res.ForModel, `"warnings":["set it: portfolio_settings`) {
		t.Errorf("the model reads %s; want the call", res.ForModel)
	}
}

// entries is an answer with a table whose rows lack some values.
type entries struct {
	Entries []entered `json:"entries" table:"Entries"`
}

type entered struct {
	ID       string          `json:"id" label:"id"`
	Symbol   string          `json:"symbol,omitempty" label:"symbol" sparse:"true"`
	Quantity decimal.Decimal `json:"quantity,omitzero" label:"quantity" sparse:"true"`
	Amount   decimal.Decimal `json:"amount,omitzero" label:"amount" as:"money" sparse:"true"`
	Tax      decimal.Decimal `json:"tax,omitzero" label:"tax" as:"money" sparse:"true"`
	Lines    int             `json:"lines" label:"lines" unit:"lines"`
	Currency string          `json:"currency,omitempty"`
}

func (entries) Headline(string) string { return "two entries" }

func TestRender_ASparseColumnIsBlankWhereARowHasNoValue(t *testing.T) {
	num := decimal.RequireFromString
	res := toolkit.Render(entries{[]entered{
		{ID: "t1", Amount: num("5"), Lines: 1, Currency: "USD"}, {ID: "t2", Symbol: "VTI", Quantity: num("2"), Amount: num("0.00"), Lines: 3},
	}})
	want := `**Entries**

| id | symbol | quantity | amount (USD) | lines |
| --- | --- | ---: | ---: | ---: |
| t1 |  |  | 5.00 | 1 |
| t2 | VTI | 2 |  | 3 |
`
	if diff := cmp.Diff(want, res.ForUser); diff != "" {
		t.Errorf("ForUser (-want +got):\n%s", diff)
	}
	if want := `{"entries":[{"id":"t1","amount":"5","lines":1,"currency":"USD"},{"id":"t2","symbol":"VTI","quantity":"2","lines":3}]}`; res.ForModel != want || len(res.Figures) != 4 {
		t.Errorf("ForModel = %s with %d figures, want %s with 4", res.ForModel, len(res.Figures), want)
	}
}

func TestErrorf_HasATextWithoutAmounts(t *testing.T) {
	inner := toolkit.Errorf("sells %s of %s shares", toolkit.Amount("5"), toolkit.Amount("3"))
	err := fmt.Errorf("transaction 7: %w", inner)
	if public, ok := tool.RedactedText(err); !ok || public != "transaction 7: sells (hidden) of (hidden) shares" || err.Error() != "transaction 7: sells 5 of 3 shares" {
		t.Errorf("redacted %q, whole %q", public, err)
	}
	if _, ok := tool.RedactedText(toolkit.Errorf("day %d", 3)); ok {
		t.Error("an error without amounts is redacted")
	}
	res, _ := toolkit.InvalidResult(err)
	if got := res.Redacted; !strings.Contains(got, "(hidden)") || strings.Contains(got, "5") {
		t.Errorf("redacted result = %s", got)
	}
}

// lines is an answer whose rows explain themselves and have a unit that is not in JSON.
type lines struct {
	Lines []line `json:"lines" table:"Lines"`
}

type byAsset struct {
	Weights map[string]float64   `json:"weights" label:"weight" as:"percent"`
	Points  []point              `json:"points" table:"Points"`
	Paths   map[string][]float64 `json:"paths"`
}

type point struct {
	Name    string             `json:"name" label:"point"`
	Risk    float64            `json:"risk" label:"risk" as:"percent"`
	Weights map[string]float64 `json:"weights" label:"weight" as:"percent"`
}

func (byAsset) Headline(string) string { return "Two assets." }

func TestRender_NumbersByNameAreFiguresAndRoundedForTheModel(t *testing.T) {
	weights := map[string]float64{"B": 2. / 3, "A": 1. / 3}
	res := toolkit.Render(byAsset{weights, []point{{"p", 0.1, weights}}, map[string][]float64{"A": {1, 2. / 3}}})
	var got []string
	for _, f := range res.Figures {
		got = append(got, f.ID+": "+f.Label+" "+f.Value.StringFixed(2)+f.Unit)
	}
	want := []string{"weights.A: weight of A 33.33%", "weights.B: weight of B 66.67%", "points.0.risk: p risk 10.00%", "points.0.weights.A: p weight of A 33.33%", "points.0.weights.B: p weight of B 66.67%"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	if want := `{"weights":{"A":0.333333,"B":0.666667},"points":[{"name":"p","risk":0.1,"weights":{"A":0.333333,"B":0.666667}}],"paths":{"A":[1,0.666667]}}`; res.ForModel != want {
		t.Errorf("model reads %s, want %s", res.ForModel, want)
	}
}

type line struct {
	Name     string          `json:"name" label:"name"`
	Close    decimal.Decimal `json:"close" label:"close" as:"price" currency:"Unit"`
	Previous decimal.Decimal `json:"previous" label:"previous close" as:"price" currency:"Unit" row:"-"`
	Unit     string          `json:"-"`
}

func (lines) Headline(string) string       { return "Two closes." }
func (lines) KeyFigures() []tool.KeyFigure { return []tool.KeyFigure{{Label: "lines", Text: "2"}} }
func (l line) Explain(string) toolkit.Explanation {
	return toolkit.Explanation{Inputs: []string{"of " + l.Name}}
}

func TestRender_RowsExplainThemselves(t *testing.T) {
	res := toolkit.Render(lines{[]line{
		{"A", decimal.NewFromInt(5), decimal.NewFromInt(4), "index points"}, {"B", decimal.NewFromInt(6), decimal.NewFromInt(5), "USD"},
	}})
	want := "**Lines**\n\n| name | close |\n| --- | ---: |\n| A | 5.00 index points |\n| B | 6.00 USD |\n"
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	var got []string
	for _, f := range res.Figures {
		got = append(got, f.ID+" "+f.Value.String()+" "+f.Unit+" "+strings.Join(f.Inputs, ""))
	}
	if diff := cmp.Diff([]string{"lines.0.close 5 index points of A", "lines.0.previous 4 index points of A", "lines.1.close 6 USD of B", "lines.1.previous 5 USD of B"}, got); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	if len(res.Keys) != 1 || res.Summary != "2 lines" {
		t.Errorf("keys %v, summary %q", res.Keys, res.Summary)
	}
}

// measured is an answer with numbers in maps and lists, pointers to zero, and an origin with a name.
type measured struct {
	Beta      *float64              `json:"beta,omitempty" label:"beta"`
	Alpha     *float64              `json:"alpha,omitempty" label:"alpha"`
	Matrix    [][]*float64          `json:"matrix"`
	Series    map[string][]*float64 `json:"series"`
	Exact     map[string]float64    `json:"exact" model:"exact"`
	Benchmark *toolkit.Origin       `json:"benchmark_origin" label:"benchmark"`
	toolkit.Origin
}

func (measured) Headline(string) string { return "measured" }

func TestRender_RoundsWhatIsInMapsAndLists(t *testing.T) {
	third, zero := 1./3, 0.
	m := measured{Beta: &zero, Matrix: [][]*float64{{&third, nil}}, Series: map[string][]*float64{"b": {&third}, "a": nil}, Exact: map[string]float64{"x": 0.125000001}}
	m.Source, m.Note, m.Benchmark = "one", "total return", &toolkit.Origin{Source: "one", Note: "price return"}
	res := toolkit.Render(m)
	want := `{"beta":0,"matrix":[[0.333333,null]],"series":{"a":[],"b":[0.333333]},"exact":{"x":0.125000001},"benchmark_origin":{"source":"one","note":"price return"},"source":"one","note":"total return"}`
	if diff := cmp.Diff(want, res.ForModel); diff != "" {
		t.Errorf("ForModel (-want +got):\n%s", diff)
	}
	if part := "one\n\n- total return\n- benchmark: price return"; !strings.Contains(res.UserText(), part) {
		t.Errorf("text lacks %q:\n%s", part, res.UserText())
	}
	if len(res.Figures) != 1 || res.Figures[0].ID != "beta" {
		t.Errorf("figures = %+v, want a beta of 0", res.Figures)
	}
}
