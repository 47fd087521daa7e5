package yahoo_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

const statementPath = "/ws/fundamentals-timeseries/v1/finance/timeseries/AAA"

// line returns a line of statements, with values given as "2024-03-31=100".
func line(tag, currency string, values ...string) string {
	periods := map[string]string{"a": "12M", "q": "3M", "t": "TTM"}
	var out []string
	for _, v := range values {
		end, figure, ok := strings.Cut(v, "=")
		if !ok {
			out = append(out, "null")
			continue
		}
		out = append(out, fmt.Sprintf(`{"asOfDate":%q,"periodType":%q,"currencyCode":%q,"reportedValue":{"raw":%s,"fmt":"x"}}`, end, periods[tag[:1]], currency, figure))
	}
	return fmt.Sprintf(`{"meta":{"symbol":["AAA"],"type":[%q]},"timestamp":[1],%q:[%s]}`, tag, tag, strings.Join(out, ","))
}

func timeseries(lines ...string) string {
	return `{"timeseries":{"result":[` + strings.Join(lines, ",") + `],"error":null}}`
}

var statementBody = timeseries(
	line("annualTotalRevenue", "EUR", "2023-03-31=90", "2024-03-31=100.5"),
	line("annualCapitalExpenditure", "EUR", "null", "2024-03-31=-7"),
	line("annualDilutedEPS", "EUR", "2024-03-31=1.25"),
	line("annualOrdinarySharesNumber", "EUR", "2024-03-31=80"),
	line("annualInterestIncome", "EUR", "2024-03-31=3"),
	`{"meta":{"symbol":["AAA"],"type":["annualInventory"]}}`,
)

func TestStatements_AreNewestFirstInNfasNames(t *testing.T) {
	got, err := answering(statementPath, statementBody).Statements(t.Context(), "AAA", market.StatementQuery{})
	if err != nil || len(got) != 2 {
		t.Fatalf("Statements = %d, %v; want 2", len(got), err)
	}
	want := map[string]market.Item{
		market.ItemRevenue:            {Value: testDecimal("100.5"), Unit: "EUR", Tag: "yahoo:annualTotalRevenue"},
		market.ItemCapitalExpenditure: {Value: testDecimal("7"), Unit: "EUR", Tag: "yahoo:annualCapitalExpenditure"},
		market.ItemDilutedEPS:         {Value: testDecimal("1.25"), Unit: "EUR/share", Tag: "yahoo:annualDilutedEPS"},
		market.ItemSharesOutstanding:  {Value: testDecimal("80"), Unit: "shares", Tag: "yahoo:annualOrdinarySharesNumber"},
	}
	if diff := cmp.Diff(want, got[0].Items); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	s := got[0]
	if s.FiscalYear != 2024 || s.FiscalPeriod != "FY" || !s.PeriodStart.Equal(testDay("2023-04-01")) || !s.PeriodEnd.Equal(testDay("2024-03-31")) ||
		s.Template != market.TemplateGeneral || s.Provenance.Currency != "EUR" || !s.Provenance.AsOf.Equal(s.PeriodEnd) || len(s.Warnings) == 0 {
		t.Errorf("statement = %+v", s)
	}
	if !got[1].PeriodEnd.Equal(testDay("2023-03-31")) || len(got[1].Items) != 1 {
		t.Errorf("second statement = %+v, want the year before with its revenue alone", got[1])
	}
}

func TestStatements_PeriodsOfAnotherLengthAreLeftOut(t *testing.T) {
	body := strings.Replace(timeseries(line("annualTotalRevenue", "EUR", "2023-03-31=90", "2024-03-31=100")), `"12M"`, `"6M"`, 1)
	got, err := answering(statementPath, body).Statements(t.Context(), "AAA", market.StatementQuery{})
	if err != nil || len(got) != 1 || !got[0].PeriodEnd.Equal(testDay("2024-03-31")) {
		t.Errorf("Statements = %+v, %v; want the year to 2024-03-31 alone", got, err)
	}
}

func TestStatements_QuartersGoByTheCompanysYear(t *testing.T) {
	body := timeseries(
		line("quarterlyTotalRevenue", "JPY", "2024-06-30=1", "2024-09-30=2", "2024-12-31=3", "2025-03-31=4"),
		line("annualTotalRevenue", "JPY", "2024-03-31=100"),
	)
	script := markettest.NewScript(map[string]markettest.Response{statementPath: markettest.JSONResponse(body)})
	got, err := sourceOf(script).Statements(t.Context(), "AAA", market.StatementQuery{Span: market.SpanQuarterly})
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, s := range got {
		labels = append(labels, fmt.Sprintf("%d %s from %s", s.FiscalYear, s.FiscalPeriod, s.PeriodStart.Format("2006-01-02")))
	}
	want := []string{"2025 Q4 from 2025-01-01", "2025 Q3 from 2024-10-01", "2025 Q2 from 2024-07-01", "2025 Q1 from 2024-04-01"}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Errorf("quarters of a year that ends in March (-want +got):\n%s", diff)
	}
	if requests := script.Requests()[0].URL.Query().Get("type"); !strings.Contains(requests, "quarterlyTotalAssets") || !strings.Contains(requests, ",annualTotalRevenue") {
		t.Errorf("asked for %s, want quarters and the annual revenue", requests)
	}
}

