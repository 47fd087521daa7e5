package ghostfolio_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/brokertest"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/ghostfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// export is a file with the activities on lines 4 and following.
func export(list string, activities ...string) sheet.File {
	return sheet.File{Name: "ghostfolio.json", Text: `{ "meta": { "date": "2023-02-05T00:00:00.000Z", "version": "dev" },
  "accounts": [ { "id": "b2d3", "name": "My account", "balance": 2000, "currency": "USD" } ], "platforms": [], "tags": [],
  "` + list + `": [
` + strings.Join(activities, ",\n") + `
  ],
  "assetProfiles": [ { "symbol": "14a69cb9-1e31-43fa-b320-83703d8ed74b", "name": "Account Opening Fee", "isin": null },
                     { "symbol": "MSFT", "name": "Microsoft", "isin": "US5949181045" } ],
  "user": { "settings": { "currency": "USD" } } }`}
}

// of is one activity: type, symbol, quantity, unit price, fee, and other fields.
func of(kind, symbol, quantity, price, fee, more string) string {
	return fmt.Sprintf(`{"accountId":"b2d3","comment":null,"fee":%s,"quantity":%s,"type":%q,"unitPrice":%s,"currency":"USD","dataSource":"YAHOO","date":"2021-09-16T00:00:00.000Z","symbol":%q%s}`,
		fee, quantity, kind, price, symbol, more)
}

func read(t testing.TB, f sheet.File, o broker.Options) broker.Statement {
	t.Helper()
	return brokertest.ReadWhole(t, ghostfolio.Format(), f, o)
}

func TestRead_EachActivityIsBooked(t *testing.T) {
	for _, row := range []struct{ name, activity, want string }{
		{"purchase", of("BUY", "MSFT", "5", "298.58", "19", `,"comment":"My first order"`), "[4] 2021-09-16 buy MSFT 5 @298.58 1492.9 USD fee 19"},
		{"sale of a share class", of("SELL", "BRK-B", "2", "300", "1.5", ""), "[4] 2021-09-16 sell BRK.B 2 @300 600 USD fee 1.5"},
		{"dividend of each share", of("DIVIDEND", "MSFT", "5", "0.62", "0", ""), "[4] 2021-09-16 dividend MSFT 3.1 USD"},
		{"interest", of("INTEREST", "14a69cb9-1e31-43fa-b320-83703d8ed74b", "1", "2.5", "0", `,"dataSource":"MANUAL"`), "[4] 2021-09-16 interest 2.5 USD"},
		{"fee", of("FEE", "14a69cb9-1e31-43fa-b320-83703d8ed74b", "0", "0", "49", `,"dataSource":"MANUAL"`), "[4] 2021-09-16 fee 49 USD"},
		{"pence", of("BUY", "VOD.L", "100", "123.45", "995", `,"currency":"GBp"`), "[4] 2021-09-16 buy VOD.L 100 @1.2345 123.45 GBP fee 9.95"},
		{"coin of Yahoo's", of("BUY", "BTCUSD", "0.5", "44558.42", "4.46", ""), "[4] 2021-09-16 buy BTC-USD 0.5 @44558.42 22279.21 USD fee 4.46"},
		{"coin of CoinGecko's", of("BUY", "bitcoin", "1e-7", "50000", "0", `,"dataSource":"COINGECKO","currency":"EUR"`), "[4] 2021-09-16 buy BTC-USD 0.0000001 @50000 0.005 EUR"},
		{"numbers as texts", of("BUY", "MSFT", `"5"`, `"298.58"`, `"0"`, ""), "[4] 2021-09-16 buy MSFT 5 @298.58 1492.9 USD"},
		{"a gift", of("BUY", "MSFT", "1", "0", "0", ""), "[4] 2021-09-16 buy MSFT 1 @0"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := read(t, export("activities", row.activity), broker.Options{Account: "mine"})
			if diff := cmp.Diff([]string{row.want}, brokertest.Say(s)); diff != "" {
				t.Errorf("Read differs:\n%sproblems %v", diff, s.Problems)
			}
		})
	}
}

