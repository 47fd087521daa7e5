package toolstest

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// LedgerFixture is an empty ledger on Friday 2024-06-28, with prices of VTI and SAP. Its
// user allows everything.
type LedgerFixture struct {
	positions.Deps
	ApprovingUser
	// NewIDs names transactions t1, t2 and so on.
	NewIDs func(n int) ([]string, error)
	// Files are the files that Read finds, by path.
	Files map[string][]byte
	// Tools returns the tools under test, for the Deps as they are now.
	Tools func() []tool.Tool

	t testing.TB
}

// NewLedgerFixture returns a fixture without tools.
func NewLedgerFixture(t testing.TB) *LedgerFixture {
	t.Helper()
	first := MustDay("2024-06-24")
	sap, vti := markettest.Daily("SAP", first, "150", "151"), markettest.Daily("VTI", first, "240", "241")
	sap.Provenance.Currency = "EUR"
	vti.Instrument.Name, vti.Instrument.ISIN = "Vanguard Total Stock Market ETF", "US9229087690"
	source := markettest.NewSource(vti, sap)
	var issued atomic.Int64
	return &LedgerFixture{
		t: t, Files: map[string][]byte{}, ApprovingUser: ApprovingUser{Allow: true, Person: true},
		Deps: positions.Deps{Prices: Prices(t, source, "2024-06-28T20:00:00Z"), Quotes: source, Store: &portfoliotest.Store{}, Base: "USD"},
		NewIDs: func(n int) ([]string, error) {
			ids := make([]string, n)
			for i := range ids {
				ids[i] = fmt.Sprintf("t%d", issued.Add(1))
			}
			return ids, nil
		},
	}
}

// Read returns one of the Files.
func (f *LedgerFixture) Read(path string) (name string, raw []byte, err error) {
	raw, ok := f.Files[path]
	if !ok {
		return "", nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return path, raw, nil
}

// Router returns a Router over the tools that asks the user for approval.
func (f *LedgerFixture) Router() *tool.Router {
	f.t.Helper()
	return f.ApprovingUser.Router(f.t, f.Tools())
}

// Plan returns the plan of the last approval request.
func (f *LedgerFixture) Plan() string {
	f.t.Helper()
	return f.ApprovingUser.Plan(f.t)
}

// Call calls a tool.
func (f *LedgerFixture) Call(name string, in Args) tool.Result {
	f.t.Helper()
	return CallRouter(f.t, f.Router(), name, in)
}

// MustCall calls a tool for a result that must not be an error.
func (f *LedgerFixture) MustCall(name string, in Args) tool.Result {
	f.t.Helper()
	res := f.Call(name, in)
	if res.IsError {
		f.t.Fatalf("%s %v = error: %s", name, in, res.ErrorText())
	}
	return res
}

// WantRefused calls a tool for an error that has each of the parts. The ledger must not
// change.
func (f *LedgerFixture) WantRefused(name string, in Args, parts ...string) {
	f.t.Helper()
	before := f.Ledger()
	res := f.Call(name, in)
	if !res.IsError {
		f.t.Errorf("%s %v = %s; want an error", name, in, res.ModelText())
	}
	for _, part := range parts {
		if !strings.Contains(res.ErrorText(), part) {
			f.t.Errorf("%s %v = %q; want an error with %q", name, in, ResultText(res), part)
		}
	}
	if after := f.Ledger(); len(after.Transactions) != len(before.Transactions) || len(after.Accounts) != len(before.Accounts) || len(after.Aliases) != len(before.Aliases) {
		f.t.Errorf("%s %v was refused and changed the ledger to %+v", name, in, after)
	}
}

// Ledger returns the recorded ledger.
func (f *LedgerFixture) Ledger() portfolio.Ledger {
	f.t.Helper()
	l, err := f.Store.Ledger(context.Background())
	if err != nil {
		f.t.Fatal(err)
	}
	return l
}

// Record changes the ledger without a tool.
func (f *LedgerFixture) Record(c portfolio.Change) {
	f.t.Helper()
	err := f.Store.Update(context.Background(), func(portfolio.Ledger) (portfolio.Change, error) { return c, nil })
	if err != nil {
		f.t.Fatal(err)
	}
}

// HeldQuantity returns the quantity of a symbol in an account after all transactions.
func (f *LedgerFixture) HeldQuantity(account string, sym market.Symbol) string {
	f.t.Helper()
	b, err := positions.ApplyChange(f.Ledger(), portfolio.Change{})
	if err != nil {
		f.t.Fatal(err)
	}
	for h := range b.OpenPositions() {
		if h.Account == account && h.Symbol == sym {
			return h.Quantity.String()
		}
	}
	return "0"
}
