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

const deltaHeader = "Date,Way,Base amount,Base currency (name),Base type,Quote amount,Quote currency,Exchange,Sent/Received from,Sent to,Fee amount,Fee currency (name),Broker,Notes"

// Computed by hand from the seven lines: 5000.00 paid in, 1250.00 for the shares, and 2.50 less
// 0.50 of dividend leave USD 3752.00; 0.1 DOT left, plus 0.001 as a fee. The two trades of a coin
// for a coin, and the reward, have no value in money.
func TestDelta_RecordedTemplateComesOutAsByHand(t *testing.T) {
	s := importertest.Read(t, importer.Delta(), importertest.Recorded(t, "delta.csv"), importer.Options{})
	if diff := cmp.Diff(map[string]string{"USD": "3752"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash differs from that by hand:\n%s", diff)
	}
	if diff := cmp.Diff(map[market.Symbol]string{"AAPL": "5", "DOT-USD": "-0.101"}, importertest.Shares(s)); diff != "" {
		t.Errorf("shares differ from those by hand:\n%s", diff)
	}
	want := []string{"2 priced in BTC, whic", "3 priced in ETH, whic", "5 reward of 0.001 BTC"}
	if diff := cmp.Diff(want, importertest.Reasons(s.Problems, 19)); diff != "" || len(s.Ignored) != 0 {
		t.Errorf("ignored %v, problems differ:\n%s", s.Ignored, diff)
	}
}

func TestDelta_EachWayIsBooked(t *testing.T) {
	for _, row := range []struct{ name, line, want string }{
		{"purchase", "2023-05-08 15:00:00-04:00,BUY,5,AAPL (Apple),STOCK,1250,USD,Nasdaq,,,1.5,USD,eToro,first", "[2] 2023-05-08 buy AAPL 5 1250 USD fee 1.5"},
		{"coin for money", "2023-05-08 15:00:00-04:00,SELL,2,SOL (Solana),CRYPTO,40,EUR,Kraken,,,,,,", "[2] 2023-05-08 sell SOL-USD 2 40 EUR"},
		{"fund", "2023-05-08,BUY,5,VTI,FUND,1250,USD,,,,,,,", "[2] 2023-05-08 buy VTI 5 1250 USD"},
		{"money for money", "2023-05-08 15:00:00-04:00,BUY,100,EUR,FIAT,110,USD,,,,1,USD,,", "[2] 2023-05-08 currency_exchange 110 USD fee 1 to 100 EUR"},
		{"money sold", "2023-05-08 15:00:00-04:00,SELL,100,EUR,FIAT,110,USD,,,,,,,", "[2] 2023-05-08 currency_exchange 100 EUR to 110 USD"},
		{"dividend", "2023-05-08 15:00:00-04:00,DIVIDEND,,AAPL,STOCK,2.5,USD,Nasdaq,,,0.5,USD,,", "[2] 2023-05-08 dividend AAPL 2.5 USD fee 0.5"},
		{"deposit", "2023-05-08 15:00:00-04:00,DEPOSIT,5000,USD,FIAT,,,,,,,,,", "[2] 2023-05-08 deposit 5000 USD"},
		{"withdrawal", "2023-05-08 15:00:00-04:00,WITHDRAW,5000,USD,FIAT,,,,,,2,USD,,", "[2] 2023-05-08 withdrawal 5000 USD fee 2"},
		{"coins from elsewhere", "2023-05-08 15:00:00-04:00,DEPOSIT,0.1,BTC,CRYPTO,,,,OTHER_WALLET,MY_WALLET,,,,", "[2] 2023-05-08 transfer_in BTC-USD 0.1 cost unknown"},
		{"coins to elsewhere", "2023-05-08 15:00:00-04:00,WITHDRAW,0.1,DOT (Polkadot),CRYPTO,,,,MY_WALLET,OTHER,0.001,DOT (Polkadot),,", "[2] 2023-05-08 transfer_out DOT-USD 0.101"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := importertest.Read(t, importer.Delta(), importertest.File(deltaHeader, row.line), importer.Options{})
			if diff := cmp.Diff([]string{row.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("Read differs:\n%sproblems %v", diff, s.Problems)
			}
		})
	}
}

func TestDelta_WhatIsNotCertainIsAProblem(t *testing.T) {
	for _, row := range []struct{ name, line, reason string }{
		{"a coin for a coin", "2023-06-02 16:06:47-04:00,BUY,10,ETH,CRYPTO,0.6,BTC,Binance,,,,,,", "priced in BTC"},
		{"a coin for a stablecoin", "2023-06-02 16:06:47-04:00,BUY,10,ETH,CRYPTO,6000,USDT,Binance,,,,,,", "priced in USDT"},
		{"a fee in another coin", "2023-06-02 16:06:47-04:00,BUY,10,ETH,CRYPTO,6000,USD,Binance,,,0.1,BNB,,", "fee of 0.1 BNB"},
		{"a fee in another coin on what left", "2023-06-02 16:06:47-04:00,WITHDRAW,10,ETH,CRYPTO,,,,,,0.1,BNB,,", "fee of 0.1 BNB"},
		{"a reward", "2023-06-02 16:06:47-04:00,DEPOSIT,10,ETH,CRYPTO,,,,STAKING,MY_WALLET,,,,", "reward of 10 ETH"},
		{"a move that cost something", "2023-06-02 16:06:47-04:00,TRANSFER,10,ETH,CRYPTO,,,,A,B,0.1,ETH,,", "with a fee of 0.1 ETH"},
		{"an index", "2023-06-02 16:06:47-04:00,BUY,10,SPX,INDEX,6000,USD,,,,,,,", "INDEX"},
		{"no amount", "2023-06-02 16:06:47-04:00,BUY,,AAPL,STOCK,6000,USD,,,,,,,", "missing"},
		{"an amount below zero", "2023-06-02 16:06:47-04:00,BUY,-1,AAPL,STOCK,6000,USD,,,,,,,", "negative"},
		{"no way", "2023-06-02 16:06:47-04:00,,1,AAPL,STOCK,6000,USD,,,,,,,", `unknown way ""`},
		{"a dividend in no money", "2023-06-02 16:06:47-04:00,DIVIDEND,,AAPL,STOCK,1,BTC,,,,,,,", "without an amount in a currency"},
		{"a fee on what came in", "2023-06-02 16:06:47-04:00,DEPOSIT,1,BTC,CRYPTO,,,,,,0.1,BTC,,", "unclear who paid"},
		{"nothing that left", "2023-06-02 16:06:47-04:00,WITHDRAW,,BTC,CRYPTO,,,,,,,,,", "missing"},
		{"a fee on money that came in", "2023-06-02 16:06:47-04:00,DEPOSIT,100,USD,FIAT,,,,,,1,USD,,", "unclear who paid"},
		{"a fee in what was bought", "2023-06-02 16:06:47-04:00,SELL,100,EUR,FIAT,110,USD,,,,1,USD,,", "purchased currency"},
		{"a code that is none", "2023-06-02 16:06:47-04:00,BUY,1,B-C,CRYPTO,110,USD,,,,,,,", "is not a coin code"},
		{"a date that is none", "soon,BUY,1,AAPL,STOCK,6000,USD,,,,,,,", "not a date"},
		{"money that is none", "2023-06-02 16:06:47-04:00,DEPOSIT,1,SHELLS,FIAT,,,,,,,,,", "SHELLS"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := importertest.Read(t, importer.Delta(), importertest.File(deltaHeader, row.line), importer.Options{})
			if len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, row.reason) {
				t.Errorf("Read = %v, problems %v; want one with %q alone", importertest.Describe(s), s.Problems, row.reason)
			}
		})
	}
}

