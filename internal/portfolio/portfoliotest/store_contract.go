package portfoliotest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// RunStore tests a store against the contract of portfolio.Store. open returns an empty one for
// each subtest.
func RunStore(t *testing.T, open func(t *testing.T) portfolio.Store) {
	for name, part := range map[string]func(*testing.T, portfolio.Store){
		"a ledger that was never written is empty":       beginsEmpty,
		"every field of a transaction is kept":           keepsEveryField,
		"transactions are in the order of recording":     keepsOrder,
		"an account is replaced by name":                 replacesAccounts,
		"an alias is replaced and removed":               replacesAliases,
		"a security is replaced":                         replacesSecurities,
		"targets belong together":                        replacesTargets,
		"records of an alias move to its symbol":         mergesAliases,
		"a removed record is gone":                       removes,
		"a transaction is corrected under its ID":        corrects,
		"a transaction in an unknown account is refused": refusesUnknownAccounts,
		"an invalid change is refused as a whole":        refusesInvalid,
		"a line of a file counts once":                   refusesTheSameLine,
		"one line of a large import is refused by name":  refusesOneOfMany,
		"an error of the change is returned unwrapped":   returnsErrors,
		"the change may read the ledger":                 allowsConcurrentReads,
		"an empty change does nothing":                   changesNothing,
		"changes are serialized":                         serializes,
		"a canceled change is not made":                  honorsCancel,
		"a loaded ledger is a copy":                      givesCopies,
	} {
		t.Run(name, func(t *testing.T) { part(t, open(t)) })
	}
}

func apply(t testing.TB, s portfolio.Store, c portfolio.Change) {
	t.Helper()
	if err := update(t, s, c); err != nil {
		t.Fatalf("Update = %v", err)
	}
}

func update(t testing.TB, s portfolio.Store, c portfolio.Change) error {
	t.Helper()
	return s.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) { return c, nil })
}

func load(t testing.TB, s portfolio.Store) portfolio.Ledger {
	t.Helper()
	l, err := s.Ledger(t.Context())
	if err != nil {
		t.Fatalf("Ledger = %v", err)
	}
	return l
}

// checkLedger compares the store's ledger with want.
func checkLedger(t testing.TB, s portfolio.Store, want portfolio.Ledger) {
	t.Helper()
	if diff := cmp.Diff(want, load(t, s), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the ledger (-want +got):\n%s", diff)
	}
}

// withOnePurchase adds one account and a purchase "a".
func withOnePurchase(t testing.TB, s portfolio.Store) portfolio.Ledger {
	t.Helper()
	apply(t, s, portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}, Add: []portfolio.Transaction{Purchase("a", "main")}})
	return load(t, s)
}

func ids(l portfolio.Ledger) string {
	var all []string
	for _, t := range l.Transactions {
		all = append(all, t.ID)
	}
	return strings.Join(all, " ")
}

func beginsEmpty(t *testing.T, s portfolio.Store) { checkLedger(t, s, portfolio.Ledger{}) }

func keepsEveryField(t *testing.T, s portfolio.Store) {
	accounts := []portfolio.Account{
		portfolio.NewAccount("main"),
		{Name: "roth 中文", Method: portfolio.MethodSpecific, Cash: portfolio.CashUntracked, Untaxed: true, Owner: "spouse"},
	}
	want := portfolio.Ledger{Accounts: accounts, Transactions: EveryKind("main", "roth 中文")}
	apply(t, s, portfolio.Change{Accounts: accounts, Add: want.Transactions})
	checkLedger(t, s, want)
}

func keepsOrder(t *testing.T, s portfolio.Store) {
	withOnePurchase(t, s)
	late, early := Purchase("z", "main"), Purchase("b", "main")
	early.Date = early.Date.AddDate(-3, 0, 0)
	apply(t, s, portfolio.Change{Add: []portfolio.Transaction{late, early}})
	if got := ids(load(t, s)); got != "a z b" {
		t.Errorf("IDs = %q, want the order of recording: %q", got, "a z b")
	}
}

func replacesAccounts(t *testing.T, s portfolio.Store) {
	want := withOnePurchase(t, s)
	changed := portfolio.Account{Name: "main", Method: portfolio.MethodAverage, Cash: portfolio.CashMargin, Untaxed: true, Owner: "me"}
	other := portfolio.NewAccount("another")
	apply(t, s, portfolio.Change{Accounts: []portfolio.Account{other, changed}})
	want.Accounts = []portfolio.Account{changed, other}
	checkLedger(t, s, want)
}

