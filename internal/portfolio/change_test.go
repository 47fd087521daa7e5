package portfolio_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

func ids(l portfolio.Ledger) string {
	var all []string
	for _, tr := range l.Transactions {
		all = append(all, tr.ID)
	}
	return strings.Join(all, " ")
}

func TestLedger_WithAChangeLeavesTheOldOneAsItIs(t *testing.T) {
	before := ledger(t, "2024-01-02 buy 5 XYZ 5 USD", "2024-01-03 buy 6 XYZ 5 USD", "2024-01-04 buy 7 XYZ 5 USD")
	before.Aliases = map[market.Symbol]market.Symbol{"OLD": "XYZ", "BAD": "XYZ"}
	margin := before.Accounts[0]
	margin.Method = portfolio.MethodLIFO
	after, err := before.Apply(portfolio.Change{
		Remove:   []string{"t2", "t3"},
		Add:      []portfolio.Transaction{transaction(t, "t3", "2024-01-05 sell 1 XYZ 5 USD"), transaction(t, "t4", "2024-01-05 sell 1 XYZ 5 USD account=d")},
		Accounts: []portfolio.Account{margin, portfolio.NewAccount("d")},
		Aliases:  map[market.Symbol]market.Symbol{"BAD": "", "NEW": "XYZ"},
	})
	if err != nil {
		t.Fatalf("With = %v", err)
	}
	if got := ids(after); got != "t1 t3 t4" {
		t.Errorf("transactions = %s, want t1 t3 t4", got)
	}
	if a, _ := after.Account("a"); a.Method != portfolio.MethodLIFO || len(after.Accounts) != 4 {
		t.Errorf("accounts = %+v, want a by lifo and d added", after.Accounts)
	}
	if diff := cmp.Diff(map[market.Symbol]market.Symbol{"OLD": "XYZ", "NEW": "XYZ"}, after.Aliases); diff != "" {
		t.Errorf("aliases, -want +got:\n%s", diff)
	}
	if a, _ := before.Account("a"); ids(before) != "t1 t2 t3" || a.Method != portfolio.MethodFIFO || before.Aliases["BAD"] != "XYZ" {
		t.Errorf("the ledger before the change = %s, %+v, %v: want it as it was", ids(before), a, before.Aliases)
	}
	// The last sale is in an account without shares: the change is valid, the ledger is not.
	if err := lots.Check(after); !errors.Is(err, portfolio.ErrNotHeld) {
		t.Errorf("Check = %v, want ErrNotHeld", err)
	}
}

func TestLedger_RefusesAChange(t *testing.T) {
	buy := func(id, more string) []portfolio.Transaction {
		return []portfolio.Transaction{transaction(t, id, "2024-01-05 buy 1 XYZ 5 USD "+more)}
	}
	for _, c := range []struct {
		name   string
		change portfolio.Change
		want   error
		says   string
	}{
		{"removing what is not there", portfolio.Change{Remove: []string{"t9"}}, portfolio.ErrUnknownTransaction, "t9"},
		{"a duplicate ID", portfolio.Change{Add: buy("t1", "")}, portfolio.ErrInvalid, "this ID"},
		{"an ID twice", portfolio.Change{Add: append(buy("t8", ""), buy("t8", "")...)}, portfolio.ErrInvalid, "this ID"},
		{"a broker's line that is recorded", portfolio.Change{Add: buy("t8", "source=schwab:77")}, portfolio.ErrInvalid, "recorded as t1"},
		{"a broker's line twice", portfolio.Change{Add: append(buy("t8", "source=schwab:1"), buy("t9", "source=schwab:1")...)}, portfolio.ErrInvalid, "recorded as t8"},
		{"an unknown account", portfolio.Change{Add: buy("t8", "account=z")}, portfolio.ErrUnknownAccount, `"z"`},
		{"what is not valid", portfolio.Change{Add: buy("t8", "short=yes")}, portfolio.ErrInvalid, "short"},
		{"an account that cannot be", portfolio.Change{Accounts: []portfolio.Account{{Name: "d"}}}, nil, "cost basis"},
		{"aliases in a circle", portfolio.Change{Aliases: map[market.Symbol]market.Symbol{"A": "B", "B": "A"}}, nil, "points to itself"},
		{"a security of no class", portfolio.Change{Securities: []portfolio.Security{{Symbol: "XYZ", Class: "stuff"}}}, portfolio.ErrInvalid, "stuff"},
		{"a fund that costs everything", portfolio.Change{Securities: []portfolio.Security{{Symbol: "XYZ", Fee: decimal.NewNullDecimal(dec("7"))}}}, portfolio.ErrInvalid, "fraction"},
		{"a security by another name", portfolio.Change{Aliases: map[market.Symbol]market.Symbol{"OLD": "XYZ"}, Securities: []portfolio.Security{{Symbol: "OLD", Region: "US"}}}, portfolio.ErrInvalid, "an alias of XYZ"},
		{"targets beyond everything", portfolio.Change{Targets: []portfolio.Target{{"A", dec("0.6")}, {"B", dec("0.5")}}}, portfolio.ErrInvalid, "1.1"},
		{"a target twice", portfolio.Change{Targets: []portfolio.Target{{"A", dec("0.1")}, {"A", dec("0.5")}}}, portfolio.ErrInvalid, "once"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ledger(t, "2024-01-02 buy 5 XYZ 5 USD source=schwab:77").Apply(c.change)
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("With = %v, want %v that says %q", err, c.want, c.says)
			}
		})
	}
}

