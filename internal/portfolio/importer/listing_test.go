package importer_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

// C30: a ticker is recorded as a listing only if the file leaves no doubt about its exchange.
func TestListing_IsIdentifiedByEverythingTheFileGives(t *testing.T) {
	for _, tc := range []struct {
		name string
		l    importer.Listing
		want market.Symbol
	}{
		{"Vodafone in pence", importer.Listing{Ticker: "VOD", ISIN: "GB00BH4HKS39", Currency: "GBX"}, "VOD.L"},
		{"Vodafone on Nasdaq", importer.Listing{Ticker: "VOD", ISIN: "US92857W3088", Currency: "USD"}, "VOD"},
		{"by the exchange", importer.Listing{Ticker: "VOD", ISIN: "GB00BH4HKS39", Exchange: "XLON"}, "VOD.L"},
		{"a fund in dollars may be listed anywhere", importer.Listing{Ticker: "VWRD", ISIN: "IE00B3RBWM25", Currency: "USD"}, "IE00B3RBWM25"},
		{"a fund in euros too", importer.Listing{Ticker: "IWDA", ISIN: "IE00B4L5Y983", Currency: "EUR"}, "IE00B4L5Y983"},
		{"francs are Zurich", importer.Listing{Ticker: "KROP", ISIN: "IE000EBFYWX3", Currency: "CHF"}, "KROP.SW"},
		{"home in euros", importer.Listing{Ticker: "TTE", ISIN: "FR0000120271", Currency: "EUR"}, "TTE.PA"},
		{"euros without an ISIN", importer.Listing{Ticker: "KER", Currency: "EUR"}, "KER.EUR"},
		{"dollars without an ISIN", importer.Listing{Ticker: "BRK B", Currency: "USD"}, "BRK.B"},
		{"the file names the listing", importer.Listing{Ticker: "SAP.DE", ISIN: "DE0007164600", Currency: "USD"}, "SAP.DE"},
		{"a trailing dot", importer.Listing{Ticker: "BP.", Currency: "GBP"}, "BP.L"},
		{"a share class in London", importer.Listing{Ticker: "BT.A", Currency: "GBP"}, "BT-A.L"},
		{"Hong Kong", importer.Listing{Ticker: "700", Currency: "HKD"}, "0700.HK"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, _, err := tc.l.Identify(); got != tc.want || err != nil {
				t.Errorf("Identify(%+v) = %s, %v; want %s", tc.l, got, err, tc.want)
			}
		})
	}
}

// C30: the dividend is in dollars, the share in pence; both are of the share that was bought.
func TestTrading212_ADividendIsOfTheListingThatWasBought(t *testing.T) {
	s := importertest.Read(t, importer.Trading212(), importertest.File(trading212Header,
		`Dividend (Dividend),2025-01-02 10:00:00,GB00BH4HKS39,VOD,Vodafone,,,10,5,USD,Not available,,,0.45,GBP`,
		`Market buy,2025-01-03 10:03:47,GB00BH4HKS39,VOD,Vodafone,,EOF2,1000,70.00,GBX,100,,,700.00,GBP`), importer.Options{})
	for _, e := range s.Entries {
		if e.Transaction.Symbol != "VOD.L" {
			t.Errorf("%s of %s, want VOD.L", e.Transaction.Kind, e.Transaction.Symbol)
		}
	}
	if got := s.Listings["VOD.L"]; got.Currency != "GBX" || got.ISIN != "GB00BH4HKS39" {
		t.Errorf("listing = %+v, want GBX and its ISIN", got)
	}
}
