package positions_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestDescribeTransaction_SaysEveryFieldThatCounts(t *testing.T) {
	day := portfoliotest.Day("2024-02-03")
	for _, tc := range []struct {
		t    portfolio.Transaction
		want string
	}{
		{
			portfolio.Transaction{Kind: portfolio.KindBuy, Quantity: toolstest.MustDecimal("10"), Symbol: "VTI", Amount: toolstest.MustDecimal("2000.125"), Currency: "USD", Price: decimal.NewNullDecimal(toolstest.MustDecimal("200")), Fee: toolstest.MustDecimal("1.5"), Tax: toolstest.MustDecimal("2"), Note: "why"},
			`buy 10 VTI: 2,000.125 USD (at 200.00 USD), fee 1.50 USD, tax 2.00 USD, on 2024-02-03 in "us"; note: why`,
		},
		{
			portfolio.Transaction{Kind: portfolio.KindSell, Quantity: toolstest.MustDecimal("3"), Symbol: "VTI", Amount: toolstest.MustDecimal("1500"), Currency: "USD", Short: true, Lots: []portfolio.LotPick{{Lot: "t1", Quantity: toolstest.MustDecimal("2")}, {Lot: "t2", Quantity: toolstest.MustDecimal("1")}}},
			`sell 3 VTI: 1,500.00 USD, shares beyond the position are sold short, 2 of lot t1, 1 of lot t2, on 2024-02-03 in "us"`,
		},
		{
			portfolio.Transaction{Kind: portfolio.KindTransferIn, Quantity: toolstest.MustDecimal("3"), Symbol: "VTI", CostUnknown: true, Acquired: portfoliotest.Day("1999-12-31")},
			`transfer in 3 VTI, cost unknown, acquired 1999-12-31, on 2024-02-03 in "us"`,
		},
		{portfolio.Transaction{Kind: portfolio.KindTransferOut, Quantity: toolstest.MustDecimal("3"), Symbol: "VTI", ToAccount: "de"}, `transfer out 3 VTI, on 2024-02-03 in "us" to "de"`},
		{portfolio.Transaction{Kind: portfolio.KindSplit, Symbol: "VTI", New: toolstest.MustDecimal("4"), Old: toolstest.MustDecimal("1")}, `split VTI, 4 new for 1 old, on 2024-02-03 in "us"`},
		{
			portfolio.Transaction{Kind: portfolio.KindSpinOff, Symbol: "GE", ToSymbol: "GEHC", Quantity: toolstest.MustDecimal("1.5"), CostPart: decimal.NewNullDecimal(toolstest.MustDecimal("0.2"))},
			`spin off GE: 1.5 GEHC, with 0.2 of the cost basis, on 2024-02-03 in "us"`,
		},
		{portfolio.Transaction{Kind: portfolio.KindMerger, Symbol: "VMW", ToSymbol: "AVGO", New: toolstest.MustDecimal("1"), Old: toolstest.MustDecimal("4")}, `merger VMW, 1 new for 4 old into AVGO, on 2024-02-03 in "us"`},
		{
			portfolio.Transaction{Kind: portfolio.KindExchange, Amount: toolstest.MustDecimal("110"), Currency: "USD", ToAmount: toolstest.MustDecimal("100"), ToCurrency: "EUR"},
			`currency exchange: 110.00 USD into 100.00 EUR, on 2024-02-03 in "us"`,
		},
	} {
		tc.t.Date, tc.t.Account = day, "us"
		if got := positions.DescribeTransaction(tc.t); got != tc.want {
			t.Errorf("Booking = %q\nwant %q", got, tc.want)
		}
	}
}

func TestTransactionLabel_TellsWhichAndNoNumber(t *testing.T) {
	bought := toolstest.Buy("t1", "us", "VTI", "7", "77", "USD", "2024-02-03")
	if got, want := positions.TransactionLabel(bought), `t1 (buy VTI on 2024-02-03 in "us")`; got != want {
		t.Errorf("Named = %q, want %q", got, want)
	}
	bought.ID, bought.Symbol = "", ""
	if got, want := positions.TransactionLabel(bought), `(buy on 2024-02-03 in "us")`; got != want {
		t.Errorf("Named without ID and symbol = %q, want %q", got, want)
	}
}

func TestTransactionKey_IsOfTheSameEventByWhateverName(t *testing.T) {
	aliases := map[market.Symbol]market.Symbol{"US9229087690": "VTSAX", "VTSAX": "VTI", "OLD": "NEW"}
	one := toolstest.Buy("1", "us", "VTI", "10", "1000", "USD", "2024-06-24")
	one.ToSymbol = "NEW"
	other := toolstest.Buy("2", "us", "US9229087690", "10.00", "1000.0", "USD", "2024-06-24")
	other.ToSymbol, other.Note, other.Fee = "OLD", "another", toolstest.MustDecimal("1")
	if positions.NewTransactionKey(one, aliases) != positions.NewTransactionKey(other, aliases) {
		t.Error("the same by ISIN and by ticker are two")
	}
	for name, change := range map[string]func(*portfolio.Transaction){
		"account": func(t *portfolio.Transaction) { t.Account = "de" }, "day": func(t *portfolio.Transaction) { t.Date = t.Date.AddDate(0, 0, 1) },
		"kind": func(t *portfolio.Transaction) { t.Kind = portfolio.KindSell }, "symbol": func(t *portfolio.Transaction) { t.Symbol = "SAP" },
		"quantity": func(t *portfolio.Transaction) { t.Quantity = toolstest.MustDecimal("10.01") }, "amount": func(t *portfolio.Transaction) { t.Amount = toolstest.MustDecimal("1000.01") },
		"currency": func(t *portfolio.Transaction) { t.Currency = "EUR" }, "other security": func(t *portfolio.Transaction) { t.ToSymbol = "" },
		"other currency": func(t *portfolio.Transaction) { t.ToCurrency = "EUR" }, "other account": func(t *portfolio.Transaction) { t.ToAccount = "de" },
	} {
		other := one
		change(&other)
		if positions.NewTransactionKey(one, aliases) == positions.NewTransactionKey(other, aliases) {
			t.Errorf("another %s is the same event", name)
		}
	}
	l := portfolio.Ledger{Aliases: aliases, Transactions: []portfolio.Transaction{one}}
	if got := positions.TransactionKeys(l)[positions.NewTransactionKey(other, aliases)]; got != "1" {
		t.Errorf("Likenesses find %q, want 1", got)
	}
}