func TestDelta_MoveBetweenOwnWalletsIsIgnored(t *testing.T) {
	s := importertest.Read(t, importer.Delta(), importertest.File(deltaHeader, "2023-06-02 16:06:47-04:00,TRANSFER,10,ETH,CRYPTO,,,,A,B,,,,"), importer.Options{})
	if len(s.Ignored) != 1 || len(s.Entries)+len(s.Problems) != 0 {
		t.Errorf("Read = %v, %v, %v; want the line ignored", s.Entries, s.Problems, s.Ignored)
	}
}

// The date is the one written; the instant is separate.
func TestDelta_DayIsTheOneThatIsWritten(t *testing.T) {
	for _, row := range []struct {
		name, date string
		want       time.Time
	}{
		{"with a zone", "2023-06-02 22:00:00-04:00", time.Date(2023, 6, 3, 2, 0, 0, 0, time.UTC)},
		{"RFC 2822", "Fri, 02 Jun 2023 22:00:00 -0400", time.Date(2023, 6, 3, 2, 0, 0, 0, time.UTC)},
		{"without a zone", "2023-06-02 22:00:00", time.Date(2023, 6, 2, 21, 0, 0, 0, time.UTC)},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := importertest.File(deltaHeader, `"`+row.date+`",DEPOSIT,1,USD,FIAT,,,,,,,,,`)
			s := importertest.Read(t, importer.Delta(), f, importer.Options{Zone: time.FixedZone("BST", 60*60)})
			got := s.Entries[0].Transaction
			if got.Date.Format(time.DateOnly) != "2023-06-02" || !got.Time.Equal(row.want) {
				t.Errorf("%s is %s at %s, want 2 June at %s", row.date, got.Date, got.Time, row.want)
			}
		})
	}
}

func TestDelta_RefusesOtherFiles(t *testing.T) {
	importertest.CheckRefused(t, importer.Delta(), importertest.File("Date,Ticker,Type,Quantity", "2024-01-01,A,BUY,1"))
}

func FuzzDelta(f *testing.F) {
	f.Add(deltaHeader + "\n2023-05-08 15:00:00-04:00,BUY,5,AAPL (Apple),STOCK,1250,USD,Nasdaq,,,1.5,USD,eToro,first\n,,\n")
	f.Add(deltaHeader + "\n2023-05-08 15:00:00-04:00,WITHDRAW,1e-9,DOT (,CRYPTO,,,,MY_WALLET,OTHER,0.001,DOT,,\n")
	f.Fuzz(func(t *testing.T, text string) { importertest.Fuzz(t, importer.Delta(), text) })
}
