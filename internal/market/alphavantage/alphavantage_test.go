package alphavantage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/alphavantage"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestSource_KeepsTheContractOfPrices(t *testing.T) {
	markettest.RunPrices(t, func(*testing.T) markettest.PriceSubject {
		return markettest.PriceSubject{Source: sourceOf(listed()), Listed: "AAA"}
	})
}

func TestBars_OfTheRecordedTable(t *testing.T) {
	s := sourceOf(functions{
		"TIME_SERIES_DAILY": markettest.JSONResponse(recorded(t, "alphavantage/TIME_SERIES_DAILY-IBM.csv")),
		"DIVIDENDS":         markettest.JSONResponse(recorded(t, "alphavantage/DIVIDENDS-IBM.csv")),
		"SPLITS":            markettest.JSONResponse(recorded(t, "alphavantage/SPLITS-IBM.csv")),
	})
	got, err := s.Bars(t.Context(), "IBM", market.Range{})
	if err != nil {
		t.Fatalf("Bars = %v", err)
	}
	markettest.CheckBars(t, got.Bars)
	n := len(got.Bars)
	if n != 100 || !got.Bars[n-1].Date.Equal(day("2026-05-15")) || !got.Bars[n-1].Close.Equal(dec("219.3")) || got.Provenance.Adjustment != market.AdjustmentRaw {
		t.Errorf("%d bars to %v at %s, %s; want 100 raw ones to 2026-05-15 at 219.3", n, got.Bars[n-1].Date, got.Bars[n-1].Close, got.Provenance.Adjustment)
	}
	want := []market.Action{
		{Kind: market.ActionDividend, Date: day("2026-02-10"), Amount: dec("1.68"), Paid: day("2026-03-10")},
		{Kind: market.ActionDividend, Date: day("2026-05-08"), Amount: dec("1.69"), Paid: day("2026-06-10")},
	}
	if diff := cmp.Diff(want, got.Actions); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	// The requested bars are not available, and a part of them must not be returned instead.
	if _, err := s.Bars(t.Context(), "IBM", market.Range{From: day("2020-01-01")}); !errors.Is(err, market.ErrNoData) {
		t.Errorf("Bars from before the hundred days = %v, want ErrNoData", err)
	}
}

