package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
)

// CopiedPart is a part of the user's data that was copied.
type CopiedPart struct {
	Name     string `json:"name"`
	Count    int    `json:"count"`
	Checksum string `json:"checksum"` // SHA-256 of the part as JSON, the same in both stores
}

// CopyToShared copies the data folder to the shared store, or with back from there to the data folder. The
// target must be empty; the source is not changed. With dryRun it only counts.
func (a *App) CopyToShared(ctx context.Context, back, dryRun bool) ([]CopiedPart, error) {
	if a.Stores.Shared == nil {
		return nil, errNoSharedStore
	}
	local := &Stores{Database: a.Stores.Database, Portfolio: NewPortfolioStore(a.Home, a.Now, func(string) {}), home: a.Home}
	defer local.Portfolio.Close() // a.Stores closes the database
	from, to := local, a.Stores
	if back {
		from, to = to, from
	}
	source, err := readRecords(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("read the source: %w", err)
	}
	parts, err := source.parts()
	if err != nil || dryRun {
		return parts, err
	}
	target, err := readRecords(ctx, to)
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
	if err := source.write(ctx, to); err != nil {
		return nil, fmt.Errorf("write the target: %w", err)
	}
	if target, err = readRecords(ctx, to); err != nil {
		return nil, fmt.Errorf("read the target again: %w", err)
	}
	copied, err := target.parts()
	if err != nil {
		return nil, err
	}
	for i, p := range copied {
		if p != parts[i] {
			return nil, fmt.Errorf("after copying, %s differ between source and target; the source is unchanged", p.Name)
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

// alertRecords are the alert rules with their states. Without the states, alerts would fire again.
type alertRecords struct {
	Rules  []alert.StoredRule
	States []alert.State
}

type savedSession struct {
	session.Session
	Entries []session.Entry
}

// readRecords reads everything that is copied.
func readRecords(ctx context.Context, from *Stores) (r userRecords, err error) {
	if r.ledger, err = from.Portfolio.Ledger(ctx); err != nil {
		return r, err
	}
	if r.watches, err = from.Portfolio.Watches(ctx); err != nil {
		return r, err
	}
	if r.decisions, err = from.Portfolio.Decisions(ctx); err != nil {
		return r, err
	}
	profile, ok, err := from.Portfolio.Profile(ctx)
	if err != nil {
		return r, err
	}
	if ok {
		r.profile = &profile
	}
	names, err := from.Portfolio.Mappings(ctx)
	if err != nil {
		return r, err
	}
	r.mappings = map[string]json.RawMessage{}
	for _, name := range names {
		if r.mappings[name], _, err = from.Portfolio.Mapping(ctx, name); err != nil {
			return r, err
		}
	}
	store, err := from.Sessions(ctx)
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
	if r.skills, err = from.Skills().All(ctx); err != nil {
		return r, err
	}
	alerts, err := from.AlertStore(ctx)
	if err != nil {
		return r, err
	}
	if r.alerts.Rules, err = alerts.Rules(ctx); err != nil {
		return r, err
	}
	r.alerts.States, err = alerts.States(ctx)
	return r, err
}

func (r userRecords) write(ctx context.Context, to *Stores) error {
	err := to.Portfolio.Update(ctx, func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{
			Accounts: r.ledger.Accounts, Add: r.ledger.Transactions, Aliases: r.ledger.Aliases, Securities: r.ledger.Securities, Targets: r.ledger.Targets,
		}, nil
	})
	if err != nil {
		return err
	}
	for _, w := range r.watches {
		if err := to.Portfolio.PutWatch(ctx, w); err != nil {
			return err
		}
	}
	for _, decision := range r.decisions {
		if err := to.Portfolio.PutDecision(ctx, decision); err != nil {
			return err
		}
	}
	if r.profile != nil {
		if err := to.Portfolio.SaveProfile(ctx, *r.profile); err != nil {
			return err
		}
	}
	for name, doc := range r.mappings {
		if err := to.Portfolio.SaveMapping(ctx, name, doc); err != nil {
			return err
		}
	}
	store, err := to.Sessions(ctx)
	if err != nil {
		return err
	}
	for _, s := range r.sessions {
		if err := store.Create(ctx, s.Session, s.Entries...); err != nil {
			return err
		}
	}
	if len(r.skills) > 0 {
		if err := to.Skills().Swap(ctx, nil, r.skills); err != nil {
			return err
		}
	}
	alerts, err := to.AlertStore(ctx)
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

// parts returns each part with its number of records and its checksum.
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
