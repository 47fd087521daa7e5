package importer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

// ghostfolioFile returns a file with the activities on lines 4 and following.
func ghostfolioFile(list string, activities ...string) importer.File {
	return importer.File{Name: "ghostfolio.json", Text: `{ "meta": { "date": "2023-02-05T00:00:00.000Z", "version": "dev" },
  "accounts": [ { "id": "b2d3", "name": "My account", "balance": 2000, "currency": "USD" } ], "platforms": [], "tags": [],
  "` + list + `": [
` + strings.Join(activities, ",\n") + `
  ],
  "assetProfiles": [ { "symbol": "14a69cb9-1e31-43fa-b320-83703d8ed74b", "name": "Account Opening Fee", "isin": null },
                     { "symbol": "MSFT", "name": "Microsoft", "isin": "US5949181045" } ],
  "user": { "settings": { "currency": "USD" } } }`}
}

// ghostfolioActivity returns one activity: type, symbol, quantity, unit price, fee, and other
// fields.
func ghostfolioActivity(kind, symbol, quantity, price, fee, more string) string {
	return fmt.Sprintf(`{"accountId":"b2d3","comment":null,"fee":%s,"quantity":%s,"type":%q,"unitPrice":%s,"currency":"USD","dataSource":"YAHOO","date":"2021-09-16T00:00:00.000Z","symbol":%q%s}`,
		fee, quantity, kind, price, symbol, more)
}

func readGhostfolio(t testing.TB, f importer.File, o importer.Options) importer.Statement {
	t.Helper()
	return importertest.ReadWhole(t, importer.Ghostfolio(), f, o)
}

func TestGhostfolio_EachActivityIsBooked(t *testing.T) {
	for _, row := range []struct{ name, activity, want string }{
		{"purchase", ghostfolioActivity("BUY", "MSFT", "5", "298.58", "19", `,"comment":"My first order"`), "[4] 2021-09-16 buy MSFT 5 @298.58 1492.9 USD fee 19"},
		{"sale of a share class", ghostfolioActivity("SELL", "BRK-B", "2", "300", "1.5", ""), "[4] 2021-09-16 sell BRK.B 2 @300 600 USD fee 1.5"},
		{"dividend of each share", ghostfolioActivity("DIVIDEND", "MSFT", "5", "0.62", "0", ""), "[4] 2021-09-16 dividend MSFT 3.1 USD"},
		{"interest", ghostfolioActivity("INTEREST", "14a69cb9-1e31-43fa-b320-83703d8ed74b", "1", "2.5", "0", `,"dataSource":"MANUAL"`), "[4] 2021-09-16 interest 2.5 USD"},
		{"fee", ghostfolioActivity("FEE", "14a69cb9-1e31-43fa-b320-83703d8ed74b", "0", "0", "49", `,"dataSource":"MANUAL"`), "[4] 2021-09-16 fee 49 USD"},
		{"pence", ghostfolioActivity("BUY", "VOD.L", "100", "123.45", "995", `,"currency":"GBp"`), "[4] 2021-09-16 buy VOD.L 100 @1.2345 123.45 GBP fee 9.95"},
		{"coin of Yahoo's", ghostfolioActivity("BUY", "BTCUSD", "0.5", "44558.42", "4.46", ""), "[4] 2021-09-16 buy BTC-USD 0.5 @44558.42 22279.21 USD fee 4.46"},
		{"coin of CoinGecko's", ghostfolioActivity("BUY", "bitcoin", "1e-7", "50000", "0", `,"dataSource":"COINGECKO","currency":"EUR"`), "[4] 2021-09-16 buy BTC-USD 0.0000001 @50000 0.005 EUR"},
		{"numbers as texts", ghostfolioActivity("BUY", "MSFT", `"5"`, `"298.58"`, `"0"`, ""), "[4] 2021-09-16 buy MSFT 5 @298.58 1492.9 USD"},
		// C37: assets that the user prices by hand; no exchange uses their symbols.
		{"a house", ghostfolioActivity("ITEM", "House", "1", "500000", "0", `,"dataSource":"MANUAL"`), "[4] 2021-09-16 transfer_in HOUSE.MANUAL 1 @500000 500000 USD"},
		{"priced by hand", ghostfolioActivity("BUY", "GOLD", "1", "500", "0", `,"dataSource":"MANUAL"`), "[4] 2021-09-16 buy GOLD.MANUAL 1 @500 500 USD"},
		{"a gift", ghostfolioActivity("BUY", "MSFT", "1", "0", "0", ""), "[4] 2021-09-16 buy MSFT 1 @0"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readGhostfolio(t, ghostfolioFile("activities", row.activity), importer.Options{Account: "mine"})
			if diff := cmp.Diff([]string{row.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("Read differs:\n%sproblems %v", diff, s.Problems)
			}
		})
	}
}