func replacesAliases(t *testing.T, s portfolio.Store) {
	type aliases = map[market.Symbol]market.Symbol
	apply(t, s, portfolio.Change{Aliases: aliases{"FB": "METAX", "RDSA": "SHEL"}})
	apply(t, s, portfolio.Change{Aliases: aliases{"FB": "META", "RDSA": "", "TWTR": ""}})
	checkLedger(t, s, portfolio.Ledger{Aliases: aliases{"FB": "META"}})
	apply(t, s, portfolio.Change{Aliases: aliases{"FB": ""}})
	checkLedger(t, s, portfolio.Ledger{})
}

func replacesSecurities(t *testing.T, s portfolio.Store) {
	fund := portfolio.Security{Symbol: "VWCE", Class: portfolio.ClassEquity, Region: "World", Sector: "all", Fee: nullNumber("0.0022"), RecordedOn: Day("2026-01-31")}
	bond := portfolio.Security{Symbol: "AGGH", Class: portfolio.ClassBond}
	apply(t, s, portfolio.Change{Securities: []portfolio.Security{fund, bond}})
	fund.Fee, fund.Region = nullNumber("0.0019"), ""
	apply(t, s, portfolio.Change{Securities: []portfolio.Security{fund}})
	checkLedger(t, s, portfolio.Ledger{Securities: []portfolio.Security{bond, fund}})
	apply(t, s, portfolio.Change{Securities: []portfolio.Security{{Symbol: "VWCE"}}})
	checkLedger(t, s, portfolio.Ledger{Securities: []portfolio.Security{bond}})
}

func replacesTargets(t *testing.T, s portfolio.Store) {
	both := []portfolio.Target{{Symbol: "AGGH", Weight: number("0.30")}, {Symbol: "VWCE", Weight: number("0.7")}}
	apply(t, s, portfolio.Change{Targets: both})
	apply(t, s, portfolio.Change{Aliases: map[market.Symbol]market.Symbol{"FB": ""}}) // an empty record
	checkLedger(t, s, portfolio.Ledger{Targets: both})
	apply(t, s, portfolio.Change{Targets: both[1:]})
	checkLedger(t, s, portfolio.Ledger{Targets: both[1:]})
	apply(t, s, portfolio.Change{Targets: []portfolio.Target{}})
	checkLedger(t, s, portfolio.Ledger{})
}

func mergesAliases(t *testing.T, s portfolio.Store) {
	security := func(symbol market.Symbol, region, day string) portfolio.Security {
		return portfolio.Security{Symbol: symbol, Class: portfolio.ClassEquity, Region: region, RecordedOn: Day(day)}
	}
	fee := security("FB2", "Moon", "2025-01-31")
	fee.Fee = nullNumber("0.01")
	apply(t, s, portfolio.Change{
		Securities: []portfolio.Security{security("AGGH", "World", "2026-01-31"), security("FB", "US", "2026-01-31"), fee},
		Targets:    []portfolio.Target{{Symbol: "FB", Weight: number("0.25")}, {Symbol: "AGGH", Weight: number("0.30")}, {Symbol: "META", Weight: number("0.45")}},
	})
	aliases := map[market.Symbol]market.Symbol{"FB": "META", "FB2": "FB"}
	apply(t, s, portfolio.Change{Aliases: aliases})
	meta := security("META", "US", "2025-01-31")
	meta.Fee = nullNumber("0.01")
	want := portfolio.Ledger{
		Aliases: aliases, Securities: []portfolio.Security{security("AGGH", "World", "2026-01-31"), meta},
		Targets: []portfolio.Target{{Symbol: "AGGH", Weight: number("0.30")}, {Symbol: "META", Weight: number("0.70")}},
	}
	checkLedger(t, s, want)
	// Existing fields stay, and the change's map is not modified.
	aliases["META"], aliases["AGGH"] = "MVRS", "GLOB"
	apply(t, s, portfolio.Change{
		Aliases: map[market.Symbol]market.Symbol{"META": "MVRS", "AGGH": "GLOB"}, Securities: []portfolio.Security{security("MVRS", "Mars", "2026-02-28")},
		Targets: []portfolio.Target{{Symbol: "MVRS", Weight: number("1")}},
	})
	want.Securities = []portfolio.Security{security("GLOB", "World", "2026-01-31"), security("MVRS", "Mars", "2026-02-28")}
	want.Targets = []portfolio.Target{{Symbol: "MVRS", Weight: number("1")}}
	checkLedger(t, s, want)
}

