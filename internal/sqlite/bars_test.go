package sqlite_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

var vti = market.BarKey{Source: "yahoo", Symbol: "VTI"}

func openBars(t testing.TB, path string) *sqlite.Bars {
	t.Helper()
	store, err := sqlite.OpenBars(t.Context(), path, sqlite.Options{Notice: func(s string) { t.Errorf("unexpected notice: %s", s) }})
	if err != nil {
		t.Fatalf("OpenBars(%s) = %v", path, err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func barsPath(t testing.TB) string { return filepath.Join(t.TempDir(), "cache", "bars.db") }

func on(year, month, day int) market.Date {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

// walk is a series of n weekdays of a random walk in cents, as sources have them.
func walk(first market.Date, n int) market.StoredBars {
	random := rand.New(rand.NewPCG(1, 2))
	s := market.Series{
		Instrument: market.Instrument{Symbol: "VTI", Name: "Total Market", Kind: "fund", Listing: market.Listing{MIC: "ARCX"}},
		Interval:   market.Daily,
		Actions:    []market.Action{{Kind: market.ActionDividend, Date: first, Amount: decimal.RequireFromString("0.807")}},
		Provenance: market.Provenance{
			Source: "yahoo", Endpoint: "v8 chart", AsOf: first, FetchedAt: first.Add(21*time.Hour + 123*time.Nanosecond), Currency: "USD", Unit: "price",
			Adjustment: market.AdjustmentSplit, Flags: []market.Flag{market.FlagProvisional}, Note: "a note",
		},
	}
	cents := int64(20000)
	for d := first; len(s.Bars) < n; d = d.AddDate(0, 0, 1) {
		if d.Weekday() == time.Saturday || d.Weekday() == time.Sunday {
			continue
		}
		cents = max(100, cents+random.Int64N(401)-200)
		price := func(by int64) decimal.NullDecimal { return decimal.NewNullDecimal(decimal.New(cents+by, -2)) }
		s.Bars = append(s.Bars, market.Bar{
			Date: d, Open: price(random.Int64N(100) - 50), High: price(75), Low: price(-75), Close: price(0).Decimal,
			Volume: decimal.NewNullDecimal(decimal.NewFromInt(3_000_000 + random.Int64N(2_000_000))),
		})
	}
	return market.StoredBars{Series: s, From: first, Last: s.Bars[n-1].Date}
}

func save(t testing.TB, store market.BarStore, rec market.StoredBars, since market.Date) {
	t.Helper()
	if err := store.Save(t.Context(), vti, rec, since); err != nil {
		t.Fatalf("Save = %v", err)
	}
}

func load(t testing.TB, store market.BarStore, r market.Range) market.StoredBars {
	t.Helper()
	rec, ok, err := store.Load(t.Context(), vti, r)
	if err != nil || !ok {
		t.Fatalf("Load = %v, %v", ok, err)
	}
	return rec
}

// compareExactly compares decimals by digits and exponent: 1.50 is not 1.5 here.
var compareExactly = cmp.Options{
	cmp.Comparer(func(a, b decimal.Decimal) bool {
		return a.Exponent() == b.Exponent() && a.Coefficient().Cmp(b.Coefficient()) == 0
	}),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Revision" }, cmp.Ignore()),
}

func TestBars_ComeBackAsTheyWere(t *testing.T) {
	odd := walk(on(1969, 12, 29), 6)
	for i, text := range []string{"1.50", "1.5", "-0.000000000001", "123456789012345678901234567890.123", "0", "9223372036854775807"} {
		odd.Series.Bars[i].Close = decimal.RequireFromString(text)
	}
	odd.Series.Bars[1].Open, odd.Series.Bars[2].Volume = decimal.NullDecimal{}, decimal.NullDecimal{}
	odd.Series.Bars[3].High = decimal.NewNullDecimal(decimal.New(5, 7))
	odd.Series.Bars[4].Low = decimal.NewNullDecimal(decimal.New(-1<<63, -2))
	unknown, none := walk(on(2020, 1, 1), 3), walk(on(2020, 1, 1), 3)
	unknown.Series.Actions, none.Series.Actions = nil, []market.Action{}
	splits := walk(on(2020, 1, 1), 3)
	splits.Series.DividendsUnknown = true
	whole := walk(on(1980, 12, 12), 1000)
	whole.From, whole.FullFetchAt = market.Date{}, time.Date(2026, 10, 24, 12, 0, 0, 5, time.UTC)
	for name, rec := range map[string]market.StoredBars{
		"three years": walk(on(2023, 6, 1), 700), "odd numbers": odd, "actions not known": unknown, "no actions": none, "splits alone": splits, "from the listing": whole,
	} {
		t.Run(name, func(t *testing.T) {
			store := openBars(t, barsPath(t))
			save(t, store, rec, market.Date{})
			if diff := cmp.Diff(rec, load(t, store, market.Range{}), compareExactly); diff != "" {
				t.Errorf("Load (-saved +loaded):\n%s", diff)
			}
		})
	}
}

func TestBars_LoadGivesTheRangeAlone(t *testing.T) {
	store, rec := openBars(t, barsPath(t)), walk(on(2020, 6, 1), 900)
	save(t, store, rec, market.Date{})
	for _, r := range []market.Range{
		{From: on(2021, 3, 1), To: on(2022, 2, 1)}, {From: on(2023, 1, 1)}, {To: on(2020, 7, 1)}, {From: on(2030, 1, 1)}, {To: on(1990, 1, 1)},
	} {
		got := load(t, store, r)
		want := rec.Series.Within(r).Bars
		if diff := cmp.Diff(want, got.Series.Bars, compareExactly); diff != "" && len(want)+len(got.Series.Bars) > 0 {
			t.Errorf("%v (-want +got):\n%s", r, diff)
		}
		if !got.Last.Equal(rec.Last) || !got.Series.Provenance.AsOf.Equal(rec.Series.Provenance.AsOf) {
			t.Errorf("%v: last %v as of %v, want those of the whole", r, got.Last, got.Series.Provenance.AsOf)
		}
	}
}

func TestBars_WhatIsNotKeptIsNotThere(t *testing.T) {
	store := openBars(t, barsPath(t))
	save(t, store, walk(on(2020, 6, 1), 5), market.Date{})
	for _, k := range []market.BarKey{{Source: "yahoo", Symbol: "VTV"}, {Source: "nasdaq", Symbol: "VTI"}} {
		if rec, ok, err := store.Load(t.Context(), k, market.Range{}); ok || err != nil {
			t.Errorf("Load(%v) = %v, %v, %v, want nothing", k, rec, ok, err)
		}
	}
}

func TestBars_SavingAPartLeavesEarlierYearsAlone(t *testing.T) {
	store, rec := openBars(t, barsPath(t)), walk(on(2020, 6, 1), 900)
	save(t, store, rec, market.Date{})
	kept := load(t, store, market.Range{})
	grown := walk(on(2020, 6, 1), 905)
	grown.Revision = kept.Revision
	// Bars before the year are not looked at: a caller has them all.
	grown.Series.Bars[0].Close = decimal.NewFromInt(1)
	save(t, store, grown, on(2023, 10, 2))
	got := load(t, store, market.Range{})
	grown.Series.Bars[0] = rec.Series.Bars[0]
	if diff := cmp.Diff(grown, got, compareExactly); diff != "" {
		t.Errorf("Load (-want +got):\n%s", diff)
	}
}

func TestBars_SavingAWholeForgetsTheOldOne(t *testing.T) {
	store := openBars(t, barsPath(t))
	save(t, store, walk(on(2010, 1, 1), 900), market.Date{})
	rec := walk(on(2020, 6, 1), 3)
	save(t, store, rec, market.Date{})
	if diff := cmp.Diff(rec, load(t, store, market.Range{}), compareExactly); diff != "" {
		t.Errorf("Load (-want +got):\n%s", diff)
	}
}

func TestBars_OfTwoProcessesTheSecondPartIsRefused(t *testing.T) {
	path := barsPath(t)
	one, other := openBars(t, path), openBars(t, path)
	save(t, one, walk(on(2020, 6, 1), 300), market.Date{})
	mine, theirs := load(t, one, market.Range{}), load(t, other, market.Range{})
	save(t, other, theirs, on(2021, 7, 1))
	if err := one.Save(t.Context(), vti, mine, on(2021, 7, 1)); !errors.Is(err, market.ErrBarsChanged) {
		t.Errorf("Save of what has changed = %v, want ErrChanged", err)
	}
	save(t, one, mine, market.Date{}) // a whole asks nobody
	if err := one.Save(t.Context(), market.BarKey{Source: "x", Symbol: "Y"}, mine, on(2021, 7, 1)); !errors.Is(err, market.ErrBarsChanged) {
		t.Errorf("Save of a part of nothing = %v, want ErrChanged", err)
	}
}

func TestBars_ThatAreNoMidnightsAreNotKept(t *testing.T) {
	store := openBars(t, barsPath(t))
	for name, change := range map[string]func([]market.Bar){
		"an instant":                     func(b []market.Bar) { b[1].Date = b[1].Date.Add(time.Hour) },
		"twice":                          func(b []market.Bar) { b[1].Date = b[0].Date },
		"backwards":                      func(b []market.Bar) { b[0], b[1] = b[1], b[0] },
		"twice on the first day of 1970": func(b []market.Bar) { b[0].Date, b[1].Date = on(1970, 1, 1), on(1970, 1, 1) },
		"absurd":                         func(b []market.Bar) { b[1].Close = decimal.New(1, 1<<20) },
	} {
		rec := walk(on(2020, 6, 1), 3)
		change(rec.Series.Bars)
		if err := store.Save(t.Context(), vti, rec, market.Date{}); err == nil {
			t.Errorf("%s: Save = nil, want an error", name)
		}
		if _, ok, err := store.Load(t.Context(), vti, market.Range{}); ok || err != nil {
			t.Errorf("%s: something is kept (%v)", name, err)
		}
	}
}

func TestOpenBars_ADamagedFileIsSetAside(t *testing.T) {
	path := barsPath(t)
	openBars(t, path).Close()
	alter(t, path, func(b []byte) []byte { return bytes.Repeat([]byte("x"), len(b)) })
	var notices []string
	store, err := sqlite.OpenBars(t.Context(), path, sqlite.Options{Notice: func(s string) { notices = append(notices, s) }})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	save(t, store, walk(on(2020, 6, 1), 3), market.Date{})
	if len(notices) != 1 || !strings.HasPrefix(notices[0], "saved prices in ") {
		t.Errorf("notices: %q", notices)
	}
}

func TestOpenBars_IsNotTheFileOfSessions(t *testing.T) {
	path := newFilledStore(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if store, err := sqlite.OpenBars(t.Context(), path, sqlite.Options{}); err == nil {
		store.Close()
		aside, _ := filepath.Glob(path + ".damaged-*")
		if len(aside) != 1 {
			t.Fatalf("opened sessions as bars, and set aside %v", aside)
		}
		path = aside[0]
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the sessions have changed (%v)", err)
	}
}

func TestBars_ADamagedYearIsAnErrorUntilItIsReplaced(t *testing.T) {
	path := barsPath(t)
	store, rec := openBars(t, path), walk(on(2020, 6, 1), 300)
	save(t, store, rec, market.Date{})
	for name, change := range map[string]string{
		"another version": "x'09' || substr(bars, 2)", "cut short": "substr(bars, 1, length(bars) / 2)", "empty": "x''",
		"another checksum": "substr(bars, 1, 1) || x'00000000' || substr(bars, 6)",
	} {
		execute(t, path, "UPDATE bars SET bars = CAST("+change+" AS BLOB) WHERE year = 2021")
		if _, _, err := store.Load(t.Context(), vti, market.Range{}); err == nil || !strings.Contains(err.Error(), "parse bars of 2021") {
			t.Errorf("%s: Load = %v, want an error that names the year", name, err)
		}
		save(t, store, rec, market.Date{})
		load(t, store, market.Range{})
	}
}

func TestOpenBars_ADiskThatTakesNothingIsAnError(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if store, err := sqlite.OpenBars(t.Context(), filepath.Join(blocked, "bars.db"), sqlite.Options{}); err == nil {
		store.Close()
		t.Error("OpenBars below a file = nil, want an error")
	}
}

func TestBars_TheFileStaysWithinItsLimitAndForgetsTheOldest(t *testing.T) {
	path := barsPath(t)
	store, rec := openBars(t, path), walk(on(2016, 1, 1), decades/4)
	const maxBytes = 600 << 10
	store.SetMaxBytes(maxBytes)
	zones := []*time.Location{time.UTC, time.FixedZone("east", 9*3600), time.FixedZone("west", -5*3600)}
	const series = 60
	for i := range series {
		rec.Series.Provenance.FetchedAt = on(2026, 1, 1).Add(time.Duration(i) * time.Hour).In(zones[i%len(zones)])
		if err := store.Save(t.Context(), market.BarKey{Source: "yahoo", Symbol: market.Symbol(fmt.Sprint("S", i))}, rec, market.Date{}); err != nil {
			t.Fatal(err)
		}
	}
	kept, first := 0, -1
	for i := range series {
		_, ok, err := store.Load(t.Context(), market.BarKey{Source: "yahoo", Symbol: market.Symbol(fmt.Sprint("S", i))}, market.Range{From: rec.Last})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case ok && first < 0:
			first = i
			fallthrough
		case ok:
			kept++
		}
	}
	if kept < 5 || first+kept != series {
		t.Errorf("kept %d of %d series, the first is %d; want the newest of them", kept, series, first)
	}
	if err := store.Close(); err != nil { // which empties the log into the file
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > maxBytes+maxBytes/4 {
		t.Errorf("the file has %d bytes (%v), want about %d", info.Size(), err, maxBytes)
	}
}

func TestBars_ASeriesThatIsLargerThanTheLimitIsKeptAlone(t *testing.T) {
	store, rec := openBars(t, barsPath(t)), walk(on(2020, 6, 1), 300)
	store.SetMaxBytes(1)
	for _, sym := range []market.Symbol{"A", "B"} {
		if err := store.Save(t.Context(), market.BarKey{Source: "yahoo", Symbol: sym}, rec, market.Date{}); err != nil {
			t.Fatal(err)
		}
	}
	for sym, want := range map[market.Symbol]bool{"A": false, "B": true} {
		if _, ok, err := store.Load(t.Context(), market.BarKey{Source: "yahoo", Symbol: sym}, market.Range{}); ok != want || err != nil {
			t.Errorf("%s kept: %v, %v; want %v", sym, ok, err, want)
		}
	}
}

const decades = 40 * 252

func BenchmarkBars_Save(b *testing.B) {
	for _, years := range []int{10, 20, 40} {
		b.Run(fmt.Sprintf("years=%d", years), func(b *testing.B) {
			store, rec := openBars(b, barsPath(b)), walk(on(1986, 1, 1), years*252)
			b.ReportAllocs()
			for b.Loop() {
				save(b, store, rec, market.Date{})
			}
			b.ReportMetric(float64(b.N*len(rec.Series.Bars))/b.Elapsed().Seconds(), "bars/s")
			b.ReportMetric(bytesPerBar(b, rec), "B/bar")
		})
	}
}

// bytesPerBar returns the size of a bar in the file, packed by year.
func bytesPerBar(b *testing.B, rec market.StoredBars) float64 {
	b.Helper()
	size := 0
	for y := rec.Series.Bars[0].Date.Year(); y <= rec.Last.Year(); y++ {
		packed, err := sqlite.PackBars(rec.Series.Within(market.Range{From: on(y, 1, 1), To: on(y, 12, 31)}).Bars)
		if err != nil {
			b.Fatal(err)
		}
		size += len(packed)
	}
	return float64(size) / float64(len(rec.Series.Bars))
}

func BenchmarkBars_Load(b *testing.B) {
	for _, years := range []int{1, 10, 20, 40} {
		b.Run(fmt.Sprintf("years=%d", years), func(b *testing.B) {
			store, rec := openBars(b, barsPath(b)), walk(on(1986, 1, 1), decades)
			save(b, store, rec, market.Date{})
			r := market.Range{From: rec.Last.AddDate(-years, 0, 1)}
			n := len(load(b, store, r).Series.Bars)
			b.ReportAllocs()
			for b.Loop() {
				load(b, store, r)
			}
			b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds(), "bars/s")
		})
	}
}
