package sqlite

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
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// Bars is an open store of price history. It is safe for concurrent use, also by several processes.
type Bars struct {
	*DB
	maxBytes int64 // maximum size of the file
}

// maxBarsBytes limits the size of the file: some five thousand symbols of forty years, which is
// enough for years of questions and fits on any disk.
const maxBarsBytes = 512 << 20

var _ market.BarStore = (*Bars)(nil)

// OpenBars opens the price history at path, like Open. It is a separate file, because prices can be
// fetched again and may be deleted.
func OpenBars(ctx context.Context, path string, opts Options) (*Bars, error) {
	db, err := openAs(ctx, path, opts, barsLayout())
	if err != nil {
		return nil, err
	}
	return &Bars{DB: db, maxBytes: maxBarsBytes}, nil
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
func (b *Bars) Load(ctx context.Context, k market.BarKey, r market.Range) (_ market.StoredBars, ok bool, err error) {
	defer b.explainError(&err)
	first, last := 0, math.MaxInt32
	if !r.From.IsZero() {
		first = r.From.Year()
	}
	if !r.To.IsZero() {
		last = r.To.Year()
	}
	var rec market.StoredBars
	// Use one statement, so that another process cannot save in between.
	err = forRows(ctx, b.db, func(rows *sql.Rows) error {
		known := ok
		ok = true
		return scanYear(rows, &rec, !known)
	}, `SELECT s.revision, s.cover, b.year, b.bars
		FROM series s LEFT JOIN bars b ON b.source = s.source AND b.symbol = s.symbol AND b.year BETWEEN ? AND ?
		WHERE s.source = ? AND s.symbol = ? ORDER BY b.year`, first, last, k.Source, string(k.Symbol))
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

// Save writes the years from that of since.
func (b *Bars) Save(ctx context.Context, k market.BarKey, rec market.StoredBars, since market.Date) (err error) {
	defer b.explainError(&err)
	err = b.inTransaction(ctx, func(tx sqlstore.Tx) error {
		if err := saveHeader(ctx, tx, k, rec, since); err != nil {
			return err
		}
		if err := saveYears(ctx, tx, k, rec.Series.Bars, since); err != nil {
			return err
		}
		return evictOldSeries(ctx, tx, k, b.maxBytes)
	})
	if err != nil {
		return fmt.Errorf("save bars of %s: %w", k.Symbol, err)
	}
	return nil
}

func saveHeader(ctx context.Context, tx sqlstore.Tx, k market.BarKey, rec market.StoredBars, since market.Date) error {
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
	_, err = tx.ExecContext(ctx, `INSERT INTO series (source, symbol, revision, cover) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET revision = excluded.revision, cover = excluded.cover`,
		k.Source, string(k.Symbol), rand.Int64(), string(header))
	return err
}

func saveYears(ctx context.Context, tx sqlstore.Tx, k market.BarKey, bars []market.Bar, since market.Date) error {
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

// evictOldSeries deletes the least recently fetched series, a tenth at a time, while the file is
// larger than maxBytes, until it is at nine tenths of that. The series of k is kept. SQLite reuses
// the pages.
func evictOldSeries(ctx context.Context, tx sqlstore.Tx, k market.BarKey, maxBytes int64) error {
	for limit := maxBytes; ; limit = maxBytes - maxBytes/10 {
		var used int64
		err := tx.QueryRowContext(ctx, `SELECT (p.page_count - f.freelist_count) * s.page_size
			FROM pragma_page_count p, pragma_freelist_count f, pragma_page_size s`).Scan(&used)
		if err != nil || used <= limit {
			return err
		}
		deleted, err := tx.ExecContext(ctx, `DELETE FROM series WHERE (source, symbol) IN (
			SELECT source, symbol FROM series WHERE (source, symbol) <> (?, ?)
			ORDER BY julianday(cover ->> '$.provenance.fetched_at') LIMIT (SELECT count(*) / 10 + 1 FROM series))`, k.Source, string(k.Symbol))
		if err != nil {
			return err
		}
		if n, err := deleted.RowsAffected(); err != nil || n == 0 {
			return err
		}
	}
}
