package ledger_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// newFundedFixture has 5,000 USD and lots of 10 and 5 VTI in account main.
func newFundedFixture(t testing.TB) *fixture {
	t.Helper()
	w := newFixture(t)
	w.MustCall("add_transaction", args{"kind": "deposit", "date": "2024-01-01", "account": "main", "amount": 5000, "currency": "USD"})
	w.MustCall("add_transaction", buyVTI(args{"account": "main"}))
	w.MustCall("add_transaction", buyVTI(args{"account": "main", "date": "2024-01-03", "quantity": 5, "price": 220}))
	return w
}

// Each argument of a call is recorded in its own field.
func TestAddTransaction_EachArgumentHasItsField(t *testing.T) {
	null := func(text string) decimal.NullDecimal { return decimal.NewNullDecimal(toolstest.MustDecimal(text)) }
	base := portfolio.Transaction{ID: "t4", Date: portfoliotest.Day("2024-02-01"), Account: "main", Symbol: "VTI", Currency: "USD"}
	for _, tc := range []struct {
		name string
		in   args
		want func(*portfolio.Transaction)
	}{
		{
			"quantity and price", args{"kind": "buy", "quantity": 2, "price": 10.25, "fee": 1, "tax": 0.5, "note": " why "},
			func(x *portfolio.Transaction) {
				x.Kind, x.Quantity, x.Price, x.Amount = portfolio.KindBuy, toolstest.MustDecimal("2"), null("10.25"), toolstest.MustDecimal("20.5")
				x.Fee, x.Tax, x.Note = toolstest.MustDecimal("1"), toolstest.MustDecimal("0.5"), "why"
			},
		},
		{
			"quantity and amount", args{"kind": "Buy", "quantity": 3, "amount": 100},
			func(x *portfolio.Transaction) {
				x.Kind, x.Quantity, x.Amount = portfolio.KindBuy, toolstest.MustDecimal("3"), toolstest.MustDecimal("100")
			},
		},
		{
			"lots that are named", args{"kind": "sell", "quantity": 3, "amount": 700, "lots": []args{{"lot": "t3", "quantity": 2}, {"lot": " t2 ", "quantity": 1}}},
			func(x *portfolio.Transaction) {
				x.Kind, x.Quantity, x.Amount = portfolio.KindSell, toolstest.MustDecimal("3"), toolstest.MustDecimal("700")
				x.Lots = []portfolio.LotPick{{Lot: "t3", Quantity: toolstest.MustDecimal("2")}, {Lot: "t2", Quantity: toolstest.MustDecimal("1")}}
			},
		},
		{
			"a sale of what is not held", args{"kind": "sell", "quantity": 20, "amount": 4000, "short": true},
			func(x *portfolio.Transaction) {
				x.Kind, x.Quantity, x.Amount, x.Short = portfolio.KindSell, toolstest.MustDecimal("20"), toolstest.MustDecimal("4000"), true
			},
		},
		{
			"a transfer with its day and cost", args{"kind": "transfer-in", "quantity": 2, "amount": 300, "acquired": "2019-05-06"},
			func(x *portfolio.Transaction) {
				x.Kind, x.Quantity, x.Amount, x.Acquired = portfolio.KindTransferIn, toolstest.MustDecimal("2"), toolstest.MustDecimal("300"), portfoliotest.Day("2019-05-06")
			},
		},
		{
			"a currency in small letters", args{"kind": "dividend", "amount": 7, "currency": "usd"},
			func(x *portfolio.Transaction) { x.Kind, x.Amount = portfolio.KindDividend, toolstest.MustDecimal("7") },
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newFundedFixture(t)
			tc.in["symbol"], tc.in["date"], tc.in["account"] = "vti", "2024-02-01", "main"
			w.MustCall("add_transaction", tc.in)
			all := w.Ledger().Transactions
			want := base
			tc.want(&want)
			if diff := cmp.Diff(want, all[len(all)-1]); diff != "" {
				t.Errorf("recorded (-want +got):\n%s", diff)
			}
		})
	}
}

// The amount may differ from quantity times price by half of the last digit of the price for each unit,
// plus half a cent: 3 at 333.33 is 999.99 ± 0.02.
func TestAddTransaction_RoundingHasItsBounds(t *testing.T) {
	for _, tc := range []struct {
		quantity, price, amount any
		currency                string
		fits                    bool
	}{
		{3, 333.33, 1000.01, "USD", true}, {3, 333.33, 1000.02, "USD", false}, {3, 333.33, 999.97, "USD", true}, {3, 333.33, 999.96, "USD", false},
		{1000, 0.12, 125, "USD", true}, {1000, 0.12, 125.01, "USD", false},
		{7, 100, 703.50, "USD", true}, {7, 100, 703.51, "USD", false},
		{3, 33.33, 100, "JPY", true}, {3, 33.33, 101, "JPY", false},
	} {
		w := newFixture(t)
		in := buyVTI(args{"quantity": tc.quantity, "price": tc.price, "amount": tc.amount, "currency": tc.currency})
		if res := w.Call("add_transaction", in); res.IsError == tc.fits {
			t.Errorf("%v at %v for %v %s = error %v %s; want it to fit %v", tc.quantity, tc.price, tc.amount, tc.currency, res.IsError, res.ErrorText(), tc.fits)
		}
	}
}

