package portfolio_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// completeTransactions has a valid transaction of each kind, and of each variant of a kind.
func completeTransactions() map[string]string {
	return map[string]string{
		"buy": "buy 1 XYZ 5 USD fee=1 tax=1 price=5", "buy for nothing": "buy 1 XYZ currency=USD price=0",
		"sell": "sell 1 XYZ 5 USD short=yes", "sell lots": "sell 3 XYZ 5 USD lot=t1:1 lot=t2:2", "sell for nothing": "sell 1 XYZ currency=USD price=0",
		"dividend": "dividend XYZ 5 USD tax=1", "reinvest": "reinvested_dividend 1 XYZ 5 USD tax=1 fee=4",
		"interest": "interest 5 USD tax=1", "interest of a bond": "interest XYZ 5 USD", "fee": "fee 5 USD", "tax": "tax XYZ 5 USD", "interest paid": "interest_paid 5 USD",
		"fee given back": "fee_refund 5 USD", "tax given back": "tax_refund XYZ 5 USD",
		"deposit": "deposit 5 USD", "withdrawal": "withdrawal 5 USD fee=1",
		"transfer in": "transfer_in 1 XYZ 5 USD acquired=2020-02-03", "unknown cost": "transfer_in 1 XYZ unknown=yes", "unknown cost with a fee": "transfer_in 1 XYZ unknown=yes fee=1 currency=USD",
		"transfer out": "transfer_out 1 XYZ", "move": "transfer_out 1 XYZ to=b lot=t1:1", "move cash": "transfer_out 5 USD to=b",
		"split": "split XYZ ratio=4:1", "reverse split": "reverse_split XYZ ratio=1:10",
		"spin-off": "spin_off 1 XYZ tosymbol=KID part=0.5", "spin-off of unknown part": "spin_off 1 XYZ tosymbol=KID",
		"merger": "merger XYZ tosymbol=NEW ratio=1:2", "merger with cash": "merger XYZ 5 USD tosymbol=NEW ratio=1:2 part=0.1", "merger for cash": "merger XYZ 5 USD",
		"capital": "return_of_capital XYZ 5 USD", "exchange": "currency_exchange 5 USD toamount=4EUR fee=1",
	}
}

func TestTransaction_EachKindTakesItsFieldsAndNoOthers(t *testing.T) {
	extras := []string{"price=3", "fee=1", "tax=1", "unknown=yes", "acquired=2020-01-01", "to=c", "tosymbol=QQ", "toamount=1CHF", "ratio=2:1", "part=0.5", "short=yes", "lot=t1:1"}
	takes := map[string]string{}
	kinds := map[portfolio.Kind]bool{}
	for name, line := range completeTransactions() {
		tr := transaction(t, "t1", "2024-01-02 "+line)
		kinds[tr.Kind] = true
		if err := tr.Validate(); err != nil {
			t.Errorf("%s: %q = %v, want nil", name, line, err)
		}
		var fields []string
		for _, e := range extras {
			field, _, _ := strings.Cut(e, "=")
			if strings.Contains(line, " "+field+"=") {
				continue
			}
			if more := transaction(t, "t1", "2024-01-02 "+line+" "+e); more.Validate() == nil {
				fields = append(fields, field)
			}
		}
		takes[name] = strings.Join(fields, " ")
	}
	want := map[string]string{
		"buy": "", "buy for nothing": "fee tax", "sell": "price fee tax lot", "sell lots": "price fee tax short", "sell for nothing": "fee tax short lot",
		"dividend": "fee", "reinvest": "price", "interest": "fee", "interest of a bond": "fee tax", "fee": "", "tax": "", "interest paid": "", "fee given back": "", "tax given back": "",
		"deposit": "fee tax", "withdrawal": "tax", "exchange": "tax", "capital": "fee tax",
		"transfer in": "price fee tax", "unknown cost": "price acquired", "unknown cost with a fee": "price tax acquired",
		"transfer out": "to lot", "move": "", "move cash": "fee tax", "split": "", "reverse split": "",
		"spin-off": "", "spin-off of unknown part": "part", "merger": "", "merger with cash": "fee tax", "merger for cash": "fee tax",
	}
	if diff := cmp.Diff(want, takes); diff != "" {
		t.Errorf("what each takes beside its own fields, -want +got:\n%s", diff)
	}
	for _, k := range portfolio.Kinds() {
		if !kinds[k] {
			t.Errorf("no example of %s", k)
		}
	}
}

