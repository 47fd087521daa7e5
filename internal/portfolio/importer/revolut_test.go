package importer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

const revolutHeader = "Date,Ticker,Type,Quantity,Price per share,Total Amount,Currency,FX Rate"

func readRevolut(t testing.TB, lines ...string) importer.Statement {
	t.Helper()
	return importertest.Read(t, importer.Revolut(), importertest.File(append([]string{revolutHeader}, lines...)...), importer.Options{})
}

// Computed by hand from the twelve lines:
//
//	USD  -30.93 + 5.22 - 85.11 + 80.34 + 0.08 - 0.01 = -30.41
//	EUR  -50 - 20 = -70
//
// 1.63453043 * 52.07 = 85.11, 0.56217674 * 88.94 = 50.00 and 0.76672417 * 26.09 = 20.00, the last
// with a decimal comma. 0.1998348 * 402.13 = 80.36 for the sale, of which 80.34 were booked: two
// cents went to the SEC and FINRA. The split has no purchases before it, and a cent of cash has no
// other side.
func TestRevolut_RecordedStatementComesOutAsByHand(t *testing.T) {
	s := importertest.Read(t, importer.Revolut(), importertest.Recorded(t, "revolut-invest.csv"), importer.Options{})
	if diff := cmp.Diff(map[string]string{"USD": "-30.41", "EUR": "-70"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash differs from that by hand:\n%s", diff)
	}
	shares := map[market.Symbol]string{"O": "1.63453043", "MA": "-0.1998348", "TSLA.EUR": "0.56217674", "MSFT.EUR": "0.76672417"}
	if diff := cmp.Diff(shares, importertest.Shares(s)); diff != "" {
		t.Errorf("shares differ from those by hand:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"9 split with a chan", "10 -0.01 USD moved b"}, importertest.Reasons(s.Problems, 17)); diff != "" {
		t.Errorf("problems differ:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"8 move b", "11 move b"}, importertest.Reasons(s.Ignored, 6)); diff != "" {
		t.Errorf("ignored lines differ:\n%s", diff)
	}
}

func TestRevolut_EachTypeIsBooked(t *testing.T) {
	for _, row := range []struct{ name, line, want string }{
		{"purchase", "2024-01-02T10:00:00Z,AAPL,BUY - LIMIT,2,$190.50,$381,USD,1.1", "[2] 2024-01-02 buy AAPL 2 @190.5 381 USD"},
		{"purchase with its fee in the total", "2024-01-02T10:00:00Z,AAPL,BUY - MARKET,2,$190.50,$382,USD,1.1", "[2] 2024-01-02 buy AAPL 2 @190.5 382 USD"},
		{"sale, with the currency in front", `2024-01-02T10:00:00Z,AAPL,SELL - STOP,20,USD 190.50,"USD 3,809.90",USD,1.1`, "[2] 2024-01-02 sell AAPL 20 @190.5 3809.9 USD"},
		{"decimal comma in one line alone", `2024-01-02T10:00:00Z,AAPL,BUY - MARKET,"1,234",$100,$123.40,USD,1.1`, "[2] 2024-01-02 buy AAPL 1.234 @100 123.4 USD"},
		{"thousands, by the product", `2024-01-02T10:00:00Z,PENNY,BUY - MARKET,"1,234",$0.10,$123.40,USD,1.1`, "[2] 2024-01-02 buy PENNY 1234 @0.1 123.4 USD"},
		{"dividend", "2024-01-02T10:00:00Z,MSFT,DIVIDEND,,,USD 1.41,USD,1.1", "[2] 2024-01-02 dividend MSFT 1.41 USD"},
		{"tax", "2024-01-02T10:00:00Z,MSFT,DIVIDEND TAX (CORRECTION),,,USD -0.25,USD,1.1", "[2] 2024-01-02 tax MSFT 0.25 USD"},
		{"deposit", "2024-01-02T10:00:00Z,,CASH TOP-UP,,,€435.44,EUR,1", "[2] 2024-01-02 deposit 435.44 EUR"},
		{"withdrawal", "2024-01-02T10:00:00Z,,CASH WITHDRAWAL,,,-€35.44,EUR,1", "[2] 2024-01-02 withdrawal 35.44 EUR"},
		{"fee", "2024-01-02T10:00:00Z,,ROBO MANAGEMENT FEE,,,-€0.44,EUR,1", "[2] 2024-01-02 fee 0.44 EUR"},
		{"fee given back", "2024-01-02T10:00:00Z,,CUSTODY FEE REVERSAL,,,$1,USD,1.1", "[2] 2024-01-02 fee_refund 1 USD"},
		{"tax given back", "2024-01-02T10:00:00Z,MSFT,DIVIDEND TAX (CORRECTION),,,USD 0.25,USD,1.1", "[2] 2024-01-02 tax_refund MSFT 0.25 USD"},
		{"capital paid back", "2024-01-02T10:00:00Z,O,RETURN OF CAPITAL,,,$0.44,USD,1", "[2] 2024-01-02 return_of_capital O 0.44 USD"},
		{"a position that became cash", "2024-01-02T10:00:00Z,DEAD,POSITION CLOSURE,,,$12.5,USD,1", "[2] 2024-01-02 merger DEAD 12.5 USD"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readRevolut(t, row.line)
			if diff := cmp.Diff([]string{row.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("Read differs:\n%sproblems %v", diff, s.Problems)
			}
		})
	}
}

func TestRevolut_WhatIsNotCertainIsAProblem(t *testing.T) {
	for _, row := range []struct{ name, line, reason string }{
		{"a total too low for a purchase", "2024-01-02T10:00:00Z,AAPL,BUY - MARKET,2,$190.50,$300,USD,1.1", "is not 300"},
		{"a total too high for a sale", "2024-01-02T10:00:00Z,AAPL,SELL - MARKET,2,$190.50,$382,USD,1.1", "is not 382"},
		{"no price", "2024-01-02T10:00:00Z,AAPL,BUY - MARKET,2,,$300,USD,1.1", "missing"},
		{"no currency", "2024-01-02T10:00:00Z,AAPL,DIVIDEND,,,1,,1.1", "currency"},
		{"pence", "2024-01-02T10:00:00Z,VOD,DIVIDEND,,,1,GBX,1.1", "GBX"},
		{"another currency", "2024-01-02T10:00:00Z,AAPL,DIVIDEND,,,€1,USD,1.1", "is in EUR"},
		{"a number that may be two", `2024-01-02T10:00:00Z,,CASH TOP-UP,,,"$1,234",USD,1`, "1234 or 1.234"},
		{"a dividend taken back", "2024-01-02T10:00:00Z,AAPL,DIVIDEND,,,-$1,USD,1.1", "wrong sign"},
		{"a spin-off", "2024-01-02T10:00:00Z,NEW,SPINOFF,3,,$0,USD,1", "original shares"},
		{"half a merger", "2024-01-02T10:00:00Z,NEW,MERGER - STOCK,3,,$0,USD,1", "other side"},
		{"an unknown type", "2024-01-02T10:00:00Z,,GIFT,,,$1,USD,1", "GIFT"},
		{"a date that is none", "yesterday,,CASH TOP-UP,,,$1,USD,1", "not a date"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readRevolut(t, row.line)
			if len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, row.reason) {
				t.Errorf("Read = %v, problems %v; want one with %q alone", importertest.Describe(s), s.Problems, row.reason)
			}
		})
	}
}

func TestRevolut_RatioOfASplitIsWhatTheFileProves(t *testing.T) {
	const bought = "2020-01-02T10:00:00Z,TSLA,BUY - MARKET,0.08215962,$900,$73.94,USD,1.1"
	for _, row := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"three for one", []string{bought, "2022-08-25T08:00:00Z,TSLA,STOCK SPLIT,0.16431924,,$0,USD,1"}, "[3] 2022-08-25 split TSLA 3 for 1"},
		{"newest first", []string{"2022-08-25T08:00:00Z,TSLA,STOCK SPLIT,0.16431924,,$0,USD,1", bought}, "[2] 2022-08-25 split TSLA 3 for 1"},
		{"one for a hundred", []string{"2020-01-02T10:00:00Z,CHK,BUY - MARKET,200,$1,$200,USD,1", "2022-08-25T08:00:00Z,CHK,STOCK SPLIT,-198,,$0,USD,1"},
			"[3] 2022-08-25 reverse_split CHK 1 for 100"},
		{"no small numbers", []string{bought, "2022-08-25T08:00:00Z,TSLA,STOCK SPLIT,0.1234,,$0,USD,1"}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readRevolut(t, row.lines...)
			got := strings.Join(importertest.Describe(s), "\n")
			if row.want != "" && !strings.Contains(got, row.want) || row.want == "" && len(s.Problems) != 1 {
				t.Errorf("Read = %s, problems %v; want %q", got, s.Problems, row.want)
			}
		})
	}
}