func TestGhostfolio_WhatIsNotCertainIsAProblem(t *testing.T) {
	for _, row := range []struct{ name, activity, reason string }{
		{"a debt", ghostfolioActivity("LIABILITY", "Loan", "1", "500000", "0", `,"dataSource":"MANUAL"`), "liabilities"},
		{"a coin that is not known", ghostfolioActivity("BUY", "some-coin", "1", "5", "0", `,"dataSource":"COINGECKO"`), "some-coin"},
		{"no currency", ghostfolioActivity("BUY", "MSFT", "1", "5", "0", `,"currency":null`), "is not a currency"},
		{"no price", ghostfolioActivity("BUY", "MSFT", "1", "null", "0", ""), "missing unit price"},
		{"below zero", ghostfolioActivity("BUY", "MSFT", "-1", "5", "0", ""), "negative"},
		{"an unknown type", ghostfolioActivity("STAKE", "MSFT", "1", "5", "0", ""), "STAKE"},
		{"two fees", ghostfolioActivity("FEE", "x", "1", "5", "3", ""), "fee of 3 with a value of 5"},
		{"a date that is none", ghostfolioActivity("BUY", "MSFT", "1", "5", "0", `,"date":"soon"`), "not a date"},
		{"a number out of all bounds", ghostfolioActivity("BUY", "MSFT", "1e400", "5", "0", ""), "not a number"},
		{"a list in the place of a number", ghostfolioActivity("BUY", "MSFT", "[1]", "5", "0", ""), "not a valid activity"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readGhostfolio(t, ghostfolioFile("activities", row.activity), importer.Options{Account: "mine"})
			if len(s.Entries) != 0 || len(s.Problems) != 1 || s.Problems[0].Line != 4 || !strings.Contains(s.Problems[0].Reason, row.reason) {
				t.Errorf("Read = %v, problems %v; want one on line 4 with %q alone", importertest.Describe(s), s.Problems, row.reason)
			}
		})
	}
}

// Computed by hand: -(5 * 298.58 + 19) - 49 + 5 * 0.62 = -1557.80.
func ghostfolioSample() []string {
	return []string{
		ghostfolioActivity("FEE", "14a69cb9-1e31-43fa-b320-83703d8ed74b", "0", "0", "49", `,"dataSource":"MANUAL","date":"2021-09-01T00:00:00.000Z"`),
		ghostfolioActivity("BUY", "MSFT", "5", "298.58", "19", ""),
		ghostfolioActivity("DIVIDEND", "MSFT", "5", "0.62", "0", `,"date":"2021-11-17T00:00:00.000Z"`),
		ghostfolioActivity("BUY", "MSFT", "0", "0", "0", `,"date":"2050-06-06T00:00:00.000Z"`),
		ghostfolioActivity("BUY", "MSFT", "9", "1", "0", `,"isDraft":true`),
	}
}

