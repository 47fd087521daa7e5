package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Bars stores price history. A series has one row for everything except its bars, and one row per year for
// the bars.
type Bars struct {
	engine Engine
	// evict deletes series other than that of keep if there is no space left; nil never deletes.
	evict func(ctx context.Context, tx Tx, keep market.BarKey) error
}

var _ market.BarStore = Bars{}

// NewBars returns the price history that an engine holds.
func NewBars(e Engine, evict func(ctx context.Context, tx Tx, keep market.BarKey) error) Bars {
	return Bars{e, evict}
}

// seriesHeader is a record without its bars.
type seriesHeader struct {
	Instrument market.Instrument `json:"instrument"`
	Interval   market.Interval   `json:"interval"`
	// Actions distinguishes null (unknown) from an empty list.
	Actions          []market.Action   `json:"actions"`
	DividendsUnknown bool              `json:"dividends_unknown,omitempty"`
	Provenance       market.Provenance `json:"provenance"`
	From             market.Date       `json:"from"`
	Last             market.Date       `json:"last"`
	Whole            time.Time         `json:"whole,omitzero"`
}

// Load reads only the years in r.
func (b Bars) Load(ctx context.Context, k market.BarKey, r market.Range) (_ market.StoredBars, ok bool, err error) {
	first, last := 0, math.MaxInt32
	if !r.From.IsZero() {
		first = r.From.Year()
	}
	if !r.To.IsZero() {
		last = r.To.Year()
	}
	var rec market.StoredBars
	err = b.engine.Read(ctx, func(tx Tx) error {
		return forRows(ctx, tx, func(rows *sql.Rows) error {
			known := ok
			ok = true
			return scanYear(rows, &rec, !known)
		}, `SELECT s.revision, s.cover, b.year, b.bars
			FROM series s LEFT JOIN bars b ON b.source = s.source AND b.symbol = s.symbol AND b.year BETWEEN ? AND ?
			WHERE s.source = ? AND s.symbol = ? ORDER BY b.year`, first, last, k.Source, string(k.Symbol))
	})
	if err != nil {
		return market.StoredBars{}, false, fmt.Errorf("load bars of %s: %w", k.Symbol, err)
	}
	provenance := rec.Series.Provenance
	rec.Series = rec.Series.Within(r)
	rec.Series.Provenance = provenance
	return rec, ok, nil
}

func scanYear(rows *sql.Rows, rec *market.StoredBars, first bool) error {
	var header, packed sql.RawBytes // valid until the next row
	var barYear sql.NullInt64
	if err := rows.Scan(&rec.Revision, &header, &barYear, &packed); err != nil {
		return err
	}
	if first {
		var c seriesHeader
		if err := json.Unmarshal(header, &c); err != nil {
			return fmt.Errorf("parse header: %w", err)
		}
		rec.From, rec.Last, rec.FullFetchAt = c.From, c.Last, c.Whole
		rec.Series = market.Series{
			Instrument: c.Instrument, Interval: c.Interval, Actions: c.Actions, DividendsUnknown: c.DividendsUnknown, Provenance: c.Provenance,
		}
	}
	if !barYear.Valid {
		return nil
	}
	bars, err := unpackBars(rec.Series.Bars, packed)
	if err != nil {
		return fmt.Errorf("parse bars of %d: %w", barYear.Int64, err)
	}
	rec.Series.Bars = bars
	return nil
}

// Save writes the years from the year of since on.
func (b Bars) Save(ctx context.Context, k market.BarKey, rec market.StoredBars, since market.Date) error {
	err := b.engine.Write(ctx, func(tx Tx) error {
		if err := saveHeader(ctx, tx, k, rec, since); err != nil {
			return err
		}
		if err := saveYears(ctx, tx, k, rec.Series.Bars, since); err != nil {
			return err
		}
		if b.evict == nil {
			return nil
		}
		return b.evict(ctx, tx, k)
	})
	if err != nil {
		return fmt.Errorf("save bars of %s: %w", k.Symbol, err)
	}
	return nil
}

func saveHeader(ctx context.Context, tx Tx, k market.BarKey, rec market.StoredBars, since market.Date) error {
	header, err := json.Marshal(seriesHeader{
		Instrument: rec.Series.Instrument, Interval: rec.Series.Interval, Actions: rec.Series.Actions,
		DividendsUnknown: rec.Series.DividendsUnknown, Provenance: rec.Series.Provenance, From: rec.From, Last: rec.Last, Whole: rec.FullFetchAt,
	})
	if err != nil {
		return err
	}
	if !since.IsZero() {
		var revision int64
		err := tx.QueryRowContext(ctx, "SELECT revision FROM series WHERE source = ? AND symbol = ?", k.Source, string(k.Symbol)).Scan(&revision)
		if errors.Is(err, sql.ErrNoRows) || err == nil && revision != rec.Revision {
			return market.ErrBarsChanged
		}
		if err != nil {
			return err
		}
	}
	// Use a random number instead of a counter, so that a series that was deleted and saved again
	// is not mistaken for the old one.
	return updateOrInsert(ctx, tx, "series", []string{"revision", "cover"}, []any{rand.Int64(), string(header)}, []string{"source", "symbol"}, []any{k.Source, string(k.Symbol)})
}

func saveYears(ctx context.Context, tx Tx, k market.BarKey, bars []market.Bar, since market.Date) error {
	first := 0
	if !since.IsZero() {
		first = since.Year()
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM bars WHERE source = ? AND symbol = ? AND year >= ?", k.Source, string(k.Symbol), first)
	if err != nil {
		return err
	}
	packer, err := newBarPacker()
	if err != nil {
		return err
	}
	for len(bars) > 0 {
		barYear, n := bars[0].Date.Year(), 1
		for n < len(bars) && bars[n].Date.Year() == barYear {
			n++
		}
		if barYear >= first {
			packed, err := packer.pack(bars[:n])
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO bars (source, symbol, year, bars) VALUES (?, ?, ?, ?)", k.Source, string(k.Symbol), barYear, packed); err != nil {
				return err
			}
		}
		bars = bars[n:]
	}
	return nil
}
