package lots_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

// withCashPolicy sets the cash policy of account a.
func withCashPolicy(l portfolio.Ledger, policy portfolio.CashPolicy) portfolio.Ledger {
	l.Accounts[0].Cash = policy
	return l
}

// postingsOf formats each posting as "id account category: amount".
func postingsOf(b *lots.Engine) []string {
	var lines []string
	for _, p := range b.Postings() {
		what := p.Quantity.String()
		if p.Currency != "" {
			what = fmt.Sprintf("%s %s", p.Amount, p.Currency)
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s: %s %s", p.Transaction, p.Account, p.Category, what, p.Symbol)))
	}
	return lines
}

func TestEngine_EachKindOfPaymentIsBooked(t *testing.T) {
	engine := replayAll(t, ledger(t,
		"2024-01-01 deposit 1000 USD fee=3", "2024-01-02 buy 5 XYZ 500 USD fee=2 tax=1", "2024-01-03 dividend XYZ 20 USD tax=3 fee=0.5",
		"2024-01-04 interest 4 USD tax=1", "2024-01-05 fee 6 USD", "2024-01-06 tax XYZ 7 USD", "2024-01-07 interest_paid 8 USD",
		"2024-01-08 currency_exchange 100 USD toamount=90EUR fee=1", "2024-01-09 withdrawal 10 EUR",
		"2024-01-10 transfer_out 50 USD to=b", "2024-01-11 sell 5 XYZ 600 USD fee=2 tax=1",
		"2024-01-12 fee_refund 2.5 USD", "2024-01-13 tax_refund XYZ 3.25 USD"))
	want := []string{
		"t1 a external: 1000 USD", "t1 a fee: -3 USD",
		"t2 a trade: 5 XYZ", "t2 a trade: -500 USD XYZ", "t2 a fee: -2 USD XYZ", "t2 a tax: -1 USD XYZ",
		"t3 a income: 20 USD XYZ", "t3 a fee: -0.5 USD XYZ", "t3 a tax: -3 USD XYZ",
		"t4 a income: 4 USD", "t4 a tax: -1 USD", "t5 a fee: -6 USD", "t6 a tax: -7 USD XYZ", "t7 a fee: -8 USD",
		"t8 a internal: -100 USD", "t8 a internal: 90 EUR", "t8 a fee: -1 USD", "t9 a external: -10 EUR",
		"t10 a internal: -50 USD", "t10 b internal: 50 USD",
		"t11 a trade: -5 XYZ", "t11 a trade: 600 USD XYZ", "t11 a fee: -2 USD XYZ", "t11 a tax: -1 USD XYZ",
		"t12 a fee: 2.5 USD", "t13 a tax: 3.25 USD XYZ",
	}
	if diff := cmp.Diff(want, postingsOf(engine)); diff != "" {
		t.Errorf("postings, -want +got:\n%s", diff)
	}
	// 997 - 503 + 16.5 + 3 - 6 - 7 - 8 - 101 - 50 + 597 + 2.5 + 3.25 = 944.25
	if diff := cmp.Diff([]string{"a 80 EUR", "a 944.25 USD", "b 50 USD"}, cashOf(engine)); diff != "" {
		t.Errorf("balances, -want +got:\n%s", diff)
	}
	var incomes []string
	for _, i := range engine.Incomes() {
		incomes = append(incomes, fmt.Sprintf("%s %s tax %s", i.Kind, i.Amount, i.Tax))
	}
	if diff := cmp.Diff([]string{"dividend 20 tax 3", "interest 4 tax 1", "fee -6 tax 0", "tax -7 tax 0", "interest_paid -8 tax 0", "fee_refund 2.5 tax 0", "tax_refund 3.25 tax 0"}, incomes); diff != "" {
		t.Errorf("incomes, -want +got:\n%s", diff)
	}
}

func TestEngine_TrackedCashIsNotOverdrawnAtTheEndOfADay(t *testing.T) {
	l := withCashPolicy(ledger(t, "2024-01-02 deposit 100 USD", "2024-01-03 buy 1 XYZ 150 USD", "2024-01-03 deposit 50 USD", "2024-01-04 buy 1 XYZ 20.50 USD"), portfolio.CashTracked)
	engine := openEngine(t, l)
	if err := engine.Advance(day("2024-01-03")); err != nil {
		t.Fatalf("a deposit of the same day = %v, want nil: only the end of the day counts", err)
	}
	err := engine.Advance(market.Date{})
	if !errors.Is(err, portfolio.ErrOverdrawn) {
		t.Fatalf("buying without cash = %v, want ErrOverdrawn", err)
	}
	for _, part := range []string{`"a"`, "-20.5 USD", "2024-01-04", "deposit", "margin", "untracked"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
	if err := lots.Check(withCashPolicy(l, portfolio.CashMargin)); err != nil {
		t.Errorf("the same on margin = %v, want nil", err)
	}
}

func TestEngine_UntrackedCashComesFromOutsideAndGoesThere(t *testing.T) {
	engine := replayAll(t, withCashPolicy(ledger(t, "2024-01-02 buy 2 XYZ 100 USD fee=1", "2024-01-03 dividend XYZ 5 USD tax=1",
		"2024-01-04 reinvested_dividend 1 XYZ 10 USD", "2024-01-05 transfer_out 7 USD to=b"), portfolio.CashUntracked))
	want := []string{
		"t1 a trade: 2 XYZ", "t1 a trade: -100 USD XYZ", "t1 a fee: -1 USD XYZ", "t1 a external: 101 USD",
		"t2 a income: 5 USD XYZ", "t2 a tax: -1 USD XYZ", "t2 a external: -4 USD",
		"t3 a trade: 1 XYZ", "t3 a income: 10 USD XYZ", "t3 a trade: -10 USD XYZ",
		"t4 a internal: -7 USD", "t4 b internal: 7 USD", "t4 a external: 7 USD",
	}
	if diff := cmp.Diff(want, postingsOf(engine)); diff != "" {
		t.Errorf("postings, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b 7 USD"}, cashOf(engine)); diff != "" {
		t.Errorf("balances, -want +got:\n%s", diff)
	}
}

// 1,000 USD to 920 EUR and back at the same rate changes nothing.
func TestEngine_ExchangeThereAndBack(t *testing.T) {
	engine := replayAll(t, ledger(t, "2024-01-02 deposit 1000 USD", "2024-01-03 currency_exchange 1000 USD toamount=920EUR", "2024-01-04 currency_exchange 920 EUR toamount=1000USD"))
	if diff := cmp.Diff([]string{"a 0 EUR", "a 1000 USD"}, cashOf(engine)); diff != "" {
		t.Errorf("balances, -want +got:\n%s", diff)
	}
}

func TestEngine_TransferKeepsCostDateAndID(t *testing.T) {
	engine := replayAll(t, ledger(t,
		"2023-01-02 buy 10 XYZ 1000 USD", "2023-02-01 buy 10 XYZ 2000 USD", "2023-03-01 transfer_out 15 XYZ to=b fee=25 currency=USD",
		"2023-04-01 transfer_out 12 XYZ account=b to=a", "2023-05-01 transfer_out 3 XYZ lot=t2:3", "2023-06-01 transfer_in 2 XYZ 150 USD acquired=2020-05-04"))
	want := []string{
		// Of t2: 5 at 1,000 remain, 2 at 400 came back, 3 at 600 left the ledger.
		"a XYZ t6: 2 for 150 USD, 2020-05-04", "a XYZ t1: 10 for 1000 USD, 2023-01-02", "a XYZ t2: 4 for 800 USD, 2023-02-01",
		"b XYZ t2: 3 for 600 USD, 2023-02-01",
	}
	if diff := cmp.Diff(want, lotsOf(engine)); diff != "" {
		t.Errorf("lots, -want +got:\n%s", diff)
	}
	if len(engine.Disposals()) != 0 {
		t.Errorf("disposals = %v, want none: a transfer is no sale", disposalsOf(engine))
	}
	var gone []string
	for _, d := range engine.TransferredLots() {
		gone = append(gone, fmt.Sprintf("%s %s %s: %s %s, %s", d.Transaction, d.Account, d.Lot, d.Quantity, d.Symbol, d.Acquired.Format("2006-01-02")))
	}
	if diff := cmp.Diff([]string{"t5 a t2: 3 XYZ, 2023-02-01"}, gone); diff != "" {
		t.Errorf("transferred lots, -want +got (moves within the ledger are none):\n%s", diff)
	}
	var external []string
	for _, line := range postingsOf(engine) {
		if strings.Contains(line, "external") {
			external = append(external, line)
		}
	}
	if diff := cmp.Diff([]string{"t5 a external: -3 XYZ", "t6 a external: 2 XYZ"}, external); diff != "" {
		t.Errorf("postings to and from outside, -want +got:\n%s", diff)
	}
}

func TestEngine_AliasesNameOneSecurity(t *testing.T) {
	l := ledger(t, "2023-01-02 buy 10 FB 1000 USD name=Facebook", "2023-02-01 buy 5 US30303M1027 600 USD name=Meta", "2023-03-01 sell 12 META 1500 USD")
	l.Aliases = map[market.Symbol]market.Symbol{"FB": "META", "US30303M1027": "FB"}
	engine := replayAll(t, l)
	if diff := cmp.Diff([]string{"a META t2: 3 for 360 USD, 2023-02-01"}, lotsOf(engine)); diff != "" {
		t.Errorf("lots, -want +got:\n%s", diff)
	}
	if name := engine.Positions()[0].Name; name != "Meta" {
		t.Errorf("name = %q, want the one recorded last", name)
	}
	if l.Transactions[0].Symbol != "FB" || engine.OrderedTransactions()[0].Symbol != "META" {
		t.Errorf("symbols = %s in the ledger and %s in the engine, want FB and META", l.Transactions[0].Symbol, engine.OrderedTransactions()[0].Symbol)
	}
	l.Aliases["META"] = "FB"
	if _, err := lots.New(l); err == nil || !strings.Contains(err.Error(), "points to itself") {
		t.Errorf("Open with aliases in a circle = %v, want an error that says so", err)
	}
}
