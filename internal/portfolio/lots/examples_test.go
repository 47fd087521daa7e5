package lots_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// example is a short history of one account with results computed by hand.
type example struct {
	name                    string
	method                  portfolio.Method // empty means FIFO
	lines                   []string
	wantLots, wantDisposals []string
	cash                    []string // not checked if nil
}

func (w example) check(t *testing.T) {
	t.Helper()
	l := ledger(t, w.lines...)
	if w.method != "" {
		withMethod(l, w.method)
	}
	engine := replayAll(t, l)
	if diff := cmp.Diff(w.wantLots, lotsOf(engine)); diff != "" {
		t.Errorf("lots, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(w.wantDisposals, disposalsOf(engine)); diff != "" {
		t.Errorf("disposals, -want +got:\n%s", diff)
	}
	if w.cash != nil {
		if diff := cmp.Diff(w.cash, cashOf(engine)); diff != "" {
			t.Errorf("cash, -want +got:\n%s", diff)
		}
	}
	checkBalanced(t, l, engine)
}

func TestEngine_WorkedTrades(t *testing.T) {
	for _, w := range []example{
		{
			// 1,560 - 6 - 1.20 = 1,552.80 for 12, 129.40 a share: 1,294 and 258.80. The
			// lots cost 100.50 and 120.50 a share.
			name: "a sale over two lots, with fees and tax of the purchase and tax withheld on the sale",
			lines: []string{
				"2023-01-02 buy 10 XYZ 1000 USD fee=5", "2023-02-01 buy 5 XYZ 600 USD fee=2 tax=0.5", "2023-03-01 sell 12 XYZ 1560 USD fee=6 tax=1.2",
			},
			wantLots:      []string{"a XYZ t2: 3 for 361.5 USD, 2023-02-01"},
			wantDisposals: []string{"t3 t1: 10 for 1295 USD, cost 1005", "t3 t2: 2 for 259 USD, cost 241"},
			cash:          []string{"a -54.7 USD"}, // -1,005 - 602.50 + 1,552.80
		},
		{
			// 2,400 for 20 is 120 a share; 5 go at 600. 1,800 + 800 for 20 is 130; 10 go
			// at 1,300, 5 of t1 and 5 of t2.
			name: "an average after a partial sale and one more purchase", method: portfolio.MethodAverage,
			lines: []string{
				"2023-01-02 buy 10 XYZ 1000 USD", "2023-02-01 buy 10 XYZ 1400 USD", "2023-03-01 sell 5 XYZ 700 USD",
				"2023-04-01 buy 5 XYZ 800 USD", "2023-05-01 sell 10 XYZ 1500 USD",
			},
			wantLots:      []string{"a XYZ t2: 5 for 650 USD, 2023-02-01", "a XYZ t4: 5 for 650 USD, 2023-04-01"},
			wantDisposals: []string{"t3 t1: 5 for 700 USD, cost 600", "t5 t1: 5 for 750 USD, cost 650", "t5 t2: 5 for 750 USD, cost 650"},
		},
		{
			// After everything is sold the average starts again.
			name: "an average forgets what is gone", method: portfolio.MethodAverage,
			lines: []string{
				"2023-01-02 buy 10 XYZ 1000 USD", "2023-02-01 sell 10 XYZ 900 USD", "2023-03-01 buy 4 XYZ 200 USD", "2023-04-01 sell 1 XYZ 60 USD",
			},
			wantLots:      []string{"a XYZ t3: 3 for 150 USD, 2023-03-01"},
			wantDisposals: []string{"t2 t1: 10 for 900 USD, cost 1000", "t4 t3: 1 for 60 USD, cost 50"},
		},
		{
			// 100 euros and 300 dollars have no average, until all of it is sold.
			name: "an average of two currencies is none", method: portfolio.MethodAverage,
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 EUR", "2023-02-01 buy 10 XYZ 300 USD", "2023-03-01 sell 15 XYZ 600 USD", "2023-03-02 sell 5 XYZ 200 USD",
				"2023-04-01 buy 10 XYZ 400 USD", "2023-05-01 sell 4 XYZ 200 USD",
			},
			wantLots: []string{"a XYZ t5: 6 for 240 USD, 2023-04-01"},
			wantDisposals: []string{
				"t3 t1: 10 for 400 USD, cost ? EUR", "t3 t2: 5 for 200 USD, cost ?", "t4 t2: 5 for 200 USD, cost ?", "t6 t5: 4 for 200 USD, cost 160",
			},
		},
		{
			// Received 499 and 599. 828 paid for 15 is 55.20 a share: 552 against 499, 276 against
			// half of 599. The oldest is closed first with any method.
			name: "two short sales closed in part", method: portfolio.MethodLIFO,
			lines: []string{
				"2023-01-02 sell 10 XYZ 500 USD fee=1 short=yes", "2023-02-01 sell 10 XYZ 600 USD fee=1 short=yes", "2023-03-01 buy 15 XYZ 825 USD fee=3",
			},
			wantLots:      []string{"a XYZ t2: -5 for 299.5 USD, 2023-02-01"},
			wantDisposals: []string{"t3 t1: -10 for 499 USD, cost 552", "t3 t2: -5 for 299.5 USD, cost 276"},
			cash:          []string{"a 270 USD"},
		},
		{
			// 10 short at 600, 3 for 2 makes 15: 40 a share. 5 closed for 150 against 200;
			// 12 more for 480 close 10 at 400 against 400, and 2 are bought for 80.
			name: "a short position, split, closed and turned",
			lines: []string{
				"2023-01-02 sell 10 XYZ 600 USD short=yes", "2023-02-01 split XYZ ratio=3:2", "2023-03-01 buy 5 XYZ 150 USD", "2023-04-01 buy 12 XYZ 480 USD",
			},
			wantLots:      []string{"a XYZ t4: 2 for 80 USD, 2023-04-01"},
			wantDisposals: []string{"t3 t1: -5 for 200 USD, cost 150", "t4 t1: -10 for 400 USD, cost 400"},
		},
		{
			// Sold for euros, closed for dollars: received 450 EUR of 900 for half.
			name:          "a short position of two currencies",
			lines:         []string{"2023-01-02 sell 10 XYZ 900 EUR short=yes", "2023-02-01 buy 5 XYZ 400 USD"},
			wantLots:      []string{"a XYZ t1: -5 for 450 EUR, 2023-01-02"},
			wantDisposals: []string{"t2 t1: -5 for 450 EUR, cost 400 USD"},
			cash:          []string{"a 900 EUR", "a -400 USD"},
		},
		{
			// No times are known: shares bought that day can be sold that day.
			name: "bought and sold on one day, of which no time is known", method: portfolio.MethodLIFO,
			lines:         []string{"2023-01-02 buy 10 XYZ 100 USD", "2023-02-01 sell 10 XYZ 130 USD", "2023-02-01 buy 10 XYZ 120 USD"},
			wantLots:      []string{"a XYZ t1: 10 for 100 USD, 2023-01-02"},
			wantDisposals: []string{"t2 t3: 10 for 130 USD, cost 120"},
		},
		{
			name: "bought and sold on one day, the sale first", method: portfolio.MethodLIFO,
			lines:         []string{"2023-01-02 buy 10 XYZ 100 USD at=10:00", "2023-02-01 sell 10 XYZ 130 USD at=09:31", "2023-02-01 buy 10 XYZ 120 USD at=15:59"},
			wantLots:      []string{"a XYZ t3: 10 for 120 USD, 2023-02-01"},
			wantDisposals: []string{"t2 t1: 10 for 130 USD, cost 100"},
		},
		{
			// 60 - 9 tax = 51, of which 1 is the fee: t2 costs 51. At the average 1,051 for
			// 10.5 shares is 100.095238...: 5 cost 500.476190476190.
			name: "a dividend reinvested after tax, at the average", method: portfolio.MethodAverage,
			lines: []string{
				"2023-01-02 buy 10 XYZ 1000 USD", "2023-02-01 reinvested_dividend 0.5 XYZ 60 USD tax=9 fee=1", "2023-03-01 sell 5 XYZ 600 USD",
			},
			wantLots:      []string{"a XYZ t1: 5 for 500.476190476191 USD, 2023-01-02", "a XYZ t2: 0.5 for 50.047619047619 USD, 2023-02-01"},
			wantDisposals: []string{"t3 t1: 5 for 600 USD, cost 500.47619047619"},
			cash:          []string{"a -400 USD"},
		},
		{
			// The fee is more than the sale: -2 for 3 shares.
			name:          "a sale that costs more than it brings",
			lines:         []string{"2023-01-02 buy 3 XYZ 30 USD", "2023-02-01 sell 3 XYZ 5 USD fee=7"},
			wantDisposals: []string{"t2 t1: 3 for -2 USD, cost 30"},
			cash:          []string{"a -32 USD"},
		},
		{
			// Transferred shares are older than those bought before the transfer.
			name: "the newest first, with a transfer of older shares", method: portfolio.MethodLIFO,
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 USD", "2023-02-01 transfer_in 10 XYZ 50 USD acquired=2020-05-04", "2023-03-01 sell 15 XYZ 300 USD",
			},
			wantLots:      []string{"a XYZ t2: 5 for 25 USD, 2020-05-04"},
			wantDisposals: []string{"t3 t1: 10 for 200 USD, cost 100", "t3 t2: 5 for 100 USD, cost 25"},
		},
		{
			// 1,000 spent with a fee of 3 reduces cash by 1,003; 920 EUR are received.
			name:     "an exchange with a fee",
			lines:    []string{"2023-01-02 deposit 2000 USD", "2023-02-01 currency_exchange 1000 USD toamount=920EUR fee=3", "2023-03-01 buy 9 XYZ 900 EUR fee=4"},
			wantLots: []string{"a XYZ t3: 9 for 904 EUR, 2023-03-01"},
			cash:     []string{"a 16 EUR", "a 997 USD"},
		},
		{
			// The dividend belongs to the holder on the record date and is booked before the
			// purchase.
			name:     "a dividend before its purchase",
			lines:    []string{"2023-01-02 dividend XYZ 10 USD tax=1.5", "2023-01-04 buy 10 XYZ 100 USD"},
			wantLots: []string{"a XYZ t2: 10 for 100 USD, 2023-01-04"},
			cash:     []string{"a -91.5 USD"},
		},
	} {
		t.Run(w.name, func(t *testing.T) { w.check(t) })
	}
}