func TestStatements_HonourTheQuery(t *testing.T) {
	for _, row := range []struct {
		name string
		q    market.StatementQuery
		want int
		err  error
	}{
		{"limit", market.StatementQuery{Limit: 1}, 1, nil},
		// A year that ended on March 31 may be filed until August 15, 137 days later.
		{"known on the last day for filing", market.StatementQuery{KnownOn: testDay("2024-08-15")}, 2, nil},
		{"known on the day before", market.StatementQuery{KnownOn: testDay("2024-08-14")}, 1, nil},
		{"known before all", market.StatementQuery{KnownOn: testDay("2020-01-01")}, 0, market.ErrNoData},
		{"span without any", market.StatementQuery{Span: market.SpanTrailing}, 0, market.ErrNoData},
	} {
		got, err := answering(statementPath, statementBody).Statements(t.Context(), "AAA", row.q)
		if len(got) != row.want || !errors.Is(err, row.err) {
			t.Errorf("%s: Statements = %d, %v; want %d, %v", row.name, len(got), err, row.want, row.err)
		}
		if !row.q.KnownOn.IsZero() && len(got) > 0 && !strings.Contains(strings.Join(got[0].Warnings, " "), "restated") {
			t.Errorf("%s: warnings %q do not say that figures may be restated", row.name, got[0].Warnings)
		}
	}
}

func TestStatements_OfBanksAndInsurersKeepTheirLines(t *testing.T) {
	for _, row := range []struct {
		name, line string
		want       market.Template
		kept       bool
	}{
		{"bank", line("annualTotalDeposits", "USD", "2024-12-31=5"), market.TemplateBank, true},
		{"insurer", line("annualTotalPremiumsEarned", "USD", "2024-12-31=5"), market.TemplateInsurer, true},
		{"other", line("annualInventory", "USD", "2024-12-31=5"), market.TemplateGeneral, false},
	} {
		body := timeseries(line("annualNetInterestIncome", "USD", "2024-12-31=9"), row.line)
		got, err := answering(statementPath, body).Statements(t.Context(), "AAA", market.StatementQuery{})
		if err != nil {
			t.Fatal(err)
		}
		_, kept := got[0].Items[market.ItemNetInterestIncome]
		if got[0].Template != row.want || kept != row.kept {
			t.Errorf("%s: template %s, net interest income kept %v; want %s, %v", row.name, got[0].Template, kept, row.want, row.kept)
		}
	}
}

func TestStatements_MinorUnitsAndMixedCurrenciesAreSaid(t *testing.T) {
	body := timeseries(line("annualTotalRevenue", "GBp", "2024-12-31=500"), line("annualNetIncome", "USD", "2024-12-31=3"), line("annualCash", "USD"))
	got, err := answering(statementPath, body).Statements(t.Context(), "AAA", market.StatementQuery{})
	if err != nil {
		t.Fatal(err)
	}
	revenue := got[0].Items[market.ItemRevenue]
	if !revenue.Value.Equal(testDecimal("5")) || revenue.Unit != "GBP" || len(revenue.Flags) != 1 || !strings.Contains(strings.Join(got[0].Warnings, " "), "more than one currency") {
		t.Errorf("revenue = %+v, warnings %q", revenue, got[0].Warnings)
	}
}

func TestStatements_OfSomethingElseAreMalformed(t *testing.T) {
	for name, body := range map[string]string{
		"another symbol": strings.ReplaceAll(statementBody, `["AAA"]`, `["BBB"]`),
		"no meta data":   `{"timeseries":{"result":[{"timestamp":[1]}]}}`,
		"no series":      `{"finance":{}}`,
	} {
		if _, err := answering(statementPath, body).Statements(t.Context(), "AAA", market.StatementQuery{}); !errors.Is(err, market.ErrMalformed) {
			t.Errorf("%s: Statements = %v, want ErrMalformed", name, err)
		}
	}
}

// The figures are those of Apple's annual reports.
func TestStatements_OfARecordedAnswer(t *testing.T) {
	body := recordedBody(t, "yahoo/fundamentalsTimeSeries-AAPL-financials-annual.json")
	got, err := answering(strings.Replace(statementPath, "AAA", "AAPL", 1), body).Statements(t.Context(), "AAPL", market.StatementQuery{})
	if err != nil || len(got) != 3 {
		t.Fatalf("Statements = %d, %v; want 3", len(got), err)
	}
	for item, want := range map[string]string{
		market.ItemRevenue: "383285000000", market.ItemOperatingIncome: "114301000000", market.ItemNetIncome: "96995000000",
		market.ItemDilutedEPS: "6.13", market.ItemInterestExpense: "3933000000", market.ItemDilutedShares: "15812547000",
	} {
		if have := got[1].Items[item]; !have.Value.Equal(testDecimal(want)) {
			t.Errorf("%s of 2023 = %s, want %s", item, have.Value, want)
		}
	}
	if _, have := got[0].Items[market.ItemInterestExpense]; have {
		t.Error("interest expense of 2024 is there, which Yahoo does not tell")
	}
}
