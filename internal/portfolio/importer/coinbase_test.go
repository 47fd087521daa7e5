package importer_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

const coinbaseHeader = "ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes"

func readCoinbase(t testing.TB, f importer.File, o importer.Options) importer.Statement {
	t.Helper()
	return importertest.Read(t, importer.Coinbase(), f, o)
}

// Computed by hand from the eight lines below the header:
//
//	BTC  bought 0.00166779, converted 0.00363125 away                = -0.00196346
//	ETH  staked 0.000037835729 + 0.000022652183                      =  0.000060487912
//	XRP  156.145683 for the BTC
//	EUR  -70.00 for the purchase; the conversion leaves no cash: 351.66322 less
//	     12.73624 for the sale, 338.92698 for the purchase
//	     income 0.12649 + 0.07027 = 0.19676
//
// ETH2 left and came back as ETH (lines 4 and 5), and ETH became the same quantity of ETH2 (7).
// Line 9 has the number of line 8 with dollars instead of euros.
func TestCoinbase_RecordedExportComesOutAsByHand(t *testing.T) {
	s := readCoinbase(t, importertest.Recorded(t, "coinbase.csv"), importer.Options{})
	want := map[market.Symbol]string{"BTC-USD": "-0.00196346", "ETH-USD": "0.000060487912", "XRP-USD": "156.145683"}
	if diff := cmp.Diff(want, importertest.Shares(s)); diff != "" {
		t.Errorf("coins differ from those by hand:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"EUR": "-70"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash differs from that by hand:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"EUR": "0.19676"}, importertest.Sum(s, portfolio.KindReinvest)); diff != "" {
		t.Errorf("income differs from that by hand:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"4 coin renamed", "5 coin renamed", "7 coin renamed"}, importertest.Reasons(s.Ignored, 12)); diff != "" {
		t.Errorf("ignored lines differ:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"9 has the same n"}, importertest.Reasons(s.Problems, 14)); diff != "" {
		t.Errorf("problems differ:\n%s", diff)
	}
}

func TestCoinbase_EachTypeIsBooked(t *testing.T) {
	for _, row := range []struct {
		name, line string
		want       []string
	}{
		{"purchase", `1,2024-03-01 10:00:00 UTC,Buy,BTC,0.01,EUR,€50000,€500.00,€507.45,€7.45,Bought 0.01 BTC for 507.45 EUR`,
			[]string{"[2] 2024-03-01 buy BTC-USD 0.01 @50000 500 EUR fee 7.45"}},
		{"purchase without a fee column", `1,2024-03-01 10:00:00 UTC,Buy,BTC,0.01,USD,$50000,$500,$501.00,,`,
			[]string{"[2] 2024-03-01 buy BTC-USD 0.01 @50000 500 USD fee 1"}},
		{"sale, with the signs of new exports", `1,2024-03-01 10:00:00 UTC,Sell,BTC,-0.02,EUR,€50000,"€1,000.00","€990.00",€10.00,"Sold 0.02 BTC for 990.00 EUR"`,
			[]string{"[2] 2024-03-01 sell BTC-USD 0.02 @50000 1000 EUR fee 10"}},
		{"trade for a coin", `1,2024-03-01 10:00:00 UTC,Advanced Trade Buy,SOL,2,USD,$100,$200.00,$201.00,$1.00,Bought 2 SOL for 201 USDC on SOL-USDC at 100 USDC/SOL`,
			[]string{"[2] 2024-03-01 sell USDC-USD 201 201 USD", "[2] 2024-03-01 buy SOL-USD 2 @100 200 USD fee 1"}},
		{"sale for a coin", `1,2024-03-01 10:00:00 UTC,Advanced Trade Sell,SOL,-2,USD,$100,$200.00,$199.00,$1.00,Sold 2 SOL for 199 USDC on SOL-USDC at 100 USDC/SOL`,
			[]string{"[2] 2024-03-01 sell SOL-USD 2 @100 200 USD fee 1", "[2] 2024-03-01 buy USDC-USD 199 199 USD"}},
		{"conversion", `1,2024-03-01 10:00:00 UTC,Convert,ADA,-100,USD,$0.5,-$49.00,-$50.00,$1.00,Converted 100 ADA to 0.001 BTC`,
			[]string{"[2] 2024-03-01 sell ADA-USD 100 @0.5 50 USD fee 1", "[2] 2024-03-01 buy BTC-USD 0.001 49 USD"}},
		{"reward", `1,2024-03-01 10:00:00 UTC,Learning Reward,GRT,5,USD,$0.2,$1.00,$1.00,$0.00,Received 5 GRT from Coinbase as a learning reward`,
			[]string{"[2] 2024-03-01 reinvested_dividend GRT-USD 5 @0.2 1 USD"}},
		{"reward worth less than a cent", `1,2024-03-01 10:00:00 UTC,Rewards Income,ALGO,0.0001,USD,$0.2,$0.00,$0.00,$0.00,`,
			[]string{"[2] 2024-03-01 buy ALGO-USD 0.0001 @0"}},
		{"reward in money", `1,2024-03-01 10:00:00 UTC,Rewards Income,USD,1.5,USD,$1,$1.50,$1.50,$0.00,`,
			[]string{"[2] 2024-03-01 interest 1.5 USD"}},
		{"coins sent", `1,2024-03-01 10:00:00 UTC,Send,BTC,-0.5,EUR,€50000,-€25000,-€25000,€0.00,Sent 0.5 BTC to bc1q`,
			[]string{"[2] 2024-03-01 transfer_out BTC-USD 0.5"}},
		{"coins received", `1,2024-03-01 10:00:00 UTC,Receive,BTC,0.5,EUR,€50000,€25000,€25000,€0.00,Received 0.5 BTC from an external account`,
			[]string{"[2] 2024-03-01 transfer_in BTC-USD 0.5 cost unknown"}},
		{"coins given by Coinbase", `1,2019-03-01 10:00:00 UTC,Receive,XLM,10,USD,$0.1,$1.00,$1.00,$0.00,Received 10 XLM from Coinbase Earn`,
			[]string{"[2] 2019-03-01 reinvested_dividend XLM-USD 10 @0.1 1 USD"}},
		{"money in a currency other than that of the values", `1,2024-03-01 10:00:00 UTC,Deposit,CZK,250,EUR,€0.04,€10,€10,€0.00,Deposit from bank`,
			[]string{"[2] 2024-03-01 deposit 250 CZK"}},
		{"money from a bank", `1,2024-03-01 10:00:00 UTC,Deposit,EUR,250,EUR,€1,€250,€250,€0.00,Deposit from bank`,
			[]string{"[2] 2024-03-01 deposit 250 EUR"}},
		{"money to a bank", `1,2024-03-01 10:00:00 UTC,Withdrawal,EUR,-250,EUR,€1,-€250,-€250,€0.00,Withdrawal`,
			[]string{"[2] 2024-03-01 withdrawal 250 EUR"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readCoinbase(t, importertest.File(coinbaseHeader, row.line), importer.Options{})
			if diff := cmp.Diff(row.want, importertest.Describe(s)); diff != "" {
				t.Errorf("Read differs:\n%s%v", diff, s.Problems)
			}
		})
	}
}

func TestCoinbase_WhatIsNotCertainIsAProblem(t *testing.T) {
	for _, row := range []struct{ name, line, reason string }{
		{"conversion to money", `1,2024-03-01 10:00:00 UTC,Convert,USDC,-100,USD,$1,-$100.00,-$100.00,$0.00,Converted 100 USDC to 100 USD`, "USD is a currency"},
		{"sums that do not agree", `1,2024-03-01 10:00:00 UTC,Buy,BTC,0.01,EUR,€50000,€500.00,€600.00,€7.45,`, "do not add up"},
		{"a quantity a thousand times too large", `1,2024-03-01 10:00:00 UTC,Buy,BTC,10,EUR,€50000,€500.00,€507.45,€7.45,`, "is not 500"},
		{"no currency", `1,2024-03-01 10:00:00 UTC,Buy,BTC,0.01,,50000,500.00,507.45,7.45,`, "currency"},
		{"two currencies", `1,2024-03-01 10:00:00 UTC,Buy,BTC,0.01,USD,€50000,€500.00,€507.45,€7.45,`, "is in EUR"},
		{"paid in other money", `1,2024-03-01 10:00:00 UTC,Buy,BTC,0.01,USD,$50000,$500.00,$507.45,$7.45,Bought 0.01 BTC for 460 EUR`, "paid in EUR"},
		{"a conversion without its note", `1,2024-03-01 10:00:00 UTC,Convert,ADA,-100,USD,$0.5,$49.00,$50.00,$1.00,`, "note"},
		{"a conversion of something else", `1,2024-03-01 10:00:00 UTC,Convert,ADA,-100,USD,$0.5,$49.00,$50.00,$1.00,Converted 90 ADA to 0.001 BTC`, "disagree"},
		{"what was got, alone", `1,2024-03-01 10:00:00 UTC,Convert,BTC,0.001,USD,$50000,$49.00,$50.00,$1.00,Converted 100 ADA to 0.001 BTC`, "missing"},
		{"a conversion without a value", `1,2024-03-01 10:00:00 UTC,Convert,ADA,-100,USD,$0.5,,,,Converted 100 ADA to 0.001 BTC`, "value"},
		{"a conversion that gained", `1,2024-03-01 10:00:00 UTC,Convert,ADA,-100,USD,$0.5,$51.00,$50.00,,Converted 100 ADA to 0.001 BTC`, "do not match"},
		{"a conversion into nothing", `1,2024-03-01 10:00:00 UTC,Convert,ADA,-1,USD,$0.5,$0.00,$0.50,$0.50,Converted 1 ADA to 0.000001 BTC`, "needs amount"},
		{"a trade without a total", `1,2024-03-01 10:00:00 UTC,Buy,BTC,0.01,EUR,€50000,€500.00,,€7.45,`, "missing"},
		{"a purchase of less than nothing", `1,2024-03-01 10:00:00 UTC,Buy,BTC,-0.01,EUR,€50000,€500.00,€507.45,€7.45,`, "negative quantity"},
		{"a reward of nothing", `1,2024-03-01 10:00:00 UTC,Staking Income,ETH,0,EUR,€1,€0,€0,€0,`, "positive quantity"},
		{"a reward without a value", `1,2024-03-01 10:00:00 UTC,Staking Income,ETH,1,EUR,€1,,,,`, "value"},
		{"nothing received", `1,2024-03-01 10:00:00 UTC,Receive,ETH,-1,EUR,€1,€1,€1,€0,`, "received"},
		{"a fee on money", `1,2024-03-01 10:00:00 UTC,Withdrawal,EUR,-100,EUR,€1,€100,€101,€1,`, "fee of 1"},
		{"a quantity that is none", `1,2024-03-01 10:00:00 UTC,Buy,BTC,one,EUR,€1,€1,€1,€0,`, "Quantity Transacted"},
		{"a fee on coins sent", `1,2024-03-01 10:00:00 UTC,Send,BTC,-0.5,EUR,€50000,-€25000,-€25000,€3.00,`, "fee of 3"},
		{"an unknown type", `1,2024-03-01 10:00:00 UTC,Card Spend,BTC,-0.5,EUR,€50000,-€25000,-€25000,€0.00,`, "unknown transaction type"},
		{"a date that is none", `1,yesterday,Buy,BTC,0.01,EUR,€50000,€500.00,€507.45,€7.45,`, "not a date"},
		{"a code that is none", `1,2024-03-01 10:00:00 UTC,Buy,B-C,0.01,EUR,€50000,€500.00,€507.45,€7.45,`, "is not a coin code"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readCoinbase(t, importertest.File(coinbaseHeader, row.line), importer.Options{})
			if len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, row.reason) {
				t.Errorf("Read = %v, problems %v; want a problem with %q alone", importertest.Describe(s), s.Problems, row.reason)
			}
		})
	}
}

func TestCoinbase_OtherLayoutsAreReadAlike(t *testing.T) {
	want := []string{"2021-05-01 buy BTC-USD 0.01 @50000 500 USD fee 7.45"}
	for _, row := range []struct {
		name  string
		lines []string
	}{
		{"2022, below prose", []string{
			`"You can use this transaction report to inform your likely tax obligations.`, "", "Transactions",
			"User,someone@example.com,5f0c",
			"Timestamp,Transaction Type,Asset,Quantity Transacted,Spot Price Currency,Spot Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes",
			"2021-05-01T10:00:00Z,Buy,BTC,0.01,USD,50000,500.00,507.45,7.45,Bought 0.01 BTC for $507.45 USD",
		}},
		{"2021", []string{
			"Timestamp,Transaction Type,Asset,Quantity Transacted,Spot Price Currency,Spot Price at Transaction,Subtotal,Total (inclusive of fees),Fees,Notes",
			"2021-05-01T10:00:00Z,Buy,BTC,0.01,USD,50000,500.00,507.45,7.45,Bought 0.01 BTC for $507.45 USD",
		}},
		{"2020, with the currency in the columns", []string{
			"Timestamp,Transaction Type,Asset,Quantity Transacted,USD Spot Price at Transaction,USD Subtotal,USD Total (inclusive of fees),USD Fees,Notes",
			"2021-05-01T10:00:00Z,Buy,BTC,0.01,50000,500.00,507.45,7.45,Bought 0.01 BTC for $507.45 USD",
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := importertest.File(row.lines...)
			s := readCoinbase(t, f, importer.Options{})
			var got []string
			for _, said := range importertest.Describe(s) {
				_, said, _ = strings.Cut(said, " ")
				got = append(got, said)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Read differs:\n%s%v", diff, s.Problems)
			}
		})
	}
}

func TestCoinbase_BothSidesOfAConversionAreReadOnce(t *testing.T) {
	const note = "Converted 100 ADA to 0.001 BTC"
	s := readCoinbase(t, importertest.File(coinbaseHeader,
		"1,2024-03-01 10:00:00 UTC,Convert,BTC,0.001,USD,$50000,$49.00,$49.00,$0.00,"+note,
		"2,2024-03-01 10:00:00 UTC,Convert,ADA,-100,USD,$0.5,$49.00,$50.00,$1.00,"+note), importer.Options{})
	if diff := cmp.Diff(map[market.Symbol]string{"ADA-USD": "-100", "BTC-USD": "0.001"}, importertest.Shares(s)); diff != "" || len(s.Ignored) != 1 {
		t.Errorf("coins differ:\n%signored %v, want the side that was got", diff, s.Ignored)
	}
}

func TestCoinbase_MovesWithinTheAccountAreIgnored(t *testing.T) {
	s := readCoinbase(t, importertest.File(coinbaseHeader,
		"1,2024-03-01 10:00:00 UTC,Retail Staking Transfer,SOL,-2,USD,$100,$200,$200,$0,",
		"2,2024-03-01 10:00:00 UTC,Vault Withdrawal,BTC,1,USD,$50000,$50000,$50000,$0,"), importer.Options{})
	if len(s.Ignored) != 2 || len(s.Entries)+len(s.Problems) != 0 {
		t.Errorf("Read = %v, problems %v, ignored %v; want both ignored", importertest.Describe(s), s.Problems, s.Ignored)
	}
}

func TestCoinbase_DaysAreThoseOfTheZone(t *testing.T) {
	zone := time.FixedZone("", 9*60*60)
	s := readCoinbase(t, importertest.File(coinbaseHeader,
		`1,2024-02-29 20:00:00 UTC,Send,BTC,-0.5,EUR,€50000,-€25000,-€25000,€0.00,`), importer.Options{Zone: zone})
	if got := importertest.Describe(s)[0]; !strings.Contains(got, "2024-03-01") {
		t.Errorf("20:00 in UTC on 29 February is %q, want 1 March nine hours further east", got)
	}
}

func TestCoinbase_RefusesOtherFiles(t *testing.T) {
	importertest.CheckRefused(t, importer.Coinbase(), importertest.File("Date,Ticker,Type,Quantity", "2024-01-01,A,BUY,1"))
}

func FuzzCoinbase(f *testing.F) {
	f.Add(coinbaseHeader + "\n1,2024-03-01 10:00:00 UTC,Convert,ADA,-100,USD,$0.5,-$49.00,-$50.00,$1.00,Converted 100 ADA to 0.001 BTC\n")
	f.Add(coinbaseHeader + "\n1,2024-03-01 10:00:00 UTC,Advanced Trade Buy,SOL,2,USD,$100,$200.00,$201.00,$1.00,Bought 2 SOL for 201 USDC\n,,\n")
	f.Add("Transactions\n" + coinbaseHeader + "\n1,2024-03-01 10:00:00 UTC,Send,ETH2,-1,EUR,1,1,1,0,\n2,2024-03-01 10:00:00 UTC,Receive,ETH,1,EUR,1,1,1,0,\n")
	f.Add("Timestamp,Transaction Type,Asset,Quantity Transacted,EUR Spot Price at Transaction,EUR Subtotal\n2021-05-01T10:00:00Z,Buy,BTC,1e-9,1,1\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := importer.File{Name: "fuzz.csv", Text: text}
		importer.Coinbase().Recognizes(file)
		s, err := importer.Coinbase().Read(file, importer.Options{Account: importertest.Account})
		if err != nil {
			return
		}
		named := map[int]bool{}
		for _, e := range s.Entries {
			named[e.Lines[0]] = true
		}
		for _, remark := range append(s.Problems, s.Ignored...) {
			named[remark.Line] = true
		}
		if strings.ContainsAny(text, "\r\"") {
			return // a newline then does not end every line
		}
		below := false
		for i, line := range strings.Split(text, "\n") {
			if below && !named[i+1] && strings.TrimFunc(strings.ReplaceAll(line, ",", ""), unicode.IsSpace) != "" {
				t.Errorf("Read says nothing of line %d of %q", i+1, text)
			}
			below = below || strings.Contains(line, "Quantity Transacted") && strings.Contains(line, "Timestamp")
		}
	})
}