func TestRevolut_LinesThatBelongTogether(t *testing.T) {
	for _, row := range []struct {
		name             string
		lines, said      []string
		ignored, problem int
	}{
		{"a merger", []string{
			"2023-01-02T10:00:00Z,OLD,BUY - MARKET,10,$5,$50,USD,1",
			"2024-01-02T10:00:00.123Z,OLD,MERGER - STOCK,-10,,$0,USD,1",
			"2024-01-02T10:00:00.456Z,NEW,MERGER - STOCK,4,,$0,USD,1",
		}, []string{"[2] 2023-01-02 buy OLD 10 @5 50 USD", "[3 4] 2024-01-02 merger OLD 4 for 10 to NEW"}, 0, 0},
		{"tax that came back", []string{
			"2024-01-02T10:00:00Z,MSFT,DIVIDEND TAX (CORRECTION),,,-$0.25,USD,1",
			"2024-01-02T10:00:01Z,MSFT,DIVIDEND TAX (CORRECTION),,,$0.25,USD,1",
		}, nil, 2, 0},
		{"cash between Revolut's companies", []string{
			"2024-01-02T10:00:00Z,,TRANSFER FROM REVOLUT TRADING LTD TO REVOLUT SECURITIES EUROPE UAB,,,-$5.25,USD,1",
			"2024-01-02T10:00:01Z,,TRANSFER FROM REVOLUT TRADING LTD TO REVOLUT SECURITIES EUROPE UAB,,,$5.25,USD,1",
		}, nil, 2, 0},
		{"three that could be pairs", []string{
			"2024-01-02T10:00:00Z,MSFT,DIVIDEND TAX (CORRECTION),,,-$0.25,USD,1",
			"2024-01-02T10:00:01Z,MSFT,DIVIDEND TAX (CORRECTION),,,$0.25,USD,1",
			"2024-01-02T10:00:02Z,MSFT,DIVIDEND TAX (CORRECTION),,,-$0.25,USD,1",
		}, []string{"[2] 2024-01-02 tax MSFT 0.25 USD", "[3] 2024-01-02 tax_refund MSFT 0.25 USD", "[4] 2024-01-02 tax MSFT 0.25 USD"}, 0, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readRevolut(t, row.lines...)
			got := importertest.Describe(s)
			if strings.Join(got, "\n") != strings.Join(row.said, "\n") || len(s.Ignored) != row.ignored || len(s.Problems) != row.problem {
				t.Errorf("Read = %v, ignored %v, problems %v; want %v, %d and %d", got, s.Ignored, s.Problems, row.said, row.ignored, row.problem)
			}
		})
	}
}