func removes(t *testing.T, s portfolio.Store) {
	want := withOnePurchase(t, s)
	apply(t, s, portfolio.Change{Add: []portfolio.Transaction{Purchase("b", "main"), Purchase("c", "main")}})
	apply(t, s, portfolio.Change{Remove: []string{"c", "b", "c"}}) // listed twice, removed once
	checkLedger(t, s, want)
	for _, id := range []string{"b", "never", ""} {
		c := portfolio.Change{Remove: []string{"a", id}, Add: []portfolio.Transaction{Purchase("d", "main")}}
		if err := update(t, s, c); !errors.Is(err, portfolio.ErrUnknownTransaction) {
			t.Errorf("removing %q = %v, want ErrUnknownTransaction", id, err)
		}
	}
	checkLedger(t, s, want)
}

func corrects(t *testing.T, s portfolio.Store) {
	withOnePurchase(t, s)
	right := Purchase("a", "main")
	right.Quantity, right.Amount = number("11"), number("2200.00")
	apply(t, s, portfolio.Change{Remove: []string{"a"}, Add: []portfolio.Transaction{right}})
	l := load(t, s)
	if len(l.Transactions) != 1 || !l.Transactions[0].Quantity.Equal(right.Quantity) {
		t.Errorf("transactions = %+v, want only the corrected one", l.Transactions)
	}
}

func refusesUnknownAccounts(t *testing.T, s portfolio.Store) {
	want := withOnePurchase(t, s)
	moved := Transfer("m", "main", "elsewhere")
	for name, add := range map[string]portfolio.Transaction{"elsewhere": Purchase("b", "elsewhere"), "as its end": moved} {
		err := update(t, s, portfolio.Change{Add: []portfolio.Transaction{Purchase("c", "main"), add}})
		if !errors.Is(err, portfolio.ErrUnknownAccount) {
			t.Errorf("%s: Update = %v, want ErrUnknownAccount", name, err)
			continue
		}
		if text := err.Error(); !strings.Contains(text, "elsewhere") || !strings.Contains(text, "main") {
			t.Errorf("%s: %q does not name the account and the existing ones", name, text)
		}
	}
	checkLedger(t, s, want)
}

func refusesInvalid(t *testing.T, s portfolio.Store) {
	want := withOnePurchase(t, s)
	nameless, negative, odd := Purchase("", "main"), Purchase("n", "main"), Purchase("o", "main")
	negative.Quantity = number("-1")
	odd.Kind = "gift"
	for name, c := range map[string]portfolio.Change{
		"no ID":               {Add: []portfolio.Transaction{nameless}},
		"a negative quantity": {Add: []portfolio.Transaction{negative}},
		"an unknown kind":     {Add: []portfolio.Transaction{odd}},
		"a duplicate ID":      {Add: []portfolio.Transaction{Purchase("a", "main")}},
		"an ID twice":         {Add: []portfolio.Transaction{Purchase("b", "main"), Purchase("b", "main")}},
	} {
		c.Add = append([]portfolio.Transaction{Purchase("fine", "main")}, c.Add...)
		c.Aliases = map[market.Symbol]market.Symbol{"OLD": "NEW"}
		if err := update(t, s, c); !errors.Is(err, portfolio.ErrInvalid) {
			t.Errorf("%s: Update = %v, want ErrInvalid", name, err)
		}
	}
	checkLedger(t, s, want)
}

func refusesTheSameLine(t *testing.T, s portfolio.Store) {
	line := func(id, account, source, number string) portfolio.Transaction {
		b := Purchase(id, account)
		b.Source, b.SourceID = source, number
		return b
	}
	apply(t, s, portfolio.Change{
		Accounts: []portfolio.Account{portfolio.NewAccount("main"), portfolio.NewAccount("other")},
		Add: []portfolio.Transaction{
			line("a", "main", "schwab", "7"), line("b", "other", "schwab", "7"), line("c", "main", "ibkr", "7"),
			line("d", "main", "schwab", "8"), line("e", "main", "", ""), line("f", "main", "", ""),
		},
	})
	want := load(t, s)
	if err := update(t, s, portfolio.Change{Add: []portfolio.Transaction{line("g", "main", "schwab", "7")}}); !errors.Is(err, portfolio.ErrInvalid) {
		t.Errorf("recording a line again = %v, want ErrInvalid", err)
	}
	checkLedger(t, s, want)
	apply(t, s, portfolio.Change{Remove: []string{"a"}, Add: []portfolio.Transaction{line("h", "main", "schwab", "7")}})
	if got := ids(load(t, s)); got != "b c d e f h" {
		t.Errorf("IDs = %q after the line was removed and read again, want %q", got, "b c d e f h")
	}
}

