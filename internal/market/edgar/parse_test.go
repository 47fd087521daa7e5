package edgar_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestTradesOf_AFormThatSaysNonsenseIsAnError(t *testing.T) {
	whole := string(testdata(t, "form4.xml"))
	for name, text := range map[string]string{
		"nothing":            "",
		"another document":   "<html></html>",
		"half":               whole[:len(whole)/2],
		"no issuer":          strings.Replace(whole, "<issuerCik>0000001234</issuerCik>", "", 1),
		"no owner":           strings.ReplaceAll(strings.ReplaceAll(whole, "<reportingOwner>", "<other>"), "</reportingOwner>", "</other>"),
		"no date":            strings.Replace(whole, "2024-05-06-05:00", "lately", 1),
		"negative shares":    strings.Replace(whole, "1500.5", "-1500.5", 1),
		"shares in words":    strings.Replace(whole, "1500.5", "many", 1),
		"price in words":     strings.Replace(whole, "101.25", "see note", 1),
		"an endless price":   strings.Replace(whole, "101.25", "1e999999999", 1),
		"an odd encoding":    strings.Replace(whole, `<?xml version="1.0"?>`, `<?xml version="1.0" encoding="EBCDIC"?>`, 1),
		"an outside entity":  strings.Replace(whole, "Doe  Jane", "&who;", 1),
		"a holding too much": strings.Replace(whole, ">8500<", ">"+strings.Repeat("9", 99)+"<", 1),
	} {
		if trades, err := edgar.TradesOf([]byte(text)); err == nil {
			t.Errorf("%s: trades = %+v, want an error", name, trades)
		}
	}
}

func TestCountFilings_AListThatSaysNonsenseIsAnError(t *testing.T) {
	whole := string(testdata(t, "submissions.json"))
	for name, text := range map[string]string{
		"nothing":             "",
		"no filer":            `{"filings":{"recent":{}}}`,
		"no number":           strings.Replace(whole, `"cik":"0000001234"`, `"cik":"Example"`, 1),
		"columns of unequals": strings.Replace(whole, `"4/A","4",`, `"4/A",`, 1),
		"odd accession":       strings.Replace(whole, "0000950170-24-000009", "9", 1),
		"odd date":            strings.Replace(whole, "2024-05-20", "20.05.2024", 1),
	} {
		if n, err := edgar.CountFilings([]byte(text)); err == nil {
			t.Errorf("%s: %d filings, want an error", name, n)
		}
	}
	if n, err := edgar.CountOlderFilings([]byte(`[]`)); err == nil {
		t.Errorf("an older page as a list: %d filings, want an error", n)
	}
}

// Published is never too early: summer and winter in New York, a row without a time, and one accepted the
// evening before.
func TestNews_PublishedIsNotEarly(t *testing.T) {
	whole := string(testdata(t, "submissions.json"))
	for accepted, want := range map[string]string{
		"2024-04-12T08:30:00.000Z": "2024-04-12T12:30:00Z",
		"":                         "2024-04-13T02:00:00Z",
		"2024-04-11T21:10:00.000Z": "2024-04-12T10:00:00Z",
	} {
		script := newScript(t).Respond(submissionsPath, markettest.JSONResponse(strings.Replace(whole, "2024-04-11T21:10:00.000Z", accepted, 1)))
		got, err := source(t, script).News(t.Context(), market.NewsQuery{Symbol: "EXM", Limit: 1})
		if err != nil || len(got) != 1 || got[0].Published.Format(time.RFC3339) != want {
			t.Errorf("accepted %q: News = %+v, %v, want it published %s", accepted, got, err, want)
		}
	}
}