// The expected values are the service's own adjusted closes, recorded for the same days. Its factor is close
// / (close + dividend) of the same day, nfa's is 1 - dividend / previous close. They differ by that day's
// change in price, relative to the dividend: less than 0.0001 for each of the two dividends.
func TestBars_TotalReturnAgreesWithTheServicesOwn(t *testing.T) {
	adjusted := recorded(t, "alphavantage/TIME_SERIES_DAILY_ADJUSTED-IBM.csv")
	raw, err := sourceOf(functions{
		"TIME_SERIES_DAILY": markettest.JSONResponse(adjusted), // additional columns are ignored
		"DIVIDENDS":         markettest.JSONResponse(recorded(t, "alphavantage/DIVIDENDS-IBM.csv")),
		"SPLITS":            markettest.JSONResponse(recorded(t, "alphavantage/SPLITS-IBM.csv")),
	}).Bars(t.Context(), "IBM", market.Range{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := raw.TotalReturn()
	if err != nil {
		t.Fatal(err)
	}
	theirs := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(adjusted), "\n")[1:] {
		cells := strings.Split(line, ",")
		theirs[cells[0]] = cells[5]
	}
	for _, b := range got.Bars {
		want := dec(theirs[b.Date.Format(time.DateOnly)])
		if b.Close.Sub(want).Abs().GreaterThan(want.Shift(-4)) {
			t.Fatalf("%s: %s, the service has %s", b.Date.Format(time.DateOnly), b.Close, want)
		}
	}
}

func TestSplits_OfTheRecordedTable(t *testing.T) {
	body := strings.Replace(barsBody, "2026-09-21", "2021-11-04", 1)
	got, err := sourceOf(functions{
		"TIME_SERIES_DAILY": markettest.JSONResponse(strings.Replace(body, "2026-09-17", "1999-05-27", 1)),
		"DIVIDENDS":         markettest.JSONResponse("ex_dividend_date,amount\r\n"),
		"SPLITS":            markettest.JSONResponse(recorded(t, "alphavantage/SPLITS-IBM.csv")),
	}).Bars(t.Context(), "IBM", market.Range{})
	want := []market.Action{
		{Kind: market.ActionSplit, Date: day("1999-05-27"), New: dec("2"), Old: dec("1")},
		{Kind: market.ActionSpinOff, Date: day("2021-11-04"), New: dec("1.046"), Old: dec("1"), Flags: []market.Flag{market.FlagSuspect}},
	}
	if diff := cmp.Diff(want, got.Actions); err != nil || diff != "" {
		t.Errorf("actions: %v (-want +got):\n%s", err, diff)
	}
}

func TestBars_APartOfWhatWasAskedForIsNotGivenForTheWhole(t *testing.T) {
	f := listed()
	body := "timestamp,open,high,low,close,volume\r\n"
	for i := range 100 {
		body += day("2026-01-01").AddDate(0, 0, i).Format(time.DateOnly) + ",1,1,1,1,1\r\n"
	}
	f["TIME_SERIES_DAILY"] = markettest.JSONResponse(body)
	for from, want := range map[string]error{"2025-12-20": market.ErrNoData, "2025-12-28": nil, "2026-01-05": nil} {
		if _, err := sourceOf(f).Bars(t.Context(), "AAA", market.Range{From: day(from)}); !errors.Is(err, want) {
			t.Errorf("Bars from %s of a hundred from 2026-01-01 = %v, want %v", from, err, want)
		}
	}
	// An open range returns the available bars, and a note says so.
	if got, err := sourceOf(f).Bars(t.Context(), "AAA", market.Range{}); err != nil || !strings.Contains(got.Provenance.Note, "100 days") {
		t.Errorf("Bars say %q, %v; want the reach of the plan", got.Provenance.Note, err)
	}
	// Fewer than a hundred bars are the whole history of a new listing.
	if _, err := sourceOf(listed()).Bars(t.Context(), "AAA", market.Range{From: day("2020-01-01")}); err != nil {
		t.Errorf("Bars of a young share = %v", err)
	}
}

func TestBars_TellWhatHappenedToTheShares(t *testing.T) {
	got, err := sourceOf(listed()).Bars(t.Context(), "AAA", market.Range{})
	want := []market.Action{
		{Kind: market.ActionSplit, Date: day("2026-09-21"), New: dec("2"), Old: dec("1")},
		{Kind: market.ActionDividend, Date: day("2026-09-22"), Amount: dec("0.25")},
	}
	if diff := cmp.Diff(want, got.Actions); err != nil || diff != "" {
		t.Errorf("actions: %v (-want +got):\n%s", err, diff)
	}
	for factor, want := range map[string]market.Action{
		"1.5000": {Kind: market.ActionSplit, New: dec("3"), Old: dec("2")},
		"0.1000": {Kind: market.ActionSplit, New: dec("1"), Old: dec("10")},
		"0.3333": {Kind: market.ActionSplit, New: dec("1"), Old: dec("3")},
		"1.0300": {Kind: market.ActionSplit, New: dec("103"), Old: dec("100")},
		"1.0460": {Kind: market.ActionSpinOff, New: dec("1.046"), Old: dec("1"), Flags: []market.Flag{market.FlagSuspect}},
		"0.9871": {Kind: market.ActionSplit, New: dec("0.9871"), Old: dec("1"), Flags: []market.Flag{market.FlagSuspect}},
	} {
		f := listed()
		f["SPLITS"] = markettest.JSONResponse("effective_date,split_factor\r\n2026-09-21," + factor + "\r\n")
		got, err := sourceOf(f).Bars(t.Context(), "AAA", market.Range{To: day("2026-09-21")})
		want.Date = day("2026-09-21")
		if diff := cmp.Diff([]market.Action{want}, got.Actions); err != nil || diff != "" {
			t.Errorf("factor %s: %v (-want +got):\n%s", factor, err, diff)
		}
	}
}

func TestBars_AreGivenWithoutActionsWhereThoseAreUnknown(t *testing.T) {
	for _, missing := range []string{"DIVIDENDS", "SPLITS"} {
		for _, answer := range []string{limited, "ex_dividend_date,amount\r\nNone,1\r\n", "effective_date,split_factor\r\n2026-09-21,0\r\n"} {
			f := listed()
			f[missing] = markettest.JSONResponse(answer)
			got, err := sourceOf(f).Bars(t.Context(), "AAA", market.Range{})
			if err != nil || len(got.Bars) != 6 || got.Actions != nil {
				t.Errorf("%s of %.30q: %d bars, actions %v, %v; want six and nil", missing, answer, len(got.Bars), got.Actions, err)
			}
			if _, err := got.TotalReturn(); !errors.Is(err, market.ErrActionsUnknown) {
				t.Errorf("TotalReturn = %v, want ErrActionsUnknown", err)
			}
		}
	}
}

func TestQuote_OfTheRecordedTable(t *testing.T) {
	q, err := sourceOf(functions{"GLOBAL_QUOTE": markettest.JSONResponse(recorded(t, "alphavantage/GLOBAL_QUOTE-IBM.csv"))}).Quote(t.Context(), "IBM")
	if err != nil || !q.Price.Equal(dec("219.3")) || !q.Previous.Decimal.Equal(dec("218.37")) || !q.Provenance.AsOf.Equal(day("2026-05-15")) || !q.Provenance.Has(market.FlagStale) {
		t.Errorf("Quote(IBM) = %+v, %v; want 219.3 after 218.37 of 2026-05-15, stale in September", q, err)
	}
}

func TestProfile_OfTheRecordedOverview(t *testing.T) {
	p, err := sourceOf(functions{"OVERVIEW": markettest.JSONResponse(recorded(t, "alphavantage/OVERVIEW-IBM.json"))}).Profile(t.Context(), "IBM")
	want := market.Profile{
		Instrument: market.Instrument{Symbol: "IBM", Name: "International Business Machines", Kind: "equity", Listing: market.Listing{Exchange: "NYSE", CIK: "0000051143"}},
		Sector:     "TECHNOLOGY", Industry: "INFORMATION TECHNOLOGY SERVICES", Country: "USA", Website: "https://www.ibm.com",
	}
	if diff := cmp.Diff(want, p, cmpopts.IgnoreFields(market.Profile{}, "Description", "Provenance")); err != nil || diff != "" {
		t.Errorf("Profile: %v (-want +got):\n%s", err, diff)
	}
	if !strings.HasPrefix(p.Description, "International Business Machines Corporation") {
		t.Errorf("description %.60q", p.Description)
	}
}

// Responses of other functions are neither refusals nor valid data.
func TestSource_RecordedAnswersOfOtherFunctions(t *testing.T) {
	for _, file := range []string{
		"ETF_PROFILE.json", "INCOME_STATEMENT-IBM.json", "MARKET_STATUS.json", "SYMBOL_SEARCH-tesco.csv", "TIME_SERIES-json.json", "TREASURY_YIELD.csv",
	} {
		a := markettest.JSONResponse(recorded(t, "alphavantage/"+file))
		if _, err := sourceOf(functions{"TIME_SERIES_DAILY": a}).Bars(t.Context(), "IBM", market.Range{}); !errors.Is(err, market.ErrMalformed) {
			t.Errorf("%s as bars: %v, want ErrMalformed", file, err)
		}
		if _, err := sourceOf(functions{"GLOBAL_QUOTE": a}).Quote(t.Context(), "IBM"); !errors.Is(err, market.ErrMalformed) {
			t.Errorf("%s as a quote: %v, want ErrMalformed", file, err)
		}
	}
}

// oneCall makes only one of the calls, because after the first call reaches a limit the source does not send
// the others.
func oneCall(ctx context.Context, s *alphavantage.Source, call string) (err error) {
	switch call {
	case "quote":
		_, err = s.Quote(ctx, "AAA")
	case "bars":
		_, err = s.Bars(ctx, "AAA", market.Range{})
	case "profile":
		_, err = s.Profile(ctx, "AAA")
	}
	return err
}

func everyCall(ctx context.Context, s *alphavantage.Source) map[string]error {
	errs := map[string]error{}
	for _, call := range []string{"quote", "bars", "profile"} {
		errs[call] = oneCall(ctx, s, call)
	}
	return errs
}

func TestSource_RefusalsComeWithStatus200(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       error
	}{
		{"limit", limited, market.ErrRateLimited},
		{"note", limitedNote, market.ErrRateLimited},
		{"premium", premium, market.ErrAuth},
		{"demo key", `{"Information":"The **demo** API key is for demo purposes only."}`, market.ErrAuth},
		{"wrong key", wrongKey, market.ErrAuth},
		{"wrong symbol", wrongSymbol, market.ErrUnknownSymbol},
		{"something else", `{"Information":"Hello."}`, market.ErrMalformed},
	} {
		for call, function := range map[string]string{"quote": "GLOBAL_QUOTE", "bars": "TIME_SERIES_DAILY", "profile": "OVERVIEW"} {
			err := oneCall(t.Context(), sourceOf(functions{function: markettest.JSONResponse(c.body)}), call)
			if !errors.Is(err, c.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %s = %v, want %v without the key", c.name, call, err, c.want)
			}
		}
	}
}