// A ledger has no alias cycle, but one written by hand must not run forever.
func TestResolveAlias_OfACircleIsReached(t *testing.T) {
	positions.ResolveAlias(map[market.Symbol]market.Symbol{"A": "B", "B": "A"}, "A")
	if got := positions.ResolveAlias(nil, "A"); got != "A" {
		t.Errorf("Ending without aliases = %s, want A", got)
	}
}

// searchStub returns fixed matches and counts the searches.
type searchStub struct {
	found []market.Instrument
	err   error
	calls int
}

func (s *searchStub) Search(context.Context, string, int) ([]market.Instrument, error) {
	s.calls++
	return s.found, s.err
}

func TestListings_ASearchIsAskedWhereTheDirectoryHasNone(t *testing.T) {
	const vti, world = "US9229087690", "IE00B4L5Y983"
	series := markettest.Daily("VTI", portfoliotest.Day("2024-06-24"), "100")
	series.Instrument.ISIN = vti
	search := &searchStub{found: []market.Instrument{
		{Symbol: "iwda.as", Name: "World", Listing: market.Listing{ISIN: world, Exchange: "Amsterdam"}}, {Symbol: "IWDA.AS"}, {Symbol: "EUNL.DE", Listing: market.Listing{MIC: "XETR"}},
		{Symbol: "OTHER", Listing: market.Listing{ISIN: vti}}, {Symbol: "a:b"},
	}}
	l := positions.Listings{Directory: markettest.NewSource(series), Searches: search}
	if found, err := l.ByISIN(t.Context(), vti); err != nil || len(found) != 1 || found[0].Symbol != "VTI" || search.calls != 0 {
		t.Errorf("listings of VTI's number = %v, %v, searched %d times; want VTI of the directory", found, err, search.calls)
	}
	found, err := l.ByISIN(t.Context(), world)
	if got, want := positions.FormatListings(found), "IWDA.AS (World at Amsterdam, EUR) or EUNL.DE (at XETR, EUR)"; err != nil || got != want {
		t.Errorf("listings of another = %q, %v; want %q", got, err, want)
	}
	search.err = errors.New("no network")
	if _, err := l.ByISIN(t.Context(), world); !errors.Is(err, search.err) || !strings.Contains(err.Error(), world) {
		t.Errorf("listings of a search that is down = %v, want its error with the number", err)
	}
	l.Searches = nil
	if found, err := l.ByISIN(t.Context(), world); err != nil || len(found) != 0 {
		t.Errorf("listings without a search = %v, %v; want none", found, err)
	}
}

func TestFormatListings_ListsEightAndCountsTheRest(t *testing.T) {
	all := make([]market.Instrument, 11)
	for i := range all {
		all[i].Symbol = market.Symbol(rune('A' + i))
	}
	if got := positions.FormatListings(all); !strings.Contains(got, " H ") || strings.Contains(got, " I ") || !strings.HasSuffix(got, "and 3 more") {
		t.Errorf("Offered = %q, want A to H and 3 more", got)
	}
}

func TestDescribeSecurity_SaysWhatIsKnownAndNothingElse(t *testing.T) {
	fee := decimal.NewNullDecimal(decimal.RequireFromString("0.0007"))
	for want, s := range map[string]portfolio.Security{
		"": {Symbol: "VTI"},
		"class equity, region US, expense ratio 0.07%": {Symbol: "VTI", Class: portfolio.ClassEquity, Region: "US", Fee: fee},
		"sector energy": {Symbol: "XLE", Sector: "energy"},
	} {
		if got := positions.DescribeSecurity(s); got != want {
			t.Errorf("Facts(%+v) = %q, want %q", s, got, want)
		}
	}
}

// The public text of an error keeps its dates and the names of the transaction, but no amount.
func TestRedact_KeepsDaysAndNames(t *testing.T) {
	err := &portfolio.TransactionError{
		Transaction: portfolio.Transaction{ID: "x", Kind: portfolio.KindSell, Symbol: "7203.T", ISIN: "JP3633400001", Account: "main", Date: portfoliotest.Day("2024-06-28")},
		Err:         fmt.Errorf("selling 7777 of 7203.T (JP3633400001): 55 are held on 2024-06-27: %w", portfolio.ErrNotHeld),
	}
	got := positions.Redact(err)
	public, _ := tool.RedactedText(got)
	for _, want := range []string{`x (sell 7203.T on 2024-06-28 in "main")`, "(hidden) are held on 2024-06-27"} {
		if !strings.Contains(public, want) || strings.Contains(public, "7777") || got.Error() != err.Error() || !errors.Is(got, portfolio.ErrNotHeld) {
			t.Errorf("Redact = %q, public %q; want %q and the same error", got, public, want)
		}
	}
}
