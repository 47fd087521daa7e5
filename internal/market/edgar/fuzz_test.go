package edgar_test

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
)

func FuzzTickers(f *testing.F) {
	f.Add(testdata(f, "company_tickers.json"))
	f.Add([]byte(`{"0":{"cik_str":99999999999,"ticker":"A","title":"A"},"x":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if n, err := edgar.CountTickers(text); err == nil && n == 0 {
			t.Error("a register without rows is no error")
		}
	})
}

func FuzzSubmissions(f *testing.F) {
	f.Add(testdata(f, "submissions.json"))
	f.Add(testdata(f, "older.json"))
	f.Add([]byte(`{"cik":"1","name":"A","filings":{"recent":{"accessionNumber":["x"]}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = edgar.CountFilings(text)
		_, _ = edgar.CountOlderFilings(text)
	})
}

func FuzzOwnership(f *testing.F) {
	f.Add(testdata(f, "form4.xml"))
	f.Add(testdata(f, "amended.xml"))
	f.Add([]byte(`<ownershipDocument><issuer><issuerCik>1</issuerCik></issuer><reportingOwner/></ownershipDocument>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		trades, err := edgar.TradesOf(text)
		if err != nil {
			return
		}
		for _, trade := range trades {
			if trade.Date.IsZero() && trade.Date != (time.Time{}) || trade.Shares.IsNegative() || len(trade.Shares.String()) > 60 {
				t.Errorf("trade %+v", trade)
			}
		}
	})
}

func FuzzFeed(f *testing.F) {
	f.Add(testdata(f, "current.atom"))
	f.Add([]byte(`<?xml version="1.0" encoding="windows-1252"?><feed><entry><title>8-K - A (0000000001) (Filer)</title></entry></feed>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		articles, _, _ := edgar.ArticlesOf(text)
		for _, a := range articles {
			if a.Title == "" || a.Published.IsZero() && (market.NewsQuery{Before: time.Now()}).Matches(a.Published) {
				t.Errorf("article %+v", a)
			}
		}
	})
}

func FuzzIndex(f *testing.F) {
	const head = "CIK|Company Name|Form Type|Date Filed|Filename\n"
	f.Add([]byte(head + "1234|Example|10-K|2024-02-01|edgar/data/1234/0000950170-24-000004.txt\n"))
	f.Add(gzipped(f, head))
	f.Fuzz(func(t *testing.T, text []byte) {
		found, _ := edgar.SearchIndex(text, "0000950170-24-000004")
		for _, cik := range found {
			if len(cik) != 10 {
				t.Errorf("CIK %q", cik)
			}
		}
	})
}
