package markettest

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// RunBarStore checks a store against the contract of market.BarStore. newStore returns an empty one.
func RunBarStore(t *testing.T, newStore func(t *testing.T) market.BarStore) {
	t.Helper()
	for name, promise := range map[string]func(*testing.T, func(*testing.T) market.BarStore){
		"bars are loaded unchanged":           storedBarsComeBack,
		"only the range is loaded":            loadReturnsTheRange,
		"unsaved bars are absent":             unsavedIsNotThere,
		"saving a part keeps earlier years":   savingAPartKeepsEarlierYears,
		"saving the series replaces it":       savingTheWholeReplaces,
		"part of a changed series is refused": changedPartIsRefused,
		"invalid bars are refused":            invalidBarsAreRefused,
	} {
		t.Run(name, func(t *testing.T) { promise(t, newStore) })
	}
}

var storedKey = market.BarKey{Source: "yahoo", Symbol: "VTI"}

func onDay(year, month, day int) market.Date {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

// StoredBars returns a series of n weekdays whose closes are a random walk in cents.
func StoredBars(first market.Date, n int) market.StoredBars {
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

// CompareExactly compares decimals by digits and exponent, so that 1.50 is not 1.5. Revisions may differ.
var CompareExactly = cmp.Options{
	cmp.Comparer(func(a, b decimal.Decimal) bool {
		return a.Exponent() == b.Exponent() && a.Coefficient().Cmp(b.Coefficient()) == 0
	}),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Revision" }, cmp.Ignore()),
}

func saveBars(t *testing.T, store market.BarStore, rec market.StoredBars, since market.Date) {
	t.Helper()
	if err := store.Save(t.Context(), storedKey, rec, since); err != nil {
		t.Fatalf("Save = %v", err)
	}
}

func loadBars(t *testing.T, store market.BarStore, r market.Range) market.StoredBars {
	t.Helper()
	rec, ok, err := store.Load(t.Context(), storedKey, r)
	if err != nil || !ok {
		t.Fatalf("Load = %v, %v", ok, err)
	}
	return rec
}

func storedBarsComeBack(t *testing.T, newStore func(*testing.T) market.BarStore) {
	odd := StoredBars(onDay(1969, 12, 29), 6)
	for i, text := range []string{"1.50", "1.5", "-0.000000000001", "123456789012345678901234567890.123", "0", "9223372036854775807"} {
		odd.Series.Bars[i].Close = decimal.RequireFromString(text)
	}
	odd.Series.Bars[1].Open, odd.Series.Bars[2].Volume = decimal.NullDecimal{}, decimal.NullDecimal{}
	odd.Series.Bars[3].High = decimal.NewNullDecimal(decimal.New(5, 7))
	odd.Series.Bars[4].Low = decimal.NewNullDecimal(decimal.New(-1<<63, -2))
	unknown, none := StoredBars(onDay(2020, 1, 1), 3), StoredBars(onDay(2020, 1, 1), 3)
	unknown.Series.Actions, none.Series.Actions = nil, []market.Action{}
	splits := StoredBars(onDay(2020, 1, 1), 3)
	splits.Series.DividendsUnknown = true
	whole := StoredBars(onDay(1980, 12, 12), 1000)
	whole.From, whole.FullFetchAt = market.Date{}, time.Date(2026, 10, 24, 12, 0, 0, 5, time.UTC)
	for name, rec := range map[string]market.StoredBars{
		"three years": StoredBars(onDay(2023, 6, 1), 700), "odd numbers": odd, "actions not known": unknown, "no actions": none, "splits alone": splits, "from the listing": whole,
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			saveBars(t, store, rec, market.Date{})
			if diff := cmp.Diff(rec, loadBars(t, store, market.Range{}), CompareExactly); diff != "" {
				t.Errorf("Load (-saved +loaded):\n%s", diff)
			}
		})
	}
}

func loadReturnsTheRange(t *testing.T, newStore func(*testing.T) market.BarStore) {
	store, rec := newStore(t), StoredBars(onDay(2020, 6, 1), 900)
	saveBars(t, store, rec, market.Date{})
	for _, r := range []market.Range{
		{From: onDay(2021, 3, 1), To: onDay(2022, 2, 1)}, {From: onDay(2023, 1, 1)}, {To: onDay(2020, 7, 1)}, {From: onDay(2030, 1, 1)}, {To: onDay(1990, 1, 1)},
	} {
		got := loadBars(t, store, r)
		want := rec.Series.Within(r).Bars
		if diff := cmp.Diff(want, got.Series.Bars, CompareExactly); diff != "" && len(want)+len(got.Series.Bars) > 0 {
			t.Errorf("%v (-want +got):\n%s", r, diff)
		}
		if !got.Last.Equal(rec.Last) || !got.Series.Provenance.AsOf.Equal(rec.Series.Provenance.AsOf) {
			t.Errorf("%v: last %v as of %v, want those of the whole series", r, got.Last, got.Series.Provenance.AsOf)
		}
	}
}