func TestLedger_KeepsWhatIsSaidOfSecurities(t *testing.T) {
	l := ledger(t)
	for _, c := range []portfolio.Change{
		{Securities: []portfolio.Security{{Symbol: "VTI", Class: portfolio.ClassEquity}, {Symbol: "BND", Class: portfolio.ClassBond}}, Targets: []portfolio.Target{{"VTI", dec("0.6")}, {"BND", dec("0.4")}}},
		{Securities: []portfolio.Security{{Symbol: "VTI", Class: portfolio.ClassEquity, Region: "US"}, {Symbol: "BND"}}},
	} {
		after, err := l.Apply(c)
		if err != nil {
			t.Fatal(err)
		}
		l = after
	}
	if diff := cmp.Diff([]portfolio.Security{{Symbol: "VTI", Class: portfolio.ClassEquity, Region: "US"}}, l.Securities); diff != "" {
		t.Errorf("securities, -want +got:\n%s", diff)
	}
	if len(l.Targets) != 2 || l.Targets[0].Symbol != "BND" {
		t.Errorf("targets = %v, want both, kept where a change says nothing of them", l.Targets)
	}
	if after, err := l.Apply(portfolio.Change{Targets: []portfolio.Target{}}); err != nil || len(after.Targets) != 0 {
		t.Errorf("With no targets = %v, %v; want none left", after.Targets, err)
	}
}

func TestLedger_OriginsTellWhatIsRecorded(t *testing.T) {
	l := ledger(t, "2024-01-02 buy 5 XYZ 5 USD source=schwab:77", "2024-01-02 buy 5 XYZ 5 USD account=b source=schwab:77", "2024-01-02 buy 5 XYZ 5 USD")
	want := map[portfolio.Origin]string{{Account: "a", Source: "schwab", SourceID: "77"}: "t1", {Account: "b", Source: "schwab", SourceID: "77"}: "t2"}
	if diff := cmp.Diff(want, l.Origins()); diff != "" {
		t.Errorf("Origins, -want +got:\n%s", diff)
	}
}

func TestNewIDs_SortByTimeAndOrder(t *testing.T) {
	now := time.Date(2026, 11, 21, 15, 4, 5, 0, time.UTC)
	high := bytes.Repeat([]byte{0xff}, 8)
	first, err := portfolio.NewIDs(now, bytes.NewReader(high), 1000)
	if err != nil {
		t.Fatal(err)
	}
	later, err := portfolio.NewIDs(now.Add(time.Second), bytes.NewReader(make([]byte, 8)), 1)
	if err != nil {
		t.Fatal(err)
	}
	all := append(first, later...)
	if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != 1001 {
		t.Errorf("IDs %s ... %s: want 1001 different ones in order", all[0], all[1000])
	}
	tr := transaction(t, first[0], "2024-01-02 buy 5 XYZ 5 USD")
	if err := tr.Validate(); err != nil || len(first[0]) != 15 {
		t.Errorf("ID %q = %v, want a valid one of 15 letters", first[0], err)
	}
	if _, err := portfolio.NewIDs(now, iotest.ErrReader(errors.New("no entropy")), 1); err == nil {
		t.Error("NewIDs without randomness = nil, want the error")
	}
}