func TestTransaction_WhatCannotBeIsRefused(t *testing.T) {
	for _, c := range []struct{ line, says string }{
		{"gift 1 XYZ 5 USD", `kind "gift" is not one of`},
		{"buy 1 XYZ", "needs currency, amount"},
		{"buy XYZ 5 USD", "needs quantity"},
		{"buy 1 XYZ 5 USD short=yes", "does not use short"},
		{"buy 1 XYZ 5 USD lot=t1:1", "does not use lots"},
		{"buy 1 XYZ 5 USD price=0", "price is zero but amount is 5"},
		{"buy -1 XYZ 5 USD", "quantity is -1"},
		{"buy 1 XYZ 5 USD fee=-1", "fee is -1"},
		{"buy 1 xyz 5 USD", `symbol "xyz" must be written XYZ`},
		{"buy 1 X/../Y 5 USD", "invalid symbol"},
		{"buy 1 XYZ 5 USD currency=usd", `currency "usd"`},
		{"buy 1 XYZ 5 USD currency=EURO", `currency "EURO"`},
		{"dividend 3 XYZ 5 USD price=1", "does not use quantity, price"},
		{"reinvested_dividend 1 XYZ 5 USD tax=3 fee=3", "nothing remains to reinvest"},
		{"deposit XYZ 5 USD", "does not use symbol"},
		{"fee 5 USD fee=1", "does not use fee"},
		{"fee_refund 5 USD fee=1", "does not use fee"},
		{"tax_refund XYZ 5 USD tax=1", "does not use tax"},
		{"tax_refund 1 XYZ 5 USD", "does not use quantity"},
		{"fee_refund XYZ", "needs currency, amount"},
		{"fee_refund -5 USD", "negative numbers are not allowed"},
		{"transfer_in 1 XYZ", "needs currency, amount"},
		{"transfer_in 1 XYZ 5 USD unknown=yes", "does not use amount"},
		{"transfer_in 1 XYZ unknown=yes fee=1", "needs currency"},
		{"transfer_in 1 XYZ 5 USD acquired=2024-01-03", "acquired on 2024-01-03, after 2024-01-02"},
		{"transfer_out 5 USD", "needs to_account"},
		{"transfer_out 1 XYZ to=a", `account "a" cannot be both`},
		{"split XYZ ratio=1:4", "use reverse_split"},
		{"split XYZ ratio=1:1", "use reverse_split"},
		{"reverse_split XYZ ratio=4:1", "use split"},
		{"spin_off 1 XYZ tosymbol=XYZ", "symbol XYZ cannot be both"},
		{"spin_off 1 XYZ tosymbol=KID part=1.01", "fraction of at most 1"},
		{"merger XYZ tosymbol=NEW", "needs new, old"},
		{"merger XYZ tosymbol=NEW ratio=1:2 part=0.1", "does not use cost_part"},
		{"merger XYZ tosymbol=NEW ratio=1:2 fee=1", "needs currency"},
		{"merger XYZ 5 USD ratio=1:2", "does not use new, old"},
		{"currency_exchange 5 USD toamount=5USD", "currency USD cannot be both"},
		{"sell 3 XYZ 5 USD lot=t1:1 lot=t2:1", "the lots add up to 2"},
		{"sell 2 XYZ 5 USD lot=t1:1 lot=t1:1", "list each lot once"},
		{"sell 2 XYZ 5 USD lot=t1:0 lot=t2:2", "quantity above zero"},
		{"buy 1 XYZ 5 USD source=schwab", "set both or neither"},
		{"buy 1 XYZ 5 USD at=09:00 acquired=2020-01-01", "does not use acquired"},
		{"buy 0.0000000000000000001 XYZ 5 USD", "exponent of -19"},
		{"buy 123456789012345678901234567890123456789 XYZ 5 USD", "39 digits"},
	} {
		err := transaction(t, "t1", "2024-01-02 "+c.line).Validate()
		if !errors.Is(err, portfolio.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q = %v, want ErrInvalid that says %q", c.line, err, c.says)
		}
	}
}

