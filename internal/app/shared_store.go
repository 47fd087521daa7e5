package app

import (
	"context"
	"errors"
	"net/url"
	"sync"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/postgres"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/sqlstore"
	"github.com/nfa-cli/nfa/internal/usage"
)

// storeKeyName names the password of the shared store among the keys.
const storeKeyName = "store"

// SharedStore is the user's data in a PostgreSQL database that several people or computers share.
// It connects when it is first used, and is safe for concurrent use. A nil SharedStore can be
// closed.
type SharedStore struct {
	settings Settings
	log      zerolog.Logger

	mu     sync.Mutex
	opened *postgres.Store
}

// newSharedStore returns the store of the settings, or nil.
func newSharedStore(s Settings, log zerolog.Logger) *SharedStore {
	if s.Store == "" {
		return nil
	}
	return &SharedStore{settings: s, log: log}
}

// storeKey describes the password of the shared store, for nfa auth.
func (s Settings) storeKey() []catalog.Provider {
	if s.Store == "" {
		return nil
	}
	return []catalog.Provider{{Name: storeKeyName, Title: "Shared store", KeyVars: []string{"PGPASSWORD"}}}
}

// OtherOwner returns the owner of the open data in the shared store: a name, "all owners", or "" for the
// user.
func (s Settings) OtherOwner() string {
	address, err := url.Parse(s.Store)
	switch {
	case s.Store == "" || err != nil || s.Owner == address.User.Username():
		return ""
	case s.Owner == portfolio.AllOwners:
		return "all owners"
	}
	return s.Owner
}

// storedIn returns where the user's data is, for people.
func (s Settings) storedIn() string {
	if s.Store != "" {
		return "the shared store"
	}
	return humanize.ShortPath(s.Home)
}

// StoreTarget returns the address of a store, with the password that is saved for it.
func (s Settings) StoreTarget(ctx context.Context, address string, log zerolog.Logger) (postgres.Target, error) {
	password := s.Env("PGPASSWORD")
	if password == "" {
		saved, err := s.openKeys(log).Get(ctx, storeKeyName)
		if err != nil && !errors.Is(err, credential.ErrNotFound) {
			return postgres.Target{}, err
		}
		password = saved
	}
	t, err := postgres.ParseURL(address, password, s.StoreInsecure)
	if err != nil {
		return postgres.Target{}, usage.Errorf("%w", err)
	}
	return t, nil
}

var errNoSharedStore = errors.New("no shared store is set; run: nfa config set store postgres://NAME@HOST/DATABASE")

// Open connects, and returns the same handle on every call. A nil SharedStore returns an error.
func (s *SharedStore) Open(ctx context.Context) (*postgres.Store, error) {
	if s == nil {
		return nil, errNoSharedStore
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened != nil {
		return s.opened, nil
	}
	target, err := s.settings.StoreTarget(ctx, s.settings.Store, s.log)
	if err != nil {
		return nil, err
	}
	book := s.settings.Owner
	if s.viewsAll() {
		book = "" // always the user's own data, except for the portfolio
	}
	store, err := postgres.Open(ctx, target, postgres.Options{Book: book, Now: s.settings.Now})
	if err != nil {
		return nil, err
	}
	s.opened = store
	return store, nil
}

// Close closes the connections if there are any.
func (s *SharedStore) Close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened == nil {
		return nil
	}
	return s.opened.Close()
}

// viewsAll reports whether the portfolios of all owners are shown together.
func (s *SharedStore) viewsAll() bool { return s != nil && s.settings.Owner == portfolio.AllOwners }

// combinedLedger returns the ledgers of all owners as one.
func (s *SharedStore) combinedLedger(ctx context.Context) (portfolio.Ledger, error) {
	store, err := s.Open(ctx)
	if err != nil {
		return portfolio.Ledger{}, err
	}
	all, err := store.Ledgers(ctx)
	if err != nil {
		return portfolio.Ledger{}, err
	}
	return portfolio.Combine(all)
}

// errViewsAll rejects changes while the data of all owners is shown.
var errViewsAll = errors.New("with --owner all, data can be viewed but not changed; choose one owner with --owner NAME")

// Portfolio returns the portfolio in the shared store.
func (s *SharedStore) Portfolio(ctx context.Context) (sqlstore.Portfolio, error) {
	store, err := s.Open(ctx)
	if err != nil {
		return sqlstore.Portfolio{}, err
	}
	return store.Portfolio(), nil
}

// Sessions returns the sessions in the shared store.
func (s *SharedStore) Sessions(ctx context.Context) (session.Store, error) {
	store, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	return store.Sessions(), nil
}

// Alerts returns the alerts in the shared store.
func (s *SharedStore) Alerts(ctx context.Context) (alert.Store, error) {
	store, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	return store.Alerts(), nil
}

// Bars returns the price history of the user in the shared store, with that of the others if the setting
// shared_bars allows it.
func (s *SharedStore) Bars(ctx context.Context) (market.BarStore, error) {
	store, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	return store.Bars(s.settings.SharedBars), nil
}

// Skills returns the skills in the shared store.
func (s *SharedStore) Skills() skill.Store { return sharedSkills{s} }

type sharedSkills struct{ shared *SharedStore }

func (s sharedSkills) All(ctx context.Context) ([]skill.StoredSkill, error) {
	store, err := s.shared.Open(ctx)
	if err != nil {
		return nil, err
	}
	return store.Skills().All(ctx)
}

func (s sharedSkills) Swap(ctx context.Context, remove, add []skill.StoredSkill) error {
	store, err := s.shared.Open(ctx)
	if err != nil {
		return err
	}
	return store.Skills().Swap(ctx, remove, add)
}

// Acquire makes this process the writer of a session.
func (s *SharedStore) Acquire(ctx context.Context, id string) (release func(), err error) {
	store, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	return store.Locks().Acquire(ctx, id)
}

// Locked returns the sessions being written.
func (s *SharedStore) Locked(ctx context.Context) (map[string]bool, error) {
	store, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	return store.Locks().Locked(ctx)
}