func TestEngine_WorkedActions(t *testing.T) {
	for _, w := range []example{
		{
			// 150 over a cost of 100: a gain of 50, and the shares cost nothing.
			name: "capital paid back beyond the cost, and the shares sold",
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 USD", "2023-02-01 return_of_capital XYZ 150 USD fee=2", "2023-03-01 sell 4 XYZ 80 USD", "2023-04-01 return_of_capital XYZ 12 USD",
			},
			wantLots:      []string{"a XYZ t1: 6 for 0 USD, 2023-01-02"},
			wantDisposals: []string{"t2 t1: 0 for 50 USD, cost 0", "t3 t1: 4 for 80 USD, cost 0", "t4 t1: 0 for 12 USD, cost 0"},
			cash:          []string{"a 140 USD"}, // -100 + 150 - 2 + 80 + 12
		},
		{
			// 400 for 20 is 20 a share; 15 left cost 300. 60 back is 4 a share: 240, 16 a
			// share, which is 80 for 5 and 160 for 10.
			name: "capital paid back at the average", method: portfolio.MethodAverage,
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 USD", "2023-01-03 buy 10 XYZ 300 USD", "2023-02-01 sell 5 XYZ 150 USD", "2023-03-01 return_of_capital XYZ 60 USD",
			},
			wantLots:      []string{"a XYZ t1: 5 for 80 USD, 2023-01-02", "a XYZ t2: 10 for 160 USD, 2023-01-03"},
			wantDisposals: []string{"t3 t1: 5 for 150 USD, cost 100"},
		},
		{
			// A cost of 10 euros and a dollar returned cannot be subtracted.
			name:     "capital paid back in another currency",
			lines:    []string{"2023-01-02 buy 10 XYZ 100 EUR", "2023-02-01 return_of_capital XYZ 50 USD"},
			wantLots: []string{"a XYZ t1: 10 for ? EUR, 2023-01-02"},
			cash:     []string{"a -100 EUR", "a 50 USD"},
		},
		{
			// 6 of 10 left, at 600. A fifth, 120, goes with 3 of KID, of which one is sold
			// for 55 at a cost of 40.
			name: "a spin-off after a partial sale",
			lines: []string{
				"2023-01-02 buy 10 XYZ 1000 USD", "2023-02-01 sell 4 XYZ 480 USD", "2023-03-01 spin_off 3 XYZ tosymbol=KID part=0.2", "2023-04-01 sell 1 KID 55 USD",
			},
			wantLots:      []string{"a KID t1: 2 for 80 USD, 2023-01-02", "a XYZ t1: 6 for 480 USD, 2023-01-02"},
			wantDisposals: []string{"t2 t1: 4 for 480 USD, cost 400", "t4 t1: 1 for 55 USD, cost 40"},
		},
		{
			// A coin distributed in quantities of 14 decimals, 10 to 20, then split: no digit is
			// lost.
			name: "a spin-off and a split of many digits",
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 USD", "2023-01-03 buy 20 XYZ 200 USD", "2023-02-01 spin_off 0.00000000000003 XYZ tosymbol=KID part=0",
				"2023-02-02 split KID ratio=2:1",
			},
			wantLots: []string{
				"a KID t1: 0.00000000000002 for 0 USD, 2023-01-02", "a KID t2: 0.00000000000004 for 0 USD, 2023-01-03",
				"a XYZ t1: 10 for 100 USD, 2023-01-02", "a XYZ t2: 20 for 200 USD, 2023-01-03",
			},
		},
		{
			// KID: 4 for 100 are held; 5 come with 20% of 500 = 100: 200 for 9, and 3 are sold at
			// 66.666666666667. The oldest lot is the one from XYZ, of 2022.
			name: "a spin-off into what is held already, at the average", method: portfolio.MethodAverage,
			lines: []string{
				"2022-01-03 buy 10 XYZ 500 USD", "2023-01-02 buy 4 KID 100 USD", "2023-03-01 spin_off 5 XYZ tosymbol=KID part=0.2", "2023-04-03 sell 3 KID 90 USD",
			},
			wantLots: []string{
				"a KID t1: 2 for 44.444444444444 USD, 2022-01-03", "a KID t2: 4 for 88.888888888889 USD, 2023-01-02", "a XYZ t1: 10 for 400 USD, 2022-01-03",
			},
			wantDisposals: []string{"t4 t1: 3 for 90 USD, cost 66.666666666667"},
		},
		{
			// 6 left at 600; 3 of NEW. 300 - 3 fee = 297 in cash against a quarter of the cost,
			// 150: a gain of 147. The 3 cost 450, and one is sold for 200.
			name: "a merger for shares and cash after a partial sale",
			lines: []string{
				"2023-01-02 buy 10 XYZ 1000 USD", "2023-02-01 sell 4 XYZ 480 USD", "2023-03-01 merger XYZ 300 USD tosymbol=NEW ratio=1:2 part=0.25 fee=3", "2023-04-01 sell 1 NEW 200 USD",
			},
			wantLots:      []string{"a NEW t1: 2 for 300 USD, 2023-01-02"},
			wantDisposals: []string{"t2 t1: 4 for 480 USD, cost 400", "t3 t1: 0 for 297 USD, cost 150", "t4 t1: 1 for 200 USD, cost 150"},
			cash:          []string{"a -23 USD"}, // -1,000 + 480 + 300 - 3 + 200
		},
		{
			// The part of the cost that belongs to the cash is unknown.
			name:          "a merger for shares and cash of which no more is known",
			lines:         []string{"2023-01-02 buy 10 XYZ 1000 USD", "2023-03-01 merger XYZ 300 USD tosymbol=NEW ratio=1:2"},
			wantLots:      []string{"a NEW t1: 5 for ? USD, 2023-01-02"},
			wantDisposals: []string{"t2 t1: 0 for 300 USD, cost ?"},
		},
		{
			// NEW: 10 for 200 held, 5 for 1,000 come: 1,200 for 15, 80 a share.
			name: "a merger into what is held already, at the average", method: portfolio.MethodAverage,
			lines: []string{
				"2022-01-03 buy 10 XYZ 1000 USD", "2023-01-02 buy 10 NEW 200 USD", "2023-03-01 merger XYZ tosymbol=NEW ratio=1:2", "2023-04-03 sell 6 NEW 600 USD",
			},
			wantLots:      []string{"a NEW t2: 9 for 720 USD, 2023-01-02"},
			wantDisposals: []string{"t4 t1: 5 for 500 USD, cost 400", "t4 t2: 1 for 100 USD, cost 80"},
		},
		{
			// 12 shares at 240 are 36 at 6.666...; of t2 6 at 30 a share are 18 at 10. The highest
			// cost goes first: 18 for 180, then 2 of t1 at 13.333333333333.
			name: "the dearest after a split", method: portfolio.MethodHighestCost,
			lines: []string{
				"2023-01-02 buy 12 XYZ 240 USD", "2023-01-03 buy 6 XYZ 180 USD", "2023-02-01 split XYZ ratio=3:1", "2023-03-01 sell 20 XYZ 400 USD",
			},
			wantLots:      []string{"a XYZ t1: 34 for 226.666666666667 USD, 2023-01-02"},
			wantDisposals: []string{"t4 t2: 18 for 360 USD, cost 180", "t4 t1: 2 for 40 USD, cost 13.333333333333"},
		},
		{
			// A millionth of a share at 1 for 10,000,000 rounds to zero but cost 5: it goes with
			// the last shares.
			name: "a lot of which nothing is left", method: portfolio.MethodLIFO,
			lines: []string{
				"2023-01-02 buy 0.000001 XYZ 5 USD", "2023-01-03 buy 1000000 XYZ 10 USD", "2023-02-01 reverse_split XYZ ratio=1:10000000",
				"2023-03-01 sell 0.1 XYZ 20 USD", "2023-04-01 buy 1 XYZ 30 USD",
			},
			wantLots:      []string{"a XYZ t5: 1 for 30 USD, 2023-04-01"},
			wantDisposals: []string{"t4 t2: 0.1 for 20 USD, cost 10", "t4 t1: 0 for 0 USD, cost 5"},
		},
		{
			// A purchase on the day of a split is in new shares.
			name:     "a purchase on the day of a split",
			lines:    []string{"2023-01-02 buy 10 XYZ 100 USD", "2023-02-01 buy 10 XYZ 60 USD", "2023-02-01 split XYZ ratio=2:1"},
			wantLots: []string{"a XYZ t1: 20 for 100 USD, 2023-01-02", "a XYZ t2: 10 for 60 USD, 2023-02-01"},
		},
	} {
		t.Run(w.name, func(t *testing.T) { w.check(t) })
	}
}