func TestSource_TheRecordedLimitIsOne(t *testing.T) {
	s := sourceOf(functions{"GLOBAL_QUOTE": markettest.JSONResponse(recorded(t, "errors/alphavantage-ratelimit.json"))})
	if _, err := s.Quote(t.Context(), "IBM"); !errors.Is(err, market.ErrRateLimited) {
		t.Errorf("Quote = %v, want ErrRateLimited", err)
	}
}

func TestSource_AnswersThatAreNone(t *testing.T) {
	for _, c := range []struct {
		function, call, body string
		want                 error
	}{
		{"GLOBAL_QUOTE", "quote", `{}`, market.ErrUnknownSymbol},
		{"GLOBAL_QUOTE", "quote", `{"Global Quote": {}}`, market.ErrUnknownSymbol},
		{"GLOBAL_QUOTE", "quote", strings.SplitAfter(quoteBody, "\n")[0], market.ErrUnknownSymbol},
		{"GLOBAL_QUOTE", "quote", strings.Replace(quoteBody, "AAA", "BBB", 1), market.ErrMalformed},
		{"GLOBAL_QUOTE", "quote", strings.Replace(quoteBody, "12.5000", "0.0000", 1), market.ErrNoData},
		{"GLOBAL_QUOTE", "quote", strings.Replace(quoteBody, "2026-09-24", "", 1), market.ErrMalformed},
		{"TIME_SERIES_DAILY", "bars", strings.SplitAfter(barsBody, "\n")[0], market.ErrNoData},
		{"TIME_SERIES_DAILY", "bars", strings.ReplaceAll(barsBody, "2026", "twenty"), market.ErrMalformed},
		{"TIME_SERIES_DAILY", "bars", strings.ReplaceAll(barsBody, "-23,", "-24,"), market.ErrMalformed},
		{"TIME_SERIES_DAILY", "bars", "<html></html>", market.ErrMalformed},
		{"OVERVIEW", "profile", `{}`, market.ErrUnknownSymbol},
		{"OVERVIEW", "profile", strings.Replace(profileBody, "AAA", "BBB", 1), market.ErrMalformed},
	} {
		err := everyCall(t.Context(), sourceOf(functions{c.function: markettest.JSONResponse(c.body)}))[c.call]
		if !errors.Is(err, c.want) {
			t.Errorf("%s of %.60q = %v, want %v", c.call, c.body, err, c.want)
		}
	}
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	for _, bad := range markettest.BadResponses([]byte(profileBody)) {
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := sourceOf(functions{"OVERVIEW": bad.Response}).Profile(t.Context(), "AAA")
				if !errors.Is(err, bad.Want) {
					t.Errorf("Profile = %v, want %v", err, bad.Want)
				}
			})
		})
	}
}