func TestRead_WhatIsNotCertainIsAProblem(t *testing.T) {
	for _, row := range []struct{ name, activity, reason string }{
		{"a house", of("ITEM", "House", "1", "500000", "0", `,"dataSource":"MANUAL"`), "thing of value"},
		{"a debt", of("LIABILITY", "Loan", "1", "500000", "0", `,"dataSource":"MANUAL"`), "debts"},
		{"priced by hand", of("BUY", "GOLD", "1", "500000", "0", `,"dataSource":"MANUAL"`), "priced by hand"},
		{"a coin that is not known", of("BUY", "some-coin", "1", "5", "0", `,"dataSource":"COINGECKO"`), "some-coin"},
		{"no currency", of("BUY", "MSFT", "1", "5", "0", `,"currency":null`), "no currency"},
		{"no price", of("BUY", "MSFT", "1", "null", "0", ""), "unit price is missing"},
		{"below zero", of("BUY", "MSFT", "-1", "5", "0", ""), "below zero"},
		{"an unknown type", of("STAKE", "MSFT", "1", "5", "0", ""), "STAKE"},
		{"two fees", of("FEE", "x", "1", "5", "3", ""), "fee of 3 with a value of 5"},
		{"a date that is none", of("BUY", "MSFT", "1", "5", "0", `,"date":"soon"`), "not a date"},
		{"a number out of all bounds", of("BUY", "MSFT", "1e400", "5", "0", ""), "not a number"},
		{"a list in the place of a number", of("BUY", "MSFT", "[1]", "5", "0", ""), "not written as an activity"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := read(t, export("activities", row.activity), broker.Options{Account: "mine"})
			if len(s.Entries) != 0 || len(s.Problems) != 1 || s.Problems[0].Line != 4 || !strings.Contains(s.Problems[0].Reason, row.reason) {
				t.Errorf("Read = %v, problems %v; want one on line 4 with %q alone", brokertest.Say(s), s.Problems, row.reason)
			}
		})
	}
}

// By hand: -(5 * 298.58 + 19) - 49 + 5 * 0.62 = -1557.80.
func sample() []string {
	return []string{
		of("FEE", "14a69cb9-1e31-43fa-b320-83703d8ed74b", "0", "0", "49", `,"dataSource":"MANUAL","date":"2021-09-01T00:00:00.000Z"`),
		of("BUY", "MSFT", "5", "298.58", "19", ""),
		of("DIVIDEND", "MSFT", "5", "0.62", "0", `,"date":"2021-11-17T00:00:00.000Z"`),
		of("BUY", "MSFT", "0", "0", "0", `,"date":"2050-06-06T00:00:00.000Z"`),
		of("BUY", "MSFT", "9", "1", "0", `,"isDraft":true`),
	}
}

func TestRead_ExportComesOutAsByHand(t *testing.T) {
	for _, list := range []string{"activities", "orders"} {
		s := read(t, export(list, sample()...), broker.Options{Account: "mine"})
		if diff := cmp.Diff(map[string]string{"USD": "-1557.8"}, brokertest.Cash(s)); diff != "" {
			t.Errorf("%s: cash differs:\n%s", list, diff)
		}
		if diff := cmp.Diff(map[market.Symbol]string{"MSFT": "5"}, brokertest.Shares(s)); diff != "" {
			t.Errorf("%s: shares differ:\n%s", list, diff)
		}
		if diff := cmp.Diff([]string{"7 nothing", "8 a draft"}, brokertest.Reasons(s.Ignored, 7)); diff != "" || len(s.Problems) > 0 {
			t.Errorf("%s: problems %v, ignored lines differ:\n%s", list, s.Problems, diff)
		}
		if got := s.Entries[1].Transaction; got.ISIN != "US5949181045" || got.Name != "Microsoft" {
			t.Errorf("%s: security = %s %q, want Microsoft's", list, got.ISIN, got.Name)
		}
	}
}

// The same, in the columns and the mixed dates of Ghostfolio's own example.
func TestRead_TableComesOutAsTheExport(t *testing.T) {
	f := brokertest.Written("Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note",
		"01-09-2021,Account Opening Fee,MANUAL,USD,0,0,fee,49,",
		"16-09-2021,MSFT,YAHOO,USD,298.580,5,buy,19.00,My first order",
		"17/11/2021,MSFT,YAHOO,USD,0.62,5,dividend,0.00,",
		"20500606,US5949181045,YAHOO,USD,0.00,0,buy,0.00,")
	s := brokertest.Read(t, ghostfolio.Format(), f, broker.Options{})
	want := []string{
		"[2] 2021-09-01 fee 49 USD",
		"[3] 2021-09-16 buy MSFT 5 @298.58 1492.9 USD fee 19",
		"[4] 2021-11-17 dividend MSFT 3.1 USD",
	}
	if diff := cmp.Diff(want, brokertest.Say(s)); diff != "" || len(s.Ignored) != 1 {
		t.Errorf("Read differs:\n%signored %v, want line 5", diff, s.Ignored)
	}
	if got := s.Entries[0].Transaction.Note; got != "Account Opening Fee" {
		t.Errorf("note of the fee = %q, want its name", got)
	}
}

func TestRead_AccountsAreThoseOfTheFileWhereNoneIsGiven(t *testing.T) {
	s := read(t, export("activities", of("BUY", "MSFT", "1", "1", "0", "")), broker.Options{})
	if len(s.Entries) != 1 || s.Entries[0].Transaction.Account != "My account" {
		t.Errorf("Read = %v, %v; want an entry of My account", s.Entries, s.Problems)
	}
}