func unsavedIsNotThere(t *testing.T, newStore func(*testing.T) market.BarStore) {
	store := newStore(t)
	saveBars(t, store, StoredBars(onDay(2020, 6, 1), 5), market.Date{})
	for _, k := range []market.BarKey{{Source: "yahoo", Symbol: "VTV"}, {Source: "nasdaq", Symbol: "VTI"}} {
		if rec, ok, err := store.Load(t.Context(), k, market.Range{}); ok || err != nil {
			t.Errorf("Load(%v) = %v, %v, %v, want nothing", k, rec, ok, err)
		}
	}
}

func savingAPartKeepsEarlierYears(t *testing.T, newStore func(*testing.T) market.BarStore) {
	store, rec := newStore(t), StoredBars(onDay(2020, 6, 1), 900)
	saveBars(t, store, rec, market.Date{})
	kept := loadBars(t, store, market.Range{})
	grown := StoredBars(onDay(2020, 6, 1), 905)
	grown.Revision = kept.Revision
	// Earlier bars are not checked: a caller that saves from a date on has them all.
	grown.Series.Bars[0].Close = decimal.NewFromInt(1)
	saveBars(t, store, grown, onDay(2023, 10, 2))
	got := loadBars(t, store, market.Range{})
	grown.Series.Bars[0] = rec.Series.Bars[0]
	if diff := cmp.Diff(grown, got, CompareExactly); diff != "" {
		t.Errorf("Load (-want +got):\n%s", diff)
	}
}

func savingTheWholeReplaces(t *testing.T, newStore func(*testing.T) market.BarStore) {
	store := newStore(t)
	saveBars(t, store, StoredBars(onDay(2010, 1, 1), 900), market.Date{})
	rec := StoredBars(onDay(2020, 6, 1), 3)
	saveBars(t, store, rec, market.Date{})
	if diff := cmp.Diff(rec, loadBars(t, store, market.Range{}), CompareExactly); diff != "" {
		t.Errorf("Load (-want +got):\n%s", diff)
	}
}

func changedPartIsRefused(t *testing.T, newStore func(*testing.T) market.BarStore) {
	store := newStore(t)
	saveBars(t, store, StoredBars(onDay(2020, 6, 1), 300), market.Date{})
	mine, theirs := loadBars(t, store, market.Range{}), loadBars(t, store, market.Range{})
	saveBars(t, store, theirs, onDay(2021, 7, 1))
	if err := store.Save(t.Context(), storedKey, mine, onDay(2021, 7, 1)); !errors.Is(err, market.ErrBarsChanged) {
		t.Errorf("Save of a changed series = %v, want ErrBarsChanged", err)
	}
	saveBars(t, store, mine, market.Date{}) // replacing the whole series needs no revision
	if err := store.Save(t.Context(), market.BarKey{Source: "x", Symbol: "Y"}, mine, onDay(2021, 7, 1)); !errors.Is(err, market.ErrBarsChanged) {
		t.Errorf("Save of a part without saved bars = %v, want ErrBarsChanged", err)
	}
}

func invalidBarsAreRefused(t *testing.T, newStore func(*testing.T) market.BarStore) {
	store := newStore(t)
	for name, change := range map[string]func([]market.Bar){
		"an instant":                     func(b []market.Bar) { b[1].Date = b[1].Date.Add(time.Hour) },
		"twice":                          func(b []market.Bar) { b[1].Date = b[0].Date },
		"backwards":                      func(b []market.Bar) { b[0], b[1] = b[1], b[0] },
		"twice on the first day of 1970": func(b []market.Bar) { b[0].Date, b[1].Date = onDay(1970, 1, 1), onDay(1970, 1, 1) },
		"absurd":                         func(b []market.Bar) { b[1].Close = decimal.New(1, 1<<20) },
	} {
		rec := StoredBars(onDay(2020, 6, 1), 3)
		change(rec.Series.Bars)
		if err := store.Save(t.Context(), storedKey, rec, market.Date{}); err == nil {
			t.Errorf("%s: Save = nil, want an error", name)
		}
		if _, ok, err := store.Load(t.Context(), storedKey, market.Range{}); ok || err != nil {
			t.Errorf("%s: Load finds bars (%v)", name, err)
		}
	}
}