func TestGhostfolio_ExportComesOutAsByHand(t *testing.T) {
	for _, list := range []string{"activities", "orders"} {
		s := readGhostfolio(t, ghostfolioFile(list, ghostfolioSample()...), importer.Options{Account: "mine"})
		if diff := cmp.Diff(map[string]string{"USD": "-1557.8"}, importertest.Cash(s)); diff != "" {
			t.Errorf("%s: cash differs:\n%s", list, diff)
		}
		if diff := cmp.Diff(map[market.Symbol]string{"MSFT": "5"}, importertest.Shares(s)); diff != "" {
			t.Errorf("%s: shares differ:\n%s", list, diff)
		}
		if diff := cmp.Diff([]string{"7 quantit", "8 draft, "}, importertest.Reasons(s.Ignored, 7)); diff != "" || len(s.Problems) > 0 {
			t.Errorf("%s: problems %v, ignored lines differ:\n%s", list, s.Problems, diff)
		}
		if got := s.Entries[1].Transaction; got.ISIN != "US5949181045" || got.Name != "Microsoft" {
			t.Errorf("%s: security = %s %q, want Microsoft's", list, got.ISIN, got.Name)
		}
	}
}

// The same, in the columns and the mixed dates of Ghostfolio's own example.
func TestGhostfolio_TableComesOutAsTheExport(t *testing.T) {
	f := importertest.File("Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note",
		"01-09-2021,Account Opening Fee,MANUAL,USD,0,0,fee,49,",
		"16-09-2021,MSFT,YAHOO,USD,298.580,5,buy,19.00,My first order",
		"17/11/2021,MSFT,YAHOO,USD,0.62,5,dividend,0.00,",
		"20500606,US5949181045,YAHOO,USD,0.00,0,buy,0.00,")
	s := importertest.Read(t, importer.Ghostfolio(), f, importer.Options{})
	want := []string{
		"[2] 2021-09-01 fee 49 USD",
		"[3] 2021-09-16 buy MSFT 5 @298.58 1492.9 USD fee 19",
		"[4] 2021-11-17 dividend MSFT 3.1 USD",
	}
	if diff := cmp.Diff(want, importertest.Describe(s)); diff != "" || len(s.Ignored) != 1 {
		t.Errorf("Read differs:\n%signored %v, want line 5", diff, s.Ignored)
	}
	if got := s.Entries[0].Transaction.Note; got != "Account Opening Fee" {
		t.Errorf("note of the fee = %q, want its name", got)
	}
}

func TestGhostfolio_AccountsAreThoseOfTheFileWhereNoneIsGiven(t *testing.T) {
	s := readGhostfolio(t, ghostfolioFile("activities", ghostfolioActivity("BUY", "MSFT", "1", "1", "0", "")), importer.Options{})
	if len(s.Entries) != 1 || s.Entries[0].Transaction.Account != "My account" {
		t.Errorf("Read = %v, %v; want an entry of My account", s.Entries, s.Problems)
	}
}

func TestGhostfolio_NumbersOfTheFileAreKept(t *testing.T) {
	with := ghostfolioActivity("BUY", "MSFT", "1", "1", "0", `,"id":"c3a1"`)
	s := readGhostfolio(t, ghostfolioFile("activities", with, with, ghostfolioActivity("BUY", "MSFT", "2", "1", "0", `,"id":"c3a1"`)), importer.Options{Account: "mine"})
	if len(s.Entries) != 1 || s.Entries[0].Transaction.SourceID != "c3a1" || len(s.Ignored) != 1 || len(s.Problems) != 1 {
		t.Errorf("Read = %v, ignored %v, problems %v; want c3a1 once, ignored once and once a problem", s.Entries, s.Ignored, s.Problems)
	}
}

// Ghostfolio writes a date entered in Europe as its local midnight in UTC: without the zone the
// date is a day early.
func TestGhostfolio_AMidnightOfAnotherZoneAsksForIt(t *testing.T) {
	for moment, asked := range map[string]bool{
		"2021-09-15T22:00:00.000Z": true, "2021-12-15T23:00:00.000Z": true, "2021-09-15T22:00:01.000Z": false, "2021-09-15T20:00:00.000Z": false, "2021-09-15T00:00:00.000Z": false,
	} {
		s := readGhostfolio(t, ghostfolioFile("activities", ghostfolioActivity("BUY", "MSFT", "1", "1", "0", `,"date":"`+moment+`"`)), importer.Options{Account: "mine"})
		if got := len(s.Problems) == 1 && strings.Contains(s.Problems[0].Reason, "set the time zone"); got != asked || len(s.Entries)+len(s.Problems) != 1 {
			t.Errorf("%s: asked for the zone is %v, want %v: %v", moment, got, asked, s.Problems)
		}
	}
}

