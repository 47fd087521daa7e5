package bookkeeping_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/bookkeeping"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

type args = toolboxtest.Args

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// mappings keep documents in memory.
type mappings struct {
	mu   sync.Mutex
	docs map[string]json.RawMessage
}

func (m *mappings) Mapping(_ context.Context, name string) (json.RawMessage, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	doc, ok := m.docs[name]
	return doc, ok, nil
}

func (m *mappings) SaveMapping(_ context.Context, name string, doc json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.docs[name] = doc
	return nil
}

func (m *mappings) Mappings(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for name := range m.docs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// world is an empty book on a Friday, with prices of VTI and SAP and some files.
type world struct {
	bookkeeping.Deps
	t        testing.TB
	files    map[string][]byte
	mappings *mappings
	asked    *[]tool.Approval
	refuse   bool
	// meanwhile happens while the user thinks.
	meanwhile func()
}

func newWorld(t testing.TB) *world {
	t.Helper()
	first := portfoliotest.Day("2024-06-24")
	sap, vti := markettest.Daily("SAP", first, "150", "151"), markettest.Daily("VTI", first, "240", "241")
	sap.Provenance.Currency = "EUR"
	vti.Instrument.Name, vti.Instrument.ISIN = "Vanguard Total Stock Market ETF", "US9229087690"
	source := markettest.NewSource(vti, sap)
	w := &world{t: t, files: map[string][]byte{}, mappings: &mappings{docs: map[string]json.RawMessage{}}, asked: &[]tool.Approval{}}
	var made atomic.Int64
	w.Deps = bookkeeping.Deps{
		Deps: book.Deps{
			Prices: question.Prices{Bars: source, Directory: source, Now: toolboxtest.Clock(t, "2024-06-28T20:00:00Z")},
			Quotes: source, Store: &portfoliotest.Store{}, Base: "USD",
		},
		NewIDs: func(n int) ([]string, error) {
			ids := make([]string, n)
			for i := range ids {
				ids[i] = fmt.Sprintf("t%d", made.Add(1))
			}
			return ids, nil
		},
		Read: func(path string) (string, []byte, error) {
			raw, ok := w.files[path]
			if !ok {
				return "", nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
			}
			return path, raw, nil
		},
		Mappings: w.mappings,
	}
	return w
}

// router says yes to everything that is asked, unless the world refuses, and
// remembers the questions.
func (w *world) router() *tool.Router {
	w.t.Helper()
	var mu sync.Mutex
	yes := tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		mu.Lock()
		*w.asked = append(*w.asked, a)
		mu.Unlock()
		if w.meanwhile != nil {
			w.meanwhile()
		}
		return tool.Answer{Allowed: !w.refuse, Person: true}, nil
	})
	r, err := tool.NewRouter(bookkeeping.Tools(w.Deps), tool.Options{Approver: yes})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) call(name string, in args) tool.Result {
	w.t.Helper()
	return toolboxtest.Ask(w.t, w.router(), name, in)
}

// done calls for a result that must not be an error.
func (w *world) done(name string, in args) tool.Result {
	w.t.Helper()
	res := w.call(name, in)
	if res.IsError {
		w.t.Fatalf("%s %v = error: %s", name, in, res.ErrorText())
	}
	return res
}

// wantRefused calls for an error that says each of the parts, and after which the
// book is as it was.
func (w *world) wantRefused(name string, in args, parts ...string) {
	w.t.Helper()
	before := w.ledger()
	res := w.call(name, in)
	for _, part := range parts {
		if !res.IsError || !strings.Contains(res.ErrorText(), part) {
			w.t.Errorf("%s %v = %q; want an error that says %q", name, in, cmpText(res), part)
		}
	}
	if after := w.ledger(); len(after.Transactions) != len(before.Transactions) || len(after.Accounts) != len(before.Accounts) || len(after.Aliases) != len(before.Aliases) {
		w.t.Errorf("%s %v was refused and changed the book to %+v", name, in, after)
	}
}

func cmpText(res tool.Result) string {
	if res.IsError {
		return res.ErrorText()
	}
	return res.ModelText()
}

func (w *world) ledger() portfolio.Ledger {
	w.t.Helper()
	l, err := w.Store.Ledger(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// said is what a result tells a model, in every way.
func said(res tool.Result) string {
	return strings.Join([]string{res.ModelText(), res.Title, res.Summary, fmt.Sprint(res.Figures)}, "\n")
}

// plan is what the user was shown last.
func (w *world) plan() string {
	w.t.Helper()
	if len(*w.asked) == 0 {
		w.t.Fatal("nobody was asked")
	}
	return strings.Join((*w.asked)[len(*w.asked)-1].Plan, "\n")
}

// held is how much of a symbol the book has in an account.
func (w *world) held(account, symbol string) string {
	w.t.Helper()
	b, err := portfolio.Open(w.ledger())
	if err != nil {
		w.t.Fatal(err)
	}
	if err := b.Advance(market.Date{}); err != nil {
		w.t.Fatal(err)
	}
	for h := range b.Holdings() {
		if h.Account == account && h.Symbol == market.Symbol(symbol) {
			return h.Quantity.String()
		}
	}
	return "0"
}