func TestTransaction_TextsAndDatesAreBounded(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*portfolio.Transaction)
		says   string
	}{
		{"no date", func(t *portfolio.Transaction) { t.Date = market.Date{} }, "date is missing"},
		{"long ago", func(t *portfolio.Transaction) { t.Date = day("1899-12-31") }, "year 1899"},
		{"not a midnight", func(t *portfolio.Transaction) { t.Date = t.Date.Add(time.Hour) }, "midnight UTC"},
		{"a moment of another day", func(t *portfolio.Transaction) { t.Time = t.Date.AddDate(0, 0, 3) }, "is not on 2024-01-02"},
		{"no account", func(t *portfolio.Transaction) { t.Account = "" }, "account is missing"},
		{"an ID of two words", func(t *portfolio.Transaction) { t.ID = "a b" }, "without spaces"},
		{"an escape in a name", func(t *portfolio.Transaction) { t.Name = "A\x1b[31m" }, "invisible characters"},
		{"text turned around", func(t *portfolio.Transaction) { t.Note = "a\u202eb" }, "invisible characters"},
		{"a line break", func(t *portfolio.Transaction) { t.Note = "a\nb" }, "invisible characters"},
		{"bytes that are no text", func(t *portfolio.Transaction) { t.Name = "\xff" }, "invisible characters"},
		{"a long name", func(t *portfolio.Transaction) { t.Name = strings.Repeat("é", 201) }, "at most 200 characters"},
		{"a long note", func(t *portfolio.Transaction) { t.Note = strings.Repeat("é", 2001) }, "at most 2000 characters"},
		{"a huge exponent", func(t *portfolio.Transaction) { t.Amount = decimal.New(1, 999_999_999) }, "exponent of 999999999"},
		{"a huge fraction", func(t *portfolio.Transaction) { t.Fee = decimal.New(1, -999_999_999) }, "exponent of -999999999"},
		{"a zero of a huge exponent", func(t *portfolio.Transaction) { t.Tax = decimal.New(0, 999_999_999) }, "exponent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := transaction(t, "t1", "2024-01-02 buy 1 XYZ 5 USD")
			tr.Name, tr.Note = strings.Repeat("é", 200), strings.Repeat("é", 2000)
			if err := tr.Validate(); err != nil {
				t.Fatalf("before the change = %v, want nil", err)
			}
			c.change(&tr)
			if err := tr.Validate(); !errors.Is(err, portfolio.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("Validate = %v, want ErrInvalid that says %q", err, c.says)
			}
		})
	}
}

func TestTransaction_FutureIsForTheCallerWithAClock(t *testing.T) {
	tr := transaction(t, "t1", "2024-01-02 buy 1 XYZ 5 USD")
	if err := tr.CheckDate(day("2024-01-02")); err != nil {
		t.Errorf("CheckDate(the same day) = %v, want nil", err)
	}
	if err := tr.CheckDate(day("2024-01-01")); !errors.Is(err, portfolio.ErrInvalid) {
		t.Errorf("CheckDate(the day before) = %v, want ErrInvalid", err)
	}
}

func TestLedger_OneThatDoesNotHoldTogetherIsRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*portfolio.Ledger)
		want   error
		says   string
	}{
		{"an unknown account", func(l *portfolio.Ledger) { l.Transactions[0].Account = "z" }, portfolio.ErrUnknownAccount, `"a", "b", "c"`},
		{"an unknown target", func(l *portfolio.Ledger) { l.Transactions[1].ToAccount = "z" }, portfolio.ErrUnknownAccount, `"z"`},
		{"no accounts", func(l *portfolio.Ledger) { l.Accounts = nil }, portfolio.ErrUnknownAccount, "add an account first"},
		{"an ID twice", func(l *portfolio.Ledger) { l.Transactions[1].ID = "t1" }, portfolio.ErrInvalid, "this ID"},
		{"no ID", func(l *portfolio.Ledger) { l.Transactions[1].ID = "" }, portfolio.ErrInvalid, "no ID"},
		{"an account twice", func(l *portfolio.Ledger) { l.Accounts[1].Name = "a" }, nil, "two accounts have this name"},
		{"an account without method", func(l *portfolio.Ledger) { l.Accounts[1].Method = "" }, nil, "cost basis"},
		{"an account without policy", func(l *portfolio.Ledger) { l.Accounts[1].Cash = "" }, nil, "cash"},
		{"an account without name", func(l *portfolio.Ledger) { l.Accounts[1].Name = " " }, nil, "name"},
		{"an alias of nothing", func(l *portfolio.Ledger) { l.Aliases = map[market.Symbol]market.Symbol{"XYZ": ""} }, market.ErrInvalidSymbol, "XYZ"},
		{"an alias that joins a spin-off", func(l *portfolio.Ledger) { l.Aliases = map[market.Symbol]market.Symbol{"KID": "XYZ"} }, portfolio.ErrInvalid, "both symbols"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := ledger(t, "2024-01-02 buy 5 XYZ 5 USD", "2024-01-03 transfer_out 1 XYZ to=b", "2024-01-04 spin_off 1 XYZ tosymbol=KID")
			c.change(&l)
			_, err := l.ResolvedTransactions()
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("Resolved = %v, want %v that says %q", err, c.want, c.says)
			}
		})
	}
}

func TestTransaction_IsTheSameAfterJSON(t *testing.T) {
	for name, line := range completeTransactions() {
		tr := transaction(t, "t1", "2024-01-02 "+line)
		raw, err := json.Marshal(tr)
		if err != nil {
			t.Fatal(err)
		}
		var back portfolio.Transaction
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := back.Validate(); err != nil || back.Describe() != tr.Describe() {
			t.Errorf("%s after JSON %s = %v, want the same", name, raw, err)
		}
	}
}
