package toolstest

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// LedgerFixture is an empty book on Friday 2024-06-28, with prices of VTI and SAP.
type LedgerFixture struct {
	positions.Deps
	// NewIDs names transactions t1, t2 and so on.
	NewIDs func(n int) ([]string, error)
	// Files are those that Read finds.
	Files map[string][]byte
	// Tools are what can be called, made anew for each call of the Deps as they are.
	Tools func() []tool.Tool
	// RefuseAll has the user say no.
	RefuseAll bool
	// BeforeWrite happens while the user thinks.
	BeforeWrite func()

	t         testing.TB
	mu        sync.Mutex
	approvals []tool.Approval
}

// NewLedgerFixture makes a world without tools.
func NewLedgerFixture(t testing.TB) *LedgerFixture {
	t.Helper()
	first := portfoliotest.Day("2024-06-24")
	sap, vti := markettest.Daily("SAP", first, "150", "151"), markettest.Daily("VTI", first, "240", "241")
	sap.Provenance.Currency = "EUR"
	vti.Instrument.Name, vti.Instrument.ISIN = "Vanguard Total Stock Market ETF", "US9229087690"
	source := markettest.NewSource(vti, sap)
	var issued atomic.Int64
	return &LedgerFixture{
		t: t, Files: map[string][]byte{},
		Deps: positions.Deps{
			Prices: toolkit.Prices{Bars: source, Directory: source, Now: Clock(t, "2024-06-28T20:00:00Z")},
			Quotes: source, Store: &portfoliotest.Store{}, Base: "USD",
		},
		NewIDs: func(n int) ([]string, error) {
			ids := make([]string, n)
			for i := range ids {
				ids[i] = fmt.Sprintf("t%d", issued.Add(1))
			}
			return ids, nil
		},
	}
}

// Read gives one of the Files.
func (w *LedgerFixture) Read(path string) (name string, raw []byte, err error) {
	raw, ok := w.Files[path]
	if !ok {
		return "", nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return path, raw, nil
}

// Router asks the user of the world for everything that has to be asked.
func (w *LedgerFixture) Router() *tool.Router {
	w.t.Helper()
	user := tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		w.mu.Lock()
		w.approvals = append(w.approvals, a)
		w.mu.Unlock()
		if w.BeforeWrite != nil {
			w.BeforeWrite()
		}
		return tool.Answer{Allowed: !w.RefuseAll, Person: true}, nil
	})
	r, err := tool.NewRouter(w.Tools(), tool.Options{Approver: user})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// Call asks a tool.
func (w *LedgerFixture) Call(name string, in Args) tool.Result {
	w.t.Helper()
	return CallRouter(w.t, w.Router(), name, in)
}

// MustCall calls for a result that must not be an error.
func (w *LedgerFixture) MustCall(name string, in Args) tool.Result {
	w.t.Helper()
	res := w.Call(name, in)
	if res.IsError {
		w.t.Fatalf("%s %v = error: %s", name, in, res.ErrorText())
	}
	return res
}

// WantRefused calls for an error that says each of the parts, and after which the
// book is as it was.
func (w *LedgerFixture) WantRefused(name string, in Args, parts ...string) {
	w.t.Helper()
	before := w.Ledger()
	res := w.Call(name, in)
	if !res.IsError {
		w.t.Errorf("%s %v = %s; want an error", name, in, res.ModelText())
	}
	for _, part := range parts {
		if !strings.Contains(res.ErrorText(), part) {
			w.t.Errorf("%s %v = %q; want an error that says %q", name, in, ResultText(res), part)
		}
	}
	if after := w.Ledger(); len(after.Transactions) != len(before.Transactions) || len(after.Accounts) != len(before.Accounts) || len(after.Aliases) != len(before.Aliases) {
		w.t.Errorf("%s %v was refused and changed the book to %+v", name, in, after)
	}
}

// Asked is how often the user was asked.
func (w *LedgerFixture) Asked() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.approvals)
}

// Plan is what the user was shown last.
func (w *LedgerFixture) Plan() string {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.approvals) == 0 {
		w.t.Fatal("nobody was asked")
	}
	return strings.Join(w.approvals[len(w.approvals)-1].Plan, "\n")
}

// Ledger is what is recorded.
func (w *LedgerFixture) Ledger() portfolio.Ledger {
	w.t.Helper()
	l, err := w.Store.Ledger(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// Record adds to the book past every tool.
func (w *LedgerFixture) Record(c portfolio.Change) {
	w.t.Helper()
	err := w.Store.Update(context.Background(), func(portfolio.Ledger) (portfolio.Change, error) { return c, nil })
	if err != nil {
		w.t.Fatal(err)
	}
}

// HeldQuantity is how much of a symbol the book has in an account, with all that is recorded.
func (w *LedgerFixture) HeldQuantity(account string, sym market.Symbol) string {
	w.t.Helper()
	b, err := positions.ApplyChange(w.Ledger(), portfolio.Change{})
	if err != nil {
		w.t.Fatal(err)
	}
	for h := range b.OpenPositions() {
		if h.Account == account && h.Symbol == sym {
			return h.Quantity.String()
		}
	}
	return "0"
}

// ModelText is what a result tells a model, in every way.
func ModelText(res tool.Result) string {
	return strings.Join([]string{res.ModelText(), res.Title, res.Summary, fmt.Sprint(res.Figures)}, "\n")
}

// ResultText is what a result says, be it an error or an answer.
func ResultText(res tool.Result) string {
	if res.IsError {
		return res.ErrorText()
	}
	return res.ModelText()
}