func TestRevolut_DaysAreThoseOfTheZone(t *testing.T) {
	f := importertest.File(revolutHeader, "2024-01-02T23:30:00Z,,CASH TOP-UP,,,$1,USD,1")
	s := importertest.Read(t, importer.Revolut(), f, importer.Options{Zone: time.FixedZone("EET", 2*60*60)})
	if got := importertest.Describe(s)[0]; !strings.Contains(got, "2024-01-03") {
		t.Errorf("23:30 in UTC is %q in Vilnius, want 3 January", got)
	}
}

func TestRevolut_RefusesOtherFiles(t *testing.T) {
	importertest.CheckRefused(t, importer.Revolut(), importertest.File("Date,Ticker,Type,Quantity", "2024-01-01,A,BUY,1"))
}

func FuzzRevolut(f *testing.F) {
	f.Add(revolutHeader + "\n2024-01-02T10:00:00Z,AAPL,BUY - MARKET,\"1,234\",$100,$123.40,USD,1.1\n")
	f.Add(revolutHeader + "\n2024-01-02T10:00:00Z,A,MERGER - STOCK,-1,,$0,USD,1\n2024-01-02T10:00:00Z,B,MERGER - STOCK,1,,$0,USD,1\n,,,\n")
	f.Add(revolutHeader + "\n2020-01-02T10:00:00Z,A,BUY,1,$9,$9,USD,1\n2022-08-25T08:00:00Z,A,STOCK SPLIT,2,,$0,USD,1\n")
	f.Fuzz(func(t *testing.T, text string) { importertest.Fuzz(t, importer.Revolut(), text) })
}
