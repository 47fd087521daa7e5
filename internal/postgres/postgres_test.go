//go:build unix

package postgres_test

import (
	"errors"
	"flag"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/alert/alerttest"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/postgres"
	"github.com/nfa-cli/nfa/internal/postgres/postgrestest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

var long = flag.Bool("long", false, "run the long forms of the tests")

func TestMain(m *testing.M) { postgrestest.Main(m) }

// The stores in PostgreSQL keep the same promises as those in SQLite.
func TestContracts(t *testing.T) {
	db := postgrestest.New(t, "anna")
	s, owner := db.Open(t, "anna", postgres.Options{}), db.Raw(t, "postgres")
	open := func(t *testing.T) *postgres.Store { // empty
		_, err := owner.ExecContext(t.Context(), postgrestest.Clear)
		must(t, err)
		return s
	}
	t.Run("portfolio", func(t *testing.T) {
		portfoliotest.RunStore(t, func(t *testing.T) portfolio.Store { return open(t).Portfolio() })
	})
	t.Run("sessions", func(t *testing.T) {
		sessiontest.Run(t, func(t *testing.T) session.Store { return open(t).Sessions() })
	})
	t.Run("alerts", func(t *testing.T) {
		alerttest.RunStore(t, func(t *testing.T) alert.Store { return open(t).Alerts() })
	})
	t.Run("bars", func(t *testing.T) {
		markettest.RunBarStore(t, func(t *testing.T) market.BarStore { return open(t).Bars(false) })
	})
	t.Run("skills", func(t *testing.T) {
		skilltest.RunStore(t, func(t *testing.T) skill.Store { return open(t).Skills() })
	})
}

// Two machines with eight writers each record transactions.
func TestPortfolio_ManyWritersLoseNothing(t *testing.T) {
	const writers = 16
	each := 12
	if *long {
		each = 1000
	}
	db := postgrestest.New(t, "anna")
	machines := []*postgres.Store{db.Open(t, "anna", postgres.Options{}), db.Open(t, "anna", postgres.Options{})}
	mustUpdate(t, machines[0].Portfolio(), portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}})
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			store := machines[w%len(machines)].Portfolio()
			for i := range each {
				c := portfolio.Change{Add: []portfolio.Transaction{portfoliotest.Purchase(fmt.Sprintf("w%d-%d", w, i), "main")}}
				if err := store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) { return c, nil }); err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
			}
		})
	}
	group.Wait()
	l, err := machines[1].Portfolio().Ledger(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, tr := range l.Transactions {
		ids[tr.ID] = true
	}
	if want := writers * each; len(l.Transactions) != want || len(ids) != want {
		t.Errorf("%d transactions with %d IDs, want %d", len(l.Transactions), len(ids), want)
	}
}

func mustUpdate(t *testing.T, s portfolio.Store, c portfolio.Change) {
	t.Helper()
	if err := s.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) { return c, nil }); err != nil {
		t.Fatal(err)
	}
}

func TestShare_DecidesWhoSeesWhat(t *testing.T) {
	db := postgrestest.New(t, "anna", "ben", "eve")
	anna := db.Open(t, "anna", postgres.Options{})
	mustUpdate(t, anna.Portfolio(), portfolio.Change{
		Accounts: []portfolio.Account{portfolio.NewAccount("main")}, Add: []portfolio.Transaction{portfoliotest.Purchase("a", "main")},
	})
	at := anna.Sessions()
	if err := at.Create(t.Context(), session.Session{ID: "20261121-150405-abcdef", Title: "private"}); err != nil {
		t.Fatal(err)
	}
	open := func(role string) (*postgres.Store, error) {
		s, err := postgres.Open(t.Context(), db.Target(t, role), postgres.Options{Book: "anna"})
		if err == nil {
			t.Cleanup(func() { _ = s.Close() })
		}
		return s, err
	}
	if _, err := open("ben"); err == nil {
		t.Error("ben opens anna's book without a share")
	}
	if err := anna.Share(t.Context(), "ben", postgres.View); err != nil {
		t.Fatal(err)
	}
	ben, err := open("ben")
	if err != nil {
		t.Fatal(err)
	}
	if l, err := ben.Portfolio().Ledger(t.Context()); err != nil || len(l.Transactions) != 1 {
		t.Errorf("ben sees %d transactions, %v; want 1", len(l.Transactions), err)
	}
	if list, err := ben.Sessions().List(t.Context(), 0); err != nil || len(list) != 0 {
		t.Errorf("ben, who may view, sees sessions %v, %v", list, err)
	}
	add := portfolio.Change{Add: []portfolio.Transaction{portfoliotest.Purchase("b", "main")}}
	write := func() error {
		return ben.Portfolio().Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) { return add, nil })
	}
	if err := write(); !errors.Is(err, postgres.ErrViewOnly) {
		t.Errorf("ben's change = %v, want ErrViewOnly", err)
	}
	if err := anna.Share(t.Context(), "ben", postgres.Edit); err != nil {
		t.Fatal(err)
	}
	if err := write(); err != nil {
		t.Errorf("ben, who may edit: %v", err)
	}
	if given, _, err := anna.Permissions(t.Context()); err != nil || cmp.Diff([]postgres.Permission{{Book: "anna", Grantee: "ben", Level: postgres.Edit}}, given) != "" {
		t.Errorf("Permissions = %v, %v", given, err)
	}
	if _, received, err := ben.Permissions(t.Context()); err != nil || len(received) != 1 || received[0].Book != "anna" {
		t.Errorf("Permissions of ben = %v, %v", received, err)
	}
	if found, err := anna.Unshare(t.Context(), "ben"); !found || err != nil {
		t.Errorf("Unshare = %v, %v", found, err)
	}
	if l, err := ben.Portfolio().Ledger(t.Context()); err != nil || len(l.Transactions) != 0 {
		t.Errorf("after it was taken back ben sees %d transactions, %v", len(l.Transactions), err)
	}
}