func TestGhostfolio_MomentsAreBroughtToTheZone(t *testing.T) {
	zurich := time.FixedZone("CEST", 2*60*60)
	s := readGhostfolio(t, ghostfolioFile("activities", ghostfolioActivity("BUY", "MSFT", "1", "1", "0", `,"date":"2021-09-15T22:00:00.000Z"`)), importer.Options{Account: "mine", Zone: zurich})
	if got := s.Entries[0].Transaction.Date.Format(time.DateOnly); got != "2021-09-16" {
		t.Errorf("midnight in Zurich is of %s, want 2021-09-16", got)
	}
}

func TestGhostfolio_FilesOfOthersAreRefused(t *testing.T) {
	for _, row := range []struct{ name, text string }{
		{"another table", "Date,Amount\n2021-01-01,5\n"},
		{"another JSON", `{"transactions": []}`},
		{"cut in the middle", ghostfolioFile("activities", ghostfolioSample()...).Text[:900]},
		{"activities that are no list", `{"activities": {"unitPrice": 1}}`},
		{"no object", `["activities", "unitPrice"]`},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, err := importer.Ghostfolio().Read(importer.File{Name: "x", Text: row.text}, importer.Options{Account: "mine"})
			if !errors.Is(err, importer.ErrFormat) {
				t.Errorf("Read = %v, %v; want ErrFormat", s, err)
			}
		})
	}
}

// Each element takes more memory than its text: a list of the shortest ones would take about a
// hundred times the file.
func TestGhostfolio_AnEndlessListIsRefused(t *testing.T) {
	f := importer.File{Name: "x.json", Text: `{"meta":{},"accounts":[` + strings.Repeat("{},", importer.MaxRows) + `{}],"activities":[]}`}
	if _, err := importer.Ghostfolio().Read(f, importer.Options{}); !errors.Is(err, importer.ErrTooLarge) {
		t.Errorf("Read of %d accounts = %v, want ErrTooLarge", importer.MaxRows+1, err)
	}
}

func FuzzGhostfolio(f *testing.F) {
	f.Add(ghostfolioFile("activities", ghostfolioSample()...).Text)
	f.Add(`{"orders":[{"type":"BUY","unitPrice":1},null,5,"x",[]]}`)
	f.Add(`{"activities":null,"meta":{}}`)
	f.Add("Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note\n01-09-2021,A,YAHOO,USD,-1,1,buy,0,\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := importer.File{Name: "fuzz", Text: text}
		importer.Ghostfolio().Recognizes(file)
		if !strings.HasPrefix(strings.TrimSpace(text), "{") {
			importertest.Fuzz(t, importer.Ghostfolio(), text)
			return
		}
		s, err := importer.Ghostfolio().Read(file, importer.Options{Account: "mine"})
		if err != nil {
			return
		}
		for _, e := range s.Entries {
			if err := e.Transaction.Validate(); err != nil {
				t.Errorf("line %v of %q: %v", e.Lines, text, err)
			}
		}
	})
}

func FuzzGhostfolio_NoActivityIsLost(f *testing.F) {
	f.Add(ghostfolioActivity("BUY", "MSFT", "5", "1", "0", ""))
	f.Add(`5`)
	f.Add(`{"type":"FEE","fee":"3"}`)
	f.Fuzz(func(t *testing.T, activity string) {
		two := ghostfolioFile("activities", activity, ghostfolioSample()[0])
		s, err := importer.Ghostfolio().Read(two, importer.Options{Account: "mine"})
		if err == nil && len(s.Entries)+len(s.Problems)+len(s.Ignored) < 2 {
			t.Errorf("Read says %v, %v, %v of two activities, the first of which is %q", s.Entries, s.Problems, s.Ignored, activity)
		}
	})
}
