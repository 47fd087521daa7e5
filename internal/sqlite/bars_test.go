package sqlite_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
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

func TestBars_Contract(t *testing.T) {
	markettest.RunBarStore(t, func(t *testing.T) market.BarStore { return openBars(t, barsPath(t)) })
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
	save(t, store, markettest.StoredBars(on(2020, 6, 1), 3), market.Date{})
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
	store, rec := openBars(t, path), markettest.StoredBars(on(2020, 6, 1), 300)
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
	store, rec := openBars(t, path), markettest.StoredBars(on(2016, 1, 1), decades/4)
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
	if err := store.Close(); err != nil { // closing moves the log into the file
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > maxBytes+maxBytes/4 {
		t.Errorf("the file has %d bytes (%v), want about %d", info.Size(), err, maxBytes)
	}
}

func TestBars_ASeriesThatIsLargerThanTheLimitIsKeptAlone(t *testing.T) {
	store, rec := openBars(t, barsPath(t)), markettest.StoredBars(on(2020, 6, 1), 300)
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
			store, rec := openBars(b, barsPath(b)), markettest.StoredBars(on(1986, 1, 1), years*252)
			b.ReportAllocs()
			for b.Loop() {
				save(b, store, rec, market.Date{})
			}
			b.ReportMetric(float64(b.N*len(rec.Series.Bars))/b.Elapsed().Seconds(), "bars/s")
		})
	}
}

func BenchmarkBars_Load(b *testing.B) {
	for _, years := range []int{1, 10, 20, 40} {
		b.Run(fmt.Sprintf("years=%d", years), func(b *testing.B) {
			store, rec := openBars(b, barsPath(b)), markettest.StoredBars(on(1986, 1, 1), decades)
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