func TestSource_WithoutAKeySaysHowToSetOne(t *testing.T) {
	for name, key := range map[string]func() string{"nil": nil, "empty": func() string { return "" }} {
		script := markettest.NewScript(nil)
		s := alphavantage.New(client.New(client.Options{Transport: script}), client.ProviderOptions{BaseURL: base, Key: key})
		for call, err := range everyCall(t.Context(), s) {
			if !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "nfa auth set alphavantage") {
				t.Errorf("%s key: %s = %v, want ErrNotConfigured that says how to set one", name, call, err)
			}
		}
		if n := len(script.Requests()); n != 0 {
			t.Errorf("%s key: asked %d times", name, n)
		}
	}
}

// The API accepts the key only in the URL, so no file may contain the URL with the key.
func TestSource_TheKeyIsOnNoDisk(t *testing.T) {
	dir := t.TempDir()
	s := alphavantage.New(client.New(client.Options{Transport: listed(), Dir: dir}), client.ProviderOptions{BaseURL: base, Key: func() string { return secret }})
	if _, err := s.Quote(t.Context(), "AAA"); err != nil {
		t.Fatal(err)
	}
	var files []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files = append(files, path)
		if strings.Contains(path+string(text), secret) {
			return fmt.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil || !slices.ContainsFunc(files, func(f string) bool { return strings.Contains(f, "http") }) {
		t.Errorf("files %v: %v; want the answer kept without the key", files, err)
	}
}

func FuzzSource(f *testing.F) {
	for _, seed := range []string{barsBody, quoteBody, dividendBody, splitBody, profileBody, limited, `{"Global Quote":{}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		a := markettest.JSONResponse(body)
		all := functions{"TIME_SERIES_DAILY": a, "GLOBAL_QUOTE": a, "OVERVIEW": a, "DIVIDENDS": a, "SPLITS": a}
		if series, err := sourceOf(all).Bars(t.Context(), "AAA", market.Range{}); err == nil {
			markettest.CheckBars(t, series.Bars)
		}
		all["TIME_SERIES_DAILY"] = markettest.JSONResponse(barsBody)
		if series, err := sourceOf(all).Bars(t.Context(), "AAA", market.Range{}); err == nil {
			_, _ = series.TotalReturn() // must not panic
		}
		for call, err := range everyCall(t.Context(), sourceOf(all)) {
			var from *market.SourceError
			if err != nil && !errors.As(err, &from) {
				t.Errorf("%s: error %v is no *market.SourceError", call, err)
			}
		}
	})
}
