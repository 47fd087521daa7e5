package ibkr_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/brokertest"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/ibkr"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// read reads text as the user's account would have it.
func read(t testing.TB, text string, o broker.Options) broker.Statement {
	t.Helper()
	f, err := sheet.Decode("export", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return brokertest.ReadWhole(t, ibkr.Format(), f, o)
}

// said is a transaction in one line, without what every one has.
func said(x portfolio.Transaction) string {
	words := []string{x.Date.Format(time.DateOnly), x.Account, string(x.Kind)}
	add := func(label, text string) {
		if text != "" {
			words = append(words, label+text)
		}
	}
	number := func(label string, d decimal.Decimal) {
		if !d.IsZero() {
			add(label, d.String())
		}
	}
	add("", string(x.Symbol))
	add("isin=", x.ISIN)
	number("quantity=", x.Quantity)
	number("amount=", x.Amount)
	add("", x.Currency)
	number("fee=", x.Fee)
	number("tax=", x.Tax)
	add("to=", string(x.ToSymbol)+x.ToAccount)
	number("to=", x.ToAmount)
	add("", x.ToCurrency)
	number("new=", x.New)
	number("old=", x.Old)
	if x.CostUnknown {
		add("", "cost-unknown")
	}
	if x.Short {
		add("", "short")
	}
	return strings.Join(words, " ")
}

func saidAll(s broker.Statement) []string {
	out := make([]string, len(s.Entries))
	for i, e := range s.Entries {
		out[i] = said(e.Transaction)
	}
	return out
}

func remarks(all []broker.Remark) map[int]string {
	out := map[int]string{}
	for _, r := range all {
		out[r.Line] = r.Reason
	}
	return out
}

func recorded(t testing.TB, name string) string {
	t.Helper()
	return brokertest.Recorded(t, name).Text
}

func own(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