// A store may record many transactions at once. The error still names the refused one, and none is recorded.
func refusesOneOfMany(t *testing.T, s portfolio.Store) {
	var all []portfolio.Transaction
	for i := range 200 {
		b := Purchase(fmt.Sprintf("t%03d", i), "main")
		b.Source, b.SourceID = "schwab", fmt.Sprint(i)
		all = append(all, b)
	}
	repeated := slices.Clone(all)
	repeated[150].SourceID = "3"
	accounts := []portfolio.Account{portfolio.NewAccount("main")}
	if err := update(t, s, portfolio.Change{Accounts: accounts, Add: repeated}); !errors.Is(err, portfolio.ErrInvalid) || !strings.Contains(err.Error(), "t150") {
		t.Errorf("recording a line twice among 200 = %v, want ErrInvalid for t150", err)
	}
	checkLedger(t, s, portfolio.Ledger{})
	apply(t, s, portfolio.Change{Accounts: accounts, Add: all})
	for i, got := range load(t, s).Transactions {
		if got.ID != all[i].ID {
			t.Fatalf("transaction %d is %s, want %s", i, got.ID, all[i].ID)
		}
	}
}

func returnsErrors(t *testing.T, s portfolio.Store) {
	want := withOnePurchase(t, s)
	reason := errors.New("refused by the user")
	err := s.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Remove: []string{"a"}}, reason
	})
	if err != reason {
		t.Errorf("Update = %v, want the unwrapped error of the change", err)
	}
	checkLedger(t, s, want)
}

func allowsConcurrentReads(t *testing.T, s portfolio.Store) {
	want := withOnePurchase(t, s)
	err := s.Update(t.Context(), func(l portfolio.Ledger) (portfolio.Change, error) {
		checkLedger(t, s, l)
		return portfolio.Change{Add: []portfolio.Transaction{Purchase("b", "main")}}, nil
	})
	if err != nil {
		t.Fatalf("Update = %v", err)
	}
	want.Transactions = append(want.Transactions, Purchase("b", "main"))
	checkLedger(t, s, want)
}

func changesNothing(t *testing.T, s portfolio.Store) {
	want := withOnePurchase(t, s)
	apply(t, s, portfolio.Change{})
	checkLedger(t, s, want)
}

// serializes checks that concurrent changes run one after another. Each names its transaction after the
// size of the ledger, so that two that saw the same ledger would use the same ID.
func serializes(t *testing.T, s portfolio.Store) {
	apply(t, s, portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}})
	const writers, each = 4, 5
	var done sync.WaitGroup
	for range writers {
		done.Go(func() {
			for range each {
				err := s.Update(t.Context(), func(l portfolio.Ledger) (portfolio.Change, error) {
					return portfolio.Change{Add: []portfolio.Transaction{Purchase(fmt.Sprint("n", len(l.Transactions)), "main")}}, nil
				})
				if err != nil {
					t.Errorf("Update = %v", err)
				}
			}
		})
	}
	done.Wait()
	l := load(t, s)
	for i, got := range l.Transactions {
		if want := fmt.Sprint("n", i); got.ID != want {
			t.Fatalf("transaction %d has the ID %s, want %s", i, got.ID, want)
		}
	}
	if len(l.Transactions) != writers*each {
		t.Errorf("%d transactions, want %d", len(l.Transactions), writers*each)
	}
}

func honorsCancel(t *testing.T, s portfolio.Store) {
	want := withOnePurchase(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Update(ctx, func(portfolio.Ledger) (portfolio.Change, error) {
		cancel()
		return portfolio.Change{Remove: []string{"a"}}, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Update = %v, want context.Canceled", err)
	}
	if _, err := s.Ledger(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Ledger = %v, want context.Canceled", err)
	}
	checkLedger(t, s, want)
}

func givesCopies(t *testing.T, s portfolio.Store) {
	want := withOnePurchase(t, s)
	mine := load(t, s)
	mine.Accounts[0].Name, mine.Transactions[0].ID = "spoiled", "spoiled"
	checkLedger(t, s, want)
}