// Invalid numbers are refused in every field, by its name.
func TestAddTransaction_ANumberIsRefusedByTheNameOfItsField(t *testing.T) {
	for _, field := range []string{"quantity", "price", "amount", "fee", "tax", "to_amount", "new", "old", "cost_part"} {
		newFixture(t).WantRefused("add_transaction", buyVTI(args{field: -1}), field, "below zero")
	}
	newFixture(t).WantRefused("add_transaction", buyVTI(args{"lots": []args{{"lot": "t1", "quantity": -1}}}), "quantity of a lot", "below zero")
	for _, field := range []string{"date", "acquired"} {
		newFixture(t).WantRefused("add_transaction", buyVTI(args{field: "2024-13-01"}), field)
	}
}

// The preview shows the gain of a sale with its lots, whether the account or the sale chooses them:
// 15 are 10 at 200 and 5 at 220.
func TestAddTransaction_TheGainIsOfTheLotsThatGo(t *testing.T) {
	for _, tc := range []struct {
		method string
		in     args
		gain   string // of 6 sold for 1,500
	}{
		{"fifo", args{}, "300"},           // 1,500 - 6 x 200
		{"lifo", args{}, "200"},           // 1,500 - 5 x 220 - 200
		{"highest_cost", args{}, "200"},   // the same
		{"average", args{}, "260"},        // 3,100 / 15 x 6 = 1,240
		{"fifo", args{"fee": 10}, "290"},  // minus the fee
		{"lifo", args{"tax": 2.5}, "200"}, // C31: tax withheld is not a cost
		{"fifo", args{"lots": []args{{"lot": "t3", "quantity": 4}, {"lot": "t2", "quantity": 2}}}, "220"}, // 1,500 - 880 - 400
	} {
		w := newFundedFixture(t)
		w.MustCall("portfolio_settings", args{"account": args{"name": "main", "cost_basis": tc.method}})
		in := args{"kind": "sell", "date": "2024-03-01", "account": "main", "symbol": "VTI", "quantity": 6, "amount": 1500}
		for k, v := range tc.in {
			in[k] = v
		}
		res := w.MustCall("add_transaction", in)
		if f := toolstest.Figure(t, res, "gain"); !f.Value.Equal(decimal.RequireFromString(tc.gain)) || f.Unit != "USD" {
			t.Errorf("%s %v: gain %s %s; want %s USD", tc.method, tc.in, f.Value, f.Unit, tc.gain)
		}
		if !strings.Contains(w.Plan(), "total gain: +"+tc.gain+".00 USD") {
			t.Errorf("%s %v: the user was shown\n%s\nwant a gain of %s", tc.method, tc.in, w.Plan(), tc.gain)
		}
		if got := w.HeldQuantity("main", "VTI"); got != "9" {
			t.Errorf("%s %v: main holds %s VTI; want 9", tc.method, tc.in, got)
		}
	}
}

// A removed transaction leaves the ledger as if it had never been recorded.
func TestRemoveTransaction_LeavesTheBookAsItWasBefore(t *testing.T) {
	w := newFundedFixture(t)
	before := w.Ledger()
	res := w.MustCall("add_transaction", args{"kind": "sell", "date": "2024-03-01", "account": "main", "symbol": "VTI", "quantity": 6, "amount": 1500})
	id := toolstest.DecodeResult(t, res)["recorded"].(map[string]any)["id"].(string)
	gone := toolstest.DecodeResult(t, w.MustCall("remove_transaction", args{"id": " " + id + " "}))
	if diff := cmp.Diff(before, w.Ledger()); diff != "" {
		t.Errorf("the ledger after a sale came and went (-before +after):\n%s", diff)
	}
	if removed := gone["removed"].(map[string]any); removed["id"] != id || removed["amount"] != "1500" {
		t.Errorf("removed = %v; want the sale", removed)
	}
	w.WantRefused("remove_transaction", args{"id": id}, "unknown transaction")
	w.WantRefused("remove_transaction", args{"id": ""}, "")
	w.Allow = false
	w.WantRefused("remove_transaction", args{"id": "t3"}, "refused")
	if diff := cmp.Diff(before, w.Ledger()); diff != "" {
		t.Errorf("the ledger after refusals (-before +after):\n%s", diff)
	}
}

// Each filter works alone, with inclusive ends, and all of them work together. held is the position
// after each transaction.
func TestPortfolioTransactions_FiltersHoldTogether(t *testing.T) {
	w := newFundedFixture(t)
	w.MustCall("portfolio_settings", args{"account": args{"name": "other", "new": true}})
	w.MustCall("add_transaction", args{"kind": "transfer_out", "date": "2024-02-05", "account": "main", "to_account": "other", "symbol": "VTI", "quantity": 4})
	for _, tc := range []struct {
		name string
		in   args
		want string
	}{
		{"the first day", args{"from": "2024-01-03"}, "t4 t3"},
		{"the last day", args{"to": "2024-01-02"}, "t2 t1"},
		{"one day", args{"from": "2024-01-02", "to": "2024-01-02"}, "t2"},
		{"a month", args{"from": "2024-01", "to": "2024-01"}, "t3 t2 t1"},
		{"who receives", args{"account": "other"}, "t4"},
		{"who gives", args{"account": "main", "kind": "transfer out"}, "t4"},
		{"a symbol in a month", args{"symbol": "VTI", "to": "2024-01"}, "t3 t2"},
		{"an ID", args{"text": "T3"}, "t3"},
		{"nothing at once", args{"symbol": "VTI", "kind": "deposit"}, ""},
	} {
		if got := idsOf(t, w.MustCall("portfolio_transactions", tc.in)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	res := w.MustCall("portfolio_transactions", args{"symbol": "VTI"})
	for id, want := range map[string]string{"transactions.2.held": "10", "transactions.1.held": "15", "transactions.0.held": "11"} {
		if got := toolstest.Figure(t, res, id).Value.String(); got != want {
			t.Errorf("figure %s = %s, want %s", id, got, want)
		}
	}
}
