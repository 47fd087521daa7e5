package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
)

// portfolioRecords is what a portfolio store holds.
type portfolioRecords interface {
	portfolio.Store
	investor.ProfileStore
	investor.JournalStore
	Mappings(ctx context.Context) ([]string, error)
	Mapping(ctx context.Context, name string) (doc json.RawMessage, ok bool, err error)
	SaveMapping(ctx context.Context, name string, doc json.RawMessage) error
}

// userData is everything that can be copied from one store to another.
type userData struct {
	portfolio portfolioRecords
	sessions  func(context.Context) (session.Store, error)
	skills    skill.Store
	alerts    func(context.Context) (alert.Store, error)
}

// CopiedPart is a part of the user's data that was copied.
type CopiedPart struct {
	Name     string `json:"name"`
	Count    int    `json:"count"`
	Checksum string `json:"checksum"` // SHA-256 of the part as JSON, the same in both stores
}

// CopyToShared copies the data folder to the shared store, or with back the other way. The target must
// be empty; the source is not changed. With dryRun it only counts.
func (a *App) CopyToShared(ctx context.Context, back, dryRun bool) ([]CopiedPart, error) {
	if a.Stores.Shared == nil {
		return nil, errors.New("no shared store is set; run: nfa config set store postgres://NAME@HOST/DATABASE")
	}
	local := NewPortfolioStore(a.Home, a.Now, func(string) {})
	defer local.Close()
	from := userData{local, func(ctx context.Context) (session.Store, error) {
		db, err := a.Stores.Database.Open(ctx)
		if err != nil {
			return nil, err
		}
		return db.Sessions(), nil
	}, a.Stores.Database.Skills(), func(ctx context.Context) (alert.Store, error) {
		db, err := a.Stores.Database.Open(ctx)
		if err != nil {
			return nil, err
		}
		return db.Alerts(), nil
	}}
	to := userData{a.Stores.Portfolio, a.Stores.Shared.Sessions, a.Stores.Shared.Skills(), a.Stores.Shared.Alerts}
	if back {
		from, to = to, from
	}
	source, err := from.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the source: %w", err)
	}
	parts, err := source.parts()
	if err != nil || dryRun {
		return parts, err
	}
	target, err := to.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the target: %w", err)
	}
	existing, err := target.parts()
	if err != nil {
		return nil, err
	}
	for _, p := range existing {
		if p.Count > 0 {
			return nil, fmt.Errorf("the target already has %d %s; copy into an empty store", p.Count, p.Name)
		}
	}
	if err := to.write(ctx, source); err != nil {
		return nil, fmt.Errorf("write the target: %w", err)
	}
	if target, err = to.read(ctx); err != nil {
		return nil, fmt.Errorf("read the target again: %w", err)
	}
	copied, err := target.parts()
	if err != nil {
		return nil, err
	}
	for i, p := range copied {
		if p != parts[i] {
			return nil, fmt.Errorf("the %s of the target differ from those of the source after copying; the source is unchanged", p.Name)
		}
	}
	return parts, nil
}

// userRecords is the content of a store.
type userRecords struct {
	ledger    portfolio.Ledger
	watches   []investor.WatchedSymbol
	decisions []investor.Decision
	profile   *investor.Profile
	mappings  map[string]json.RawMessage
	sessions  []savedSession
	skills    []skill.StoredSkill
	alerts    alertRecords
}

// alertRecords are the rules, and their state, so that no alert fires again.
type alertRecords struct {
	Rules  []alert.StoredRule
	States []alert.State
}

type savedSession struct {
	session.Session
	Entries []session.Entry
}