// Price history belongs to its writer: nobody can change another user's, and it is only read by a user with
// whom the portfolio is shared and who asks for it.
func TestBars_OfOthersAreReadOnlyOnRequest(t *testing.T) {
	db := postgrestest.New(t, "anna", "ben", "eve")
	anna := db.Open(t, "anna", postgres.Options{})
	must(t, anna.Share(t.Context(), "ben", postgres.Edit))
	key := market.BarKey{Source: "yahoo", Symbol: "VTI"}
	rec := markettest.StoredBars(portfoliotest.Day("2026-01-02"), 30)
	must(t, anna.Bars(false).Save(t.Context(), key, rec, market.Date{}))
	ben, atAnna, eve := db.Open(t, "ben", postgres.Options{}), db.Open(t, "ben", postgres.Options{Book: "anna"}), db.Open(t, "eve", postgres.Options{})
	load := func(s market.BarStore) (market.StoredBars, bool) {
		t.Helper()
		got, ok, err := s.Load(t.Context(), key, market.Range{})
		must(t, err)
		return got, ok
	}
	for name, store := range map[string]market.BarStore{"ben": ben.Bars(false), "ben in the book of anna": atAnna.Bars(false), "eve": eve.Bars(true)} {
		if _, ok := load(store); ok {
			t.Errorf("%s reads the prices that anna saved", name)
		}
	}
	got, ok := load(ben.Bars(true))
	if !ok || len(got.Series.Bars) != 30 {
		t.Fatalf("ben, who asks for them, reads %d bars", len(got.Series.Bars))
	}
	// A series that continues one of anna's is saved as ben's; hers is unchanged.
	grown := markettest.StoredBars(portfoliotest.Day("2026-01-02"), 31)
	grown.Revision = got.Revision
	must(t, ben.Bars(true).Save(t.Context(), key, grown, got.Last))
	if got, ok := load(ben.Bars(false)); !ok || len(got.Series.Bars) != 31 {
		t.Errorf("ben has %d bars of his own, want 31", len(got.Series.Bars))
	}
	must(t, atAnna.Bars(true).Save(t.Context(), key, markettest.StoredBars(portfoliotest.Day("2026-01-02"), 3), market.Date{}))
	if got, ok := load(anna.Bars(false)); !ok || len(got.Series.Bars) != 30 {
		t.Errorf("anna has %d bars, want her 30", len(got.Series.Bars))
	}
}

// Two machines of one person never check the rules at the same time.
func TestAlerts_OneRunOnAllMachines(t *testing.T) {
	db := postgrestest.New(t, "anna")
	one, other := db.Open(t, "anna", postgres.Options{}).Alerts(), db.Open(t, "anna", postgres.Options{}).Alerts()
	release, err := one.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Lock(t.Context()); !errors.Is(err, alert.ErrLocked) {
		t.Errorf("Lock on a second machine = %v, want ErrLocked", err)
	}
	release()
	if release, err = other.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	release()
}

