package ecb_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestYieldCurves_OfTheEuroArea(t *testing.T) {
	all, err := sourceOf(fixtureScript(t)).YieldCurves(t.Context(), market.CurveEuro, market.Range{From: day("2026-04-01"), To: day("2026-04-13")})
	if err != nil || len(all) != 2 || !all[0].Date.Equal(day("2026-04-09")) {
		t.Fatalf("YieldCurves = %+v, %v; want two, oldest first", all, err)
	}
	want := []market.Tenor{{Label: "3M", Months: dec("3"), Yield: dec("-0.25")}, {Label: "10Y", Months: dec("120"), Yield: dec("2.9878649255")}}
	if diff := cmp.Diff(want, all[1].Tenors); diff != "" {
		t.Errorf("tenors, without the one that is blank (-want +got):\n%s", diff)
	}
	p := all[1].Provenance
	if p.Source != "ecb" || p.Unit != "percent" || !p.AsOf.Equal(day("2026-04-10")) || !p.FetchedAt.Equal(evening) || !strings.Contains(p.Note, "Spot rates") {
		t.Errorf("provenance = %+v", p)
	}
}

func TestYieldCurves_AnOpenBeginAsksForTwoWeeksAndGivesTheLast(t *testing.T) {
	for _, row := range []struct{ to, want, start string }{{"", "2026-04-10", "2026-03-30"}, {"2026-04-09", "2026-04-09", "2026-03-26"}} {
		script := fixtureScript(t)
		var r market.Range
		if row.to != "" {
			r.To = day(row.to)
		}
		got, err := sourceOf(script).YieldCurves(t.Context(), market.CurveEuro, r)
		if err != nil || len(got) != 1 || !got[0].Date.Equal(day(row.want)) {
			t.Errorf("YieldCurves to %q = %+v, %v; want that of %s", row.to, got, err, row.want)
		}
		if q := script.Requests()[0].URL.Query(); q.Get("startPeriod") != row.start || q.Get("endPeriod") != row.to {
			t.Errorf("asked from %s to %s, want from %s to %s", q.Get("startPeriod"), q.Get("endPeriod"), row.start, row.to)
		}
	}
}

func TestSource_ACallerThatHasLeftAndARangeThatEndsBeforeItBeginsAskNothing(t *testing.T) {
	left, leave := context.WithCancel(t.Context())
	leave()
	backwards := market.Range{From: day("2026-04-10"), To: day("2026-04-01")}
	for _, row := range []struct {
		name string
		ctx  context.Context
		r    market.Range
		want error
	}{{"left", left, market.Range{}, context.Canceled}, {"backwards", t.Context(), backwards, market.ErrNoData}} {
		script := fixtureScript(t)
		_, curves := sourceOf(script).YieldCurves(row.ctx, market.CurveEuro, row.r)
		_, rates := sourceOf(script).Rates(row.ctx, market.Pair{Base: "EUR", Quote: "USD"}, row.r)
		if !errors.Is(curves, row.want) || !errors.Is(rates, row.want) || len(script.Requests()) > 0 {
			t.Errorf("%s: YieldCurves = %v, Rates = %v; want %v and nothing asked", row.name, curves, rates, row.want)
		}
	}
}

func TestYieldCurves_OtherCurvesAreNotAskedFor(t *testing.T) {
	script := fixtureScript(t)
	if _, err := sourceOf(script).YieldCurves(t.Context(), market.CurveTreasury, market.Range{}); !errors.Is(err, market.ErrUnknownSymbol) || len(script.Requests()) > 0 {
		t.Errorf("YieldCurves(%s) = %v", market.CurveTreasury, err)
	}
}

func TestYieldCurves_OfARecording(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{curvePath: {Body: recorded(t, "yc-sdmx-csvdata-2026-07-02.csv")}})
	got, err := sourceAt(script, day("2026-07-03")).YieldCurves(t.Context(), market.CurveEuro, market.Range{})
	if err != nil || len(got) != 1 || len(got[0].Tenors) != 1 || !got[0].Tenors[0].Yield.Equal(dec("2.9878649255")) || got[0].Tenors[0].Label != "10Y" {
		t.Errorf("YieldCurves = %+v, %v; want ten years at 2.9878649255", got, err)
	}
}

// The recording of exchange rates comes from the same service.
func TestYieldCurves_OfAnotherDatasetAreMalformed(t *testing.T) {
	head := "KEY,DATA_TYPE_FM,TIME_PERIOD,OBS_VALUE\n"
	row := "YC.B.U2.EUR.4F.G_N_A.SV_C_YM.SR_10Y,SR_10Y,2026-04-10,"
	for name, body := range map[string]string{
		"rates":           string(recorded(t, "exr-D-EUR-SP00-A-2026-02-17.csv")),
		"other curve":     head + "YC.B.U2.EUR.4F.G_N_C.SV_C_YM.SR_10Y,SR_10Y,2026-04-10,3\n",
		"instant forward": head + "YC.B.U2.EUR.4F.G_N_A.SV_C_YM.IF_10Y,IF_10Y,2026-04-10,3\n",
		"maturity twice":  head + row + "3\n" + row + "3\n",
		"a word":          head + row + "high\n",
		"a tale":          head + row + "300\n",
		"no day":          head + strings.Replace(row, "2026-04-10", "2026-Q2", 1) + "3\n",
	} {
		script := markettest.NewScript(map[string]markettest.Response{curvePath: {Body: []byte(body)}})
		if _, err := sourceOf(script).YieldCurves(t.Context(), market.CurveEuro, market.Range{}); !errors.Is(err, market.ErrMalformed) {
			t.Errorf("%s: YieldCurves = %v, want ErrMalformed", name, err)
		}
	}
}

func TestYieldCurves_BadDaysEndInTheirSentinel(t *testing.T) {
	for _, bad := range markettest.BadResponses(testdata(t, "curve.csv")) {
		if bad.Name == "404" {
			bad.Want = market.ErrNoData // the service's way to say that a range is empty
		}
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := sourceOf(markettest.NewScript(map[string]markettest.Response{curvePath: bad.Response})).YieldCurves(t.Context(), market.CurveEuro, market.Range{})
				var from *market.SourceError
				if !errors.Is(err, bad.Want) || !errors.As(err, &from) || from.Source != "ecb" {
					t.Errorf("YieldCurves = %v, want %v from ecb", err, bad.Want)
				}
			})
		})
	}
}

func FuzzCurves(f *testing.F) {
	f.Add(testdata(f, "curve.csv"))
	f.Fuzz(func(t *testing.T, body []byte) {
		script := markettest.NewScript(map[string]markettest.Response{curvePath: {Body: body}})
		got, err := sourceOf(script).YieldCurves(t.Context(), market.CurveEuro, market.Range{From: day("1990-01-01")})
		var from *market.SourceError
		if err != nil && !errors.As(err, &from) {
			t.Errorf("error %v is no *market.SourceError", err)
		}
		for i, c := range got {
			if len(c.Tenors) == 0 || i > 0 && !c.Date.After(got[i-1].Date) {
				t.Errorf("curve of %v with %d tenors", c.Date, len(c.Tenors))
			}
		}
	})
}
