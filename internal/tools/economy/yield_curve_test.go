package economy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/economy"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// curves returns yields around those days; the first day lacks a maturity.
func curves(t *testing.T, now string) economy.Deps {
	t.Helper()
	d := economy.Deps{Now: toolstest.Clock(t, now)}
	d.Curves = &markettest.FakeFeeds{Curves: map[string][]market.YieldCurve{market.CurveTreasury: {
		markettest.Curve(toolstest.MustDay("2023-11-17"), "3", "5.52", "24", "4.88", "120", "4.44"),
		markettest.Curve(toolstest.MustDay("2024-11-20"), "1", "4.70", "3", "4.65", "24", "4.31", "120", "4.41"),
	}}}
	return d
}

func TestYieldCurve_GivesMaturitiesAndSpreads(t *testing.T) {
	res, got := group.CallOK(t, curves(t, "2024-11-21T12:00:00Z"), "yield_curve", args{})
	toolstest.WantFields(t, got, map[string]any{
		"curve": "us_treasury", "name": "curve of the test", "date": "2024-11-20", "as_of": "2024-11-20", "unit": "% a year", "source": "markettest",
		"warnings": []any{},
		"spreads":  []any{map[string]any{"name": "10Y-2Y", "value": "0.1"}, map[string]any{"name": "10Y-3M", "value": "-0.24"}},
	})
	if n := len(got["tenors"].([]any)); n != 4 {
		t.Errorf("%d maturities, want the four that were published", n)
	}
	f := toolstest.Figure(t, res, "spreads.1.value")
	if diff := cmp.Diff([]string{"10Y 4.41%", "3M 4.65%"}, f.Inputs); diff != "" || f.Unit != "percentage points" {
		t.Errorf("spread = %+v, inputs (-want +got):\n%s", f, diff)
	}
}

// 4.41% is 3 basis points below 4.44%.
func TestYieldCurve_ComparesWhatBothDaysHave(t *testing.T) {
	res, got := group.CallOK(t, curves(t, "2024-11-21T12:00:00Z"), "yield_curve", args{"curve": "Treasury", "compare_to": "2023-11-17"})
	tenors := map[string]map[string]any{}
	for _, one := range got["tenors"].([]any) {
		tenors[one.(map[string]any)["tenor"].(string)] = one.(map[string]any)
	}
	toolstest.WantFields(t, tenors["10Y"], map[string]any{"yield": "4.41", "compared_yield": "4.44", "change_bp": "-3"})
	if _, exists := tenors["1M"]["change_bp"]; exists {
		t.Errorf("1M = %v, want no change where the earlier day has no yield", tenors["1M"])
	}
	if f := toolstest.Figure(t, res, "tenors.2.compared_yield"); !f.AsOf.Equal(toolstest.MustDay("2023-11-17")) {
		t.Errorf("the compared yield is as of %s, want its own day", f.AsOf)
	}
	if !strings.Contains(res.UserText(), "| 10Y | 4.41% | 4.44% | -3 |") {
		t.Errorf("people read %q", res.UserText())
	}
}

func TestYieldCurve_IsTheLastOnOrBeforeTheDayAndSaysWhereThatIsLongBefore(t *testing.T) {
	for _, tc := range []struct {
		name, now, date, want string
		warnings              int
	}{
		{"weekend", "2024-11-24T12:00:00Z", "", "2024-11-20", 0},
		{"long before", "2024-11-24T12:00:00Z", "2024-03", "2023-11-17", 1},
		{"a clock set back", "2024-11-19T12:00:00Z", "2024-12-31", "2023-11-17", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, got := group.CallOK(t, curves(t, tc.now), "yield_curve", args{"date": tc.date})
			if got["date"] != tc.want || len(got["warnings"].([]any)) != tc.warnings {
				t.Errorf("at %s, date %q = %v with %v; want %s with %d warnings", tc.now, tc.date, got["date"], got["warnings"], tc.want, tc.warnings)
			}
		})
	}
}

func TestYieldCurve_ErrorsNameWhatIsMissing(t *testing.T) {
	d := curves(t, "2024-11-21T12:00:00Z")
	toolstest.WantError(t, group.Call(t, d, "yield_curve", args{"curve": "mars"}), market.CodeUnknownSymbol, "us_treasury_real")
	toolstest.WantError(t, group.Call(t, d, "yield_curve", args{"date": "2020"}), tool.CodeNoData, "no data")
	toolstest.WantError(t, group.Call(t, d, "yield_curve", args{"date": "soon"}), tool.CodeValidation, `date: invalid period: "soon" is not a date`)
	d.Curves = &markettest.FakeFeeds{Err: fmt.Errorf("status 503: %w", market.ErrUnavailable)}
	toolstest.WantError(t, group.Call(t, d, "yield_curve", args{}), "", "status 503")
}
