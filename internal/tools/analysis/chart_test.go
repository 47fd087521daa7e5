package analysis_test

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/analysis"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestChart_DrawsEachKind(t *testing.T) {
	for _, tt := range []struct {
		in   args
		kind chart.Kind
		said string
	}{
		{args{"symbol": "^GSPC"}, chart.KindLine, "2,900.45 on 2019-04-17 to 2,874.56 on 2020-04-17"},
		{args{"symbol": "^GSPC", "range": "6m", "kind": "candles"}, chart.KindCandles, "126 candles"},
		{args{"symbol": "^GSPC", "range": "max", "kind": "Drawdown"}, chart.KindDrawdown, "deepest -56.78% on 2009-03-09"},
		{args{"symbol": "AAPL", "range": "max", "kind": "histogram"}, chart.KindHistogram, "mean"},
		{args{"symbol": "AAPL, IBM", "range": "5y"}, chart.KindCompare, "from 100 on"},
		{args{"symbols": []string{"AAPL", "IBM"}, "kind": "compare"}, chart.KindCompare, "from 100 on"},
	} {
		res, got := group.CallOK(t, deps(t), "chart", tt.in)
		switch {
		case res.Chart == nil || res.Chart.Kind != tt.kind || res.Chart.Validate() != nil:
			t.Errorf("chart %v = %+v, want a valid one of kind %s", tt.in, res.Chart, tt.kind)
		case !strings.Contains(res.UserText(), tt.said) || !strings.Contains(res.UserText(), "SAMPLE") || !strings.Contains(res.UserText(), " close"):
			t.Errorf("chart %v says %q, want %q, the source and its day", tt.in, res.UserText(), tt.said)
		case !res.Opened:
			t.Errorf("chart %v is not seen at once", tt.in)
		case got["sources"] == nil || got["points"] == nil || got["from"] == nil:
			t.Errorf("the model of chart %v reads %v", tt.in, got)
		}
	}
}

// The unit and the adjustment of prices appear below each chart.
func TestChart_SaysCurrencyAndAdjustment(t *testing.T) {
	for kind, want := range map[string]string{
		"line": "in USD, adjusted for splits and dividends", "drawdown": "in USD, total return, dividends reinvested",
	} {
		res, _ := group.CallOK(t, deps(t), "chart", args{"symbol": "AAPL", "kind": kind})
		if !strings.Contains(res.UserText(), want) {
			t.Errorf("%s says %q, want %q", kind, res.UserText(), want)
		}
	}
	res, _ := group.CallOK(t, deps(t), "chart", args{"symbol": "AAPL,^GSPC", "range": "5y"})
	for _, want := range []string{"AAPL in USD", "^GSPC in index points", "returns are not comparable"} {
		if !strings.Contains(res.UserText(), want) {
			t.Errorf("a comparison says %q, want %q", res.UserText(), want)
		}
	}
}

// Series with one source have one footer, so that the chart stays visible.
func TestChart_SaysOnceWhatSeriesShare(t *testing.T) {
	res, _ := group.CallOK(t, deps(t), "chart", args{"symbol": "AAPL,MSFT", "range": "5y"})
	if n := strings.Count(res.UserText(), "dividends reinvested"); n != 1 || !strings.Contains(res.UserText(), "AAPL in USD, MSFT in USD") {
		t.Errorf("the kind of return appears %d times in:\n%s", n, res.UserText())
	}
}

// The model learns what is drawn but no prices, so that it does not describe a curve it cannot see.
func TestChart_TellsTheModelNoPrices(t *testing.T) {
	res, _ := group.CallOK(t, deps(t), "chart", args{"symbol": "^GSPC"})
	for _, price := range []string{"2900", "2,900", "2874", "2,874", "3386"} {
		if strings.Contains(res.ModelText(), price) {
			t.Errorf("the model reads %s in %s", price, res.ModelText())
		}
	}
	if f := toolstest.Figure(t, res, "points"); !f.Value.Equal(decimal.NewFromInt(253)) {
		t.Errorf("points = %s, want 253 closes: one year and the previous close", f.Value)
	}
}

func TestChart_RefusesUndrawableSeries(t *testing.T) {
	below := depsWith(t, markettest.Daily("AAA", toolstest.MustDay("2020-04-17"), "18.27", "-37.63", "5"))
	alone := depsWith(t, markettest.Daily("AAA", toolstest.MustDay("2020-04-17"), "18.27"))
	for _, tt := range []struct {
		name string
		d    analysis.Deps
		in   args
		code string
		part string
	}{
		{"symbols is required", deps(t), args{}, tool.CodeValidation, "symbols is required"},
		{"unknown kind", deps(t), args{"symbol": "AAPL", "kind": "pie"}, tool.CodeValidation, "use one of line, candles, drawdown, histogram, compare"},
		{"one to compare", deps(t), args{"symbol": "AAPL", "kind": "compare"}, tool.CodeValidation, "2 to 6 different symbols"},
		{"seven to compare", deps(t), args{"symbol": "a,b,c,d,e,f,g"}, tool.CodeValidation, "2 to 6 different symbols"},
		{"several on a line", deps(t), args{"symbol": "AAPL,IBM", "kind": "line"}, tool.CodeValidation, "for several use compare"},
		{"two names of one", deps(t), args{"symbol": "AAPL,Apple"}, tool.CodeValidation, "the same instrument"},
		{"no range", deps(t), args{"symbol": "AAPL", "range": "soon"}, tool.CodeValidation, "invalid period"},
		{"an unknown one", deps(t), args{"symbol": "NOSUCH"}, market.CodeUnknownSymbol, "NOSUCH"},
		{"only closes", deps(t), args{"symbol": "AAPL", "kind": "candles"}, tool.CodeNoData, "has only closes"},
		{"below zero", below, args{"symbol": "AAA", "kind": "drawdown"}, tool.CodeNoData, "not above zero"},
		{"one close", alone, args{"symbol": "AAA"}, tool.CodeNoData, "has only 1 close from"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			toolstest.WantError(t, group.Call(t, tt.d, "chart", tt.in), tt.code, tt.part)
		})
	}
}

// The other tools of the package also return charts.
func TestStatistics_ResultsHaveTheirChart(t *testing.T) {
	for _, tt := range []struct {
		tool string
		in   args
		kind chart.Kind
	}{
		{"returns_stats", args{"symbol": "^GSPC"}, chart.KindDrawdown},
		{"returns_stats", args{"returns": []float64{0.01, -0.02, 0.03, 0}}, chart.KindHistogram},
		{"risk_metrics", args{"symbol": "^GSPC", "range": "5y"}, chart.KindDrawdown},
		{"compare_assets", args{"symbol": "AAPL,IBM", "range": "5y"}, chart.KindCompare},
	} {
		res, _ := group.CallOK(t, deps(t), tt.tool, tt.in)
		if res.Chart == nil || res.Chart.Kind != tt.kind || res.Chart.Validate() != nil || res.Opened {
			t.Errorf("%s %v has chart %+v (opened %t), want a valid one of kind %s below its card", tt.tool, tt.in, res.Chart, res.Opened, tt.kind)
		}
	}
}
