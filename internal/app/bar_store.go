package app

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// BarStore keeps price history in a file, or in the shared store if the setting store is set. It opens on
// first use, because most commands read no prices. Reading creates no file. It is safe for concurrent use.
type BarStore struct {
	path   string
	now    func() time.Time
	notice func(string)
	shared *SharedStore // nil without the setting store

	once   sync.Once
	opened market.BarStore
	file   *sqlite.Bars // nil if it is not open
	err    error        // of opening
}

var _ market.BarStore = (*BarStore)(nil)

// NewBarStore returns the store in the file at path without opening it. notice is called if the
// file is damaged.
func NewBarStore(path string, now func() time.Time, notice func(string)) *BarStore {
	return &BarStore{path: path, now: now, notice: notice}
}

func (b *BarStore) open(ctx context.Context) (market.BarStore, error) {
	b.once.Do(func() {
		ctx := context.WithoutCancel(ctx)
		if b.shared != nil {
			b.opened, b.err = b.shared.Bars(ctx)
			return
		}
		b.file, b.err = sqlite.OpenBars(ctx, b.path, sqlite.Options{Now: b.now, Notice: b.notice})
		b.opened = b.file
	})
	return b.opened, b.err
}

// Load implements market.BarStore.
func (b *BarStore) Load(ctx context.Context, k market.BarKey, r market.Range) (market.StoredBars, bool, error) {
	if _, err := os.Lstat(b.path); b.shared == nil && os.IsNotExist(err) {
		return market.StoredBars{}, false, nil
	}
	bars, err := b.open(ctx)
	if err != nil {
		return market.StoredBars{}, false, err
	}
	return bars.Load(ctx, k, r)
}

// Save implements market.BarStore.
func (b *BarStore) Save(ctx context.Context, k market.BarKey, rec market.StoredBars, since market.Date) error {
	bars, err := b.open(ctx)
	if err != nil {
		return err
	}
	return bars.Save(ctx, k, rec, since)
}

// Close closes the file if it was opened.
func (b *BarStore) Close() error {
	if b.file == nil {
		return nil
	}
	return b.file.Close()
}