// The password of a role gives no more access than nfa does, even by direct SQL.
func TestShare_HoldsAgainstDirectSQL(t *testing.T) {
	db := postgrestest.New(t, "anna", "ben", "eve")
	anna := db.Open(t, "anna", postgres.Options{})
	fillEveryTable(t, anna)
	if err := anna.Share(t.Context(), "ben", postgres.View); err != nil {
		t.Fatal(err)
	}
	tables := []string{"book", "change", "account", "alias", "security", "target", "transactions", "lot_pick", "watch", "watch_target",
		"decision", "decision_mark", "document", "session", "entry", "lease", "skill", "alert_rule", "alert_state", "alert_outbox", "last_rule", "series", "bars"}
	private := map[string]bool{"change": true, "decision": true, "decision_mark": true, "document": true, "session": true, "entry": true, "lease": true, "skill": true, "alert_rule": true, "alert_state": true, "alert_outbox": true, "last_rule": true}
	for role, mayView := range map[string]bool{"ben": true, "eve": false} {
		raw := db.Raw(t, role)
		exec := func(statement string) (int64, error) {
			result, err := raw.Exec(statement)
			if err != nil {
				return 0, err
			}
			n, err := result.RowsAffected()
			return n, err
		}
		if _, err := exec("SELECT set_config('nfa.book', 'anna', false)"); err != nil {
			t.Fatal(err)
		}
		for _, table := range tables {
			var n int
			if err := raw.QueryRow("SELECT count(*) FROM nfa." + table).Scan(&n); err != nil {
				t.Errorf("%s reads %s: %v", role, table, err)
			}
			if want := mayView && !private[table]; (n > 0) != want {
				t.Errorf("%s sees %d rows of %s", role, n, table)
			}
			for _, change := range []string{"DELETE FROM nfa.%s", "UPDATE nfa.%s SET book = session_user", "INSERT INTO nfa.%[1]s SELECT * FROM nfa.%[1]s"} {
				if n, _ := exec(fmt.Sprintf(change, table)); n != 0 {
					t.Errorf("%s changes %d rows of %s by %s", role, n, table, change)
				}
			}
		}
		for _, attack := range []string{
			"INSERT INTO nfa.share (book, grantee, level) VALUES ('anna', session_user, 'edit')",
			"UPDATE nfa.share SET level = 'edit'",
			"INSERT INTO nfa.book (book, version) VALUES ('anna', 9)",
			"SET ROLE anna", "SET ROLE postgres", "SET SESSION AUTHORIZATION anna", "SET row_security = off; SELECT * FROM nfa.transactions",
			"ALTER TABLE nfa.transactions DISABLE ROW LEVEL SECURITY", "DROP POLICY read ON nfa.transactions",
			"CREATE OR REPLACE FUNCTION nfa.level(b name) RETURNS text LANGUAGE sql AS $$ SELECT 'edit' $$",
			"CREATE FUNCTION nfa.mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$", "INSERT INTO nfa.migration (n) VALUES (99)", "GRANT anna TO ben",
		} {
			if n, err := exec(attack); err == nil && n != 0 || err == nil && attack[:6] != "UPDATE" {
				t.Errorf("%s: %s = %d rows, %v", role, attack, n, err)
			}
		}
	}
	l, err := anna.Portfolio().Ledger(t.Context())
	if err != nil || len(l.Transactions) == 0 {
		t.Errorf("anna has %d transactions left, %v", len(l.Transactions), err)
	}
}

// fillEveryTable writes at least one row to each table.
func fillEveryTable(t *testing.T, s *postgres.Store) {
	alerts := s.Alerts()
	if _, err := alerts.AddRule(t.Context(), alert.StoredRule{Text: "AAPL below 150"}); err != nil {
		t.Fatal(err)
	}
	if _, err := alerts.Record(t.Context(), []alert.State{{RuleID: "r1"}}, []alert.NewAlert{{Alert: alert.Alert{ID: "a1"}}}); err != nil {
		t.Fatal(err)
	}
	t.Helper()
	p := s.Portfolio()
	mustUpdate(t, p, portfolio.Change{
		Accounts: []portfolio.Account{portfolio.NewAccount("main"), portfolio.NewAccount("other")}, Add: portfoliotest.EveryKind("main", "other"),
		Aliases: map[market.Symbol]market.Symbol{"OLD": "NEW"}, Securities: []portfolio.Security{{Symbol: "VTI", Region: "US", RecordedOn: portfoliotest.Day("2026-01-02")}},
		Targets: []portfolio.Target{{Symbol: "VTI", Weight: decimal.RequireFromString("1")}},
	})
	must(t, p.PutWatch(t.Context(), investor.WatchedSymbol{
		Symbol: "VTI", Added: portfoliotest.Day("2026-01-02"), Targets: []investor.PriceTarget{{Side: investor.Below, Price: decimal.RequireFromString("1"), Currency: "USD"}},
	}))
	must(t, p.PutDecision(t.Context(), investor.Decision{
		ID: "a", Date: portfoliotest.Day("2026-02-01"), Action: investor.ActionOther, Assets: []investor.PricedAsset{{Symbol: "VTI"}}, Thesis: "t", Invalidation: "d",
	}))
	must(t, p.SaveMapping(t.Context(), "mine", []byte(`{"a": 1.50}`)))
	must(t, s.Sessions().Create(t.Context(), session.Session{ID: "20261121-150405-abcdef", Title: "t"}, session.Entry{Kind: session.KindUser, Message: llm.Message{Content: "hi"}}))
	release, err := s.Locks().Acquire(t.Context(), "20261121-150405-abcdef")
	must(t, err)
	t.Cleanup(release)
	must(t, s.Skills().Swap(t.Context(), nil, []skill.StoredSkill{skilltest.StoredSkill("mine")}))
	must(t, s.Bars(false).Save(t.Context(), market.BarKey{Source: "yahoo", Symbol: "VTI"}, markettest.StoredBars(portfoliotest.Day("2026-01-02"), 5), market.Date{}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
