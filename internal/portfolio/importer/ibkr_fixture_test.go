package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

// readIBKR imports text for the user's account.
func readIBKR(t testing.TB, text string, o importer.Options) importer.Statement {
	t.Helper()
	f, err := importer.Decode("export", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return importertest.ReadWhole(t, importer.IBKR(), f, o)
}

// formatIBKR formats a transaction on one line, without the fields that all have.
func formatIBKR(x portfolio.Transaction) string {
	parts := []string{x.Date.Format(time.DateOnly), x.Account, string(x.Kind)}
	add := func(label, text string) {
		if text != "" {
			parts = append(parts, label+text)
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
	return strings.Join(parts, " ")
}

func formatAllIBKR(s importer.Statement) []string {
	out := make([]string, len(s.Entries))
	for i, e := range s.Entries {
		out[i] = formatIBKR(e.Transaction)
	}
	return out
}

func ibkrReasons(all []importer.SkippedLine) map[int]string {
	out := map[int]string{}
	for _, r := range all {
		out[r.Line] = r.Reason
	}
	return out
}

func ibkrRecording(t testing.TB, name string) string {
	t.Helper()
	return importertest.Recorded(t, name).Text
}

func readIBKRTestdata(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