func (d userData) read(ctx context.Context) (r userRecords, err error) {
	if r.ledger, err = d.portfolio.Ledger(ctx); err != nil {
		return r, err
	}
	if r.watches, err = d.portfolio.Watches(ctx); err != nil {
		return r, err
	}
	if r.decisions, err = d.portfolio.Decisions(ctx); err != nil {
		return r, err
	}
	profile, ok, err := d.portfolio.Profile(ctx)
	if err != nil {
		return r, err
	}
	if ok {
		r.profile = &profile
	}
	names, err := d.portfolio.Mappings(ctx)
	if err != nil {
		return r, err
	}
	r.mappings = map[string]json.RawMessage{}
	for _, name := range names {
		if r.mappings[name], _, err = d.portfolio.Mapping(ctx, name); err != nil {
			return r, err
		}
	}
	store, err := d.sessions(ctx)
	if err != nil {
		return r, err
	}
	list, err := store.List(ctx, 0)
	if err != nil {
		return r, err
	}
	for _, s := range list {
		s, entries, err := store.Load(ctx, s.ID)
		if err != nil {
			return r, err
		}
		for i := range entries {
			entries[i].Seq = int64(i) // a copy has no gaps where parts of answers were replaced
		}
		r.sessions = append(r.sessions, savedSession{s, entries})
	}
	if r.skills, err = d.skills.All(ctx); err != nil {
		return r, err
	}
	alerts, err := d.alerts(ctx)
	if err != nil {
		return r, err
	}
	if r.alerts.Rules, err = alerts.Rules(ctx); err != nil {
		return r, err
	}
	r.alerts.States, err = alerts.States(ctx)
	return r, err
}

func (d userData) write(ctx context.Context, r userRecords) error {
	err := d.portfolio.Update(ctx, func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{
			Accounts: r.ledger.Accounts, Add: r.ledger.Transactions, Aliases: r.ledger.Aliases, Securities: r.ledger.Securities, Targets: r.ledger.Targets,
		}, nil
	})
	if err != nil {
		return err
	}
	for _, w := range r.watches {
		if err := d.portfolio.PutWatch(ctx, w); err != nil {
			return err
		}
	}
	for _, decision := range r.decisions {
		if err := d.portfolio.PutDecision(ctx, decision); err != nil {
			return err
		}
	}
	if r.profile != nil {
		if err := d.portfolio.SaveProfile(ctx, *r.profile); err != nil {
			return err
		}
	}
	for name, doc := range r.mappings {
		if err := d.portfolio.SaveMapping(ctx, name, doc); err != nil {
			return err
		}
	}
	store, err := d.sessions(ctx)
	if err != nil {
		return err
	}
	for _, s := range r.sessions {
		if err := store.Create(ctx, s.Session, s.Entries...); err != nil {
			return err
		}
	}
	if len(r.skills) > 0 {
		if err := d.skills.Swap(ctx, nil, r.skills); err != nil {
			return err
		}
	}
	alerts, err := d.alerts(ctx)
	if err != nil {
		return err
	}
	for _, rule := range r.alerts.Rules {
		if _, err := alerts.AddRule(ctx, rule); err != nil {
			return err
		}
	}
	_, err = alerts.Record(ctx, r.alerts.States, nil)
	return err
}

// parts counts the records and sums them up.
func (r userRecords) parts() ([]CopiedPart, error) {
	profiles := 0
	if r.profile != nil {
		profiles = 1
	}
	var parts []CopiedPart
	for _, p := range []struct {
		name  string
		count int
		value any
	}{
		{"accounts and transactions", len(r.ledger.Accounts) + len(r.ledger.Transactions), r.ledger},
		{"watched symbols", len(r.watches), r.watches},
		{"decisions", len(r.decisions), r.decisions},
		{"profiles", profiles, r.profile},
		{"column mappings", len(r.mappings), r.mappings},
		{"sessions", len(r.sessions), r.sessions},
		{"stored skills", len(r.skills), r.skills},
		{"alert rules", len(r.alerts.Rules), r.alerts},
	} {
		text, err := json.Marshal(p.value)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		parts = append(parts, CopiedPart{p.name, p.count, hex.EncodeToString(sum[:])})
	}
	return parts, nil
}