func TestRead_NumbersOfTheFileAreKept(t *testing.T) {
	with := of("BUY", "MSFT", "1", "1", "0", `,"id":"c3a1"`)
	s := read(t, export("activities", with, with, of("BUY", "MSFT", "2", "1", "0", `,"id":"c3a1"`)), broker.Options{Account: "mine"})
	if len(s.Entries) != 1 || s.Entries[0].Transaction.SourceID != "c3a1" || len(s.Ignored) != 1 || len(s.Problems) != 1 {
		t.Errorf("Read = %v, ignored %v, problems %v; want c3a1 once, ignored once and once a problem", s.Entries, s.Ignored, s.Problems)
	}
}

// Ghostfolio writes a day that was entered in Europe as its midnight, in UTC: without
// the zone nobody knows that it is the day after.
func TestRead_AMidnightOfAnotherZoneAsksForIt(t *testing.T) {
	for moment, asked := range map[string]bool{
		"2021-09-15T22:00:00.000Z": true, "2021-12-15T23:00:00.000Z": true, "2021-09-15T22:00:01.000Z": false, "2021-09-15T20:00:00.000Z": false, "2021-09-15T00:00:00.000Z": false,
	} {
		s := read(t, export("activities", of("BUY", "MSFT", "1", "1", "0", `,"date":"`+moment+`"`)), broker.Options{Account: "mine"})
		if got := len(s.Problems) == 1 && strings.Contains(s.Problems[0].Reason, "say the zone"); got != asked || len(s.Entries)+len(s.Problems) != 1 {
			t.Errorf("%s: asked for the zone is %v, want %v: %v", moment, got, asked, s.Problems)
		}
	}
}

func TestRead_MomentsAreBroughtToTheZone(t *testing.T) {
	zurich := time.FixedZone("CEST", 2*60*60)
	s := read(t, export("activities", of("BUY", "MSFT", "1", "1", "0", `,"date":"2021-09-15T22:00:00.000Z"`)), broker.Options{Account: "mine", Zone: zurich})
	if got := s.Entries[0].Transaction.Date.Format(time.DateOnly); got != "2021-09-16" {
		t.Errorf("midnight in Zurich is of %s, want 2021-09-16", got)
	}
}

func TestRead_FilesOfOthersAreRefused(t *testing.T) {
	for _, row := range []struct{ name, text string }{
		{"another table", "Date,Amount\n2021-01-01,5\n"},
		{"another JSON", `{"transactions": []}`},
		{"cut in the middle", export("activities", sample()...).Text[:900]},
		{"activities that are no list", `{"activities": {"unitPrice": 1}}`},
		{"no object", `["activities", "unitPrice"]`},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, err := ghostfolio.Format().Read(sheet.File{Name: "x", Text: row.text}, broker.Options{Account: "mine"})
			if !errors.Is(err, broker.ErrFormat) {
				t.Errorf("Read = %v, %v; want ErrFormat", s, err)
			}
		})
	}
}

// Each element takes more memory than its text: a list of the shortest ones would
// take a hundred times the file.
func TestRead_AnEndlessListIsRefused(t *testing.T) {
	f := sheet.File{Name: "x.json", Text: `{"meta":{},"accounts":[` + strings.Repeat("{},", sheet.MostRows) + `{}],"activities":[]}`}
	if _, err := ghostfolio.Format().Read(f, broker.Options{}); !errors.Is(err, sheet.ErrTooLarge) {
		t.Errorf("Read of %d accounts = %v, want ErrTooLarge", sheet.MostRows+1, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(export("activities", sample()...).Text)
	f.Add(`{"orders":[{"type":"BUY","unitPrice":1},null,5,"x",[]]}`)
	f.Add(`{"activities":null,"meta":{}}`)
	f.Add("Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note\n01-09-2021,A,YAHOO,USD,-1,1,buy,0,\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := sheet.File{Name: "fuzz", Text: text}
		ghostfolio.Format().Recognizes(file)
		if !strings.HasPrefix(strings.TrimSpace(text), "{") {
			brokertest.Fuzz(t, ghostfolio.Format(), text)
			return
		}
		s, err := ghostfolio.Format().Read(file, broker.Options{Account: "mine"})
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

func FuzzRead_NoActivityIsLost(f *testing.F) {
	f.Add(of("BUY", "MSFT", "5", "1", "0", ""))
	f.Add(`5`)
	f.Add(`{"type":"FEE","fee":"3"}`)
	f.Fuzz(func(t *testing.T, activity string) {
		two := export("activities", activity, sample()[0])
		s, err := ghostfolio.Format().Read(two, broker.Options{Account: "mine"})
		if err == nil && len(s.Entries)+len(s.Problems)+len(s.Ignored) < 2 {
			t.Errorf("Read says %v, %v, %v of two activities, the first of which is %q", s.Entries, s.Problems, s.Ignored, activity)
		}
	})
}