func TestEngine_WorkedMoves(t *testing.T) {
	for _, w := range []example{
		{
			// 6 of t2 and 4 of t1 move to b; 5 of them are sold there by lot.
			name: "moved, and sold in lots that are named", method: portfolio.MethodSpecific,
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 USD", "2023-02-01 buy 10 XYZ 300 USD", "2023-03-01 transfer_out 10 XYZ to=b lot=t2:6 lot=t1:4",
				"2023-04-03 sell 5 XYZ 200 USD account=b lot=t1:1 lot=t2:4",
			},
			wantLots: []string{
				"a XYZ t1: 6 for 60 USD, 2023-01-02", "a XYZ t2: 4 for 120 USD, 2023-02-01",
				"b XYZ t1: 3 for 30 USD, 2023-01-02", "b XYZ t2: 2 for 60 USD, 2023-02-01",
			},
			wantDisposals: []string{"t4 t1: 1 for 40 USD, cost 10", "t4 t2: 4 for 160 USD, cost 120"},
		},
		{
			// 600 for 20 at the average: 15 move with 450, 10 at 300 and 5 at 150.
			name: "moved at the average", method: portfolio.MethodAverage,
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 USD", "2023-02-01 buy 10 XYZ 500 USD", "2023-03-01 transfer_out 15 XYZ to=b", "2023-04-03 sell 6 XYZ 240 USD account=b",
			},
			wantLots: []string{
				"a XYZ t2: 5 for 150 USD, 2023-02-01", "b XYZ t1: 4 for 120 USD, 2023-01-02", "b XYZ t2: 5 for 150 USD, 2023-02-01",
			},
			wantDisposals: []string{"t4 t1: 6 for 240 USD, cost 180"},
		},
		{
			// Shares that move from a to b can move on to c on the same day.
			name: "moved twice on one day and sold",
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 USD", "2023-02-01 sell 4 XYZ 80 USD account=c", "2023-02-01 transfer_out 7 XYZ account=b to=c", "2023-02-01 transfer_out 8 XYZ to=b",
			},
			wantLots: []string{
				"a XYZ t1: 2 for 20 USD, 2023-01-02", "b XYZ t1: 1 for 10 USD, 2023-01-02", "c XYZ t1: 3 for 30 USD, 2023-01-02",
			},
			wantDisposals: []string{"t2 t1: 4 for 80 USD, cost 40"},
		},
		{
			// A lot that was away is not the one that was here before.
			name: "moved there, back and there again",
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 USD", "2023-02-01 transfer_out 10 XYZ to=b", "2023-02-02 transfer_out 10 XYZ account=b to=a",
				"2023-02-03 transfer_out 10 XYZ to=b", "2023-02-04 transfer_out 4 XYZ account=b to=a",
			},
			wantLots: []string{"a XYZ t1: 4 for 40 USD, 2023-01-02", "b XYZ t1: 6 for 60 USD, 2023-01-02"},
		},
		{
			// A split in a changes only the shares in a; b has its own.
			name: "a split of each account for itself",
			lines: []string{
				"2023-01-02 buy 10 XYZ 100 USD", "2023-01-03 transfer_out 4 XYZ to=b", "2023-02-01 split XYZ ratio=2:1", "2023-02-02 split XYZ ratio=2:1 account=b", "2023-03-01 transfer_out 8 XYZ account=b to=a",
			},
			wantLots: []string{"a XYZ t1: 20 for 100 USD, 2023-01-02"},
		},
	} {
		t.Run(w.name, func(t *testing.T) { w.check(t) })
	}
}

// The name of a security moves with the shares.
func TestEngine_AMoveBringsTheNameAlong(t *testing.T) {
	l := ledger(t, "2023-01-02 buy 10 XYZ 100 USD name=Xylophones", "2023-02-01 transfer_out 4 XYZ to=b")
	l.Transactions[0].ISIN = "US0000000002"
	engine := replayAll(t, l)
	for _, p := range engine.Positions() {
		if p.Name != "Xylophones" || p.ISIN != "US0000000002" {
			t.Errorf("in %q it is called %q, %q; want the name and number of the purchase", p.Account, p.Name, p.ISIN)
		}
	}
}
