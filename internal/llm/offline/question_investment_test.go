package offline_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/offline"
)

func TestStake_AmountsInTheirForms(t *testing.T) {
	for input, want := range map[string]offline.Investment{
		"$10k":                   {Amount: "10000", Currency: "USD"},
		"1,500":                  {Amount: "1500"},
		"10000 dollars":          {Amount: "10000", Currency: "USD"},
		"1.5 million euros":      {Amount: "1500000", Currency: "EUR"},
		"$1 billion":             {Amount: "1000000000", Currency: "USD"},
		"5 grand":                {Amount: "5000"},
		"2 lakh rupees":          {Amount: "200000", Currency: "INR"},
		"C$1000":                 {Amount: "1000", Currency: "CAD"},
		"A$1,000.50":             {Amount: "1000.5", Currency: "AUD"},
		"10000 CHF":              {Amount: "10000", Currency: "CHF"},
		"10000 canadian dollars": {Amount: "10000", Currency: "CAD"},
		"500 €":                  {Amount: "500", Currency: "EUR"},
		"2000 SEK":               {Amount: "2000", Currency: "SEK"},
	} {
		q := readMessages("If I had invested " + input + " in MSFT in 2010")
		if q.Investment != want || q.Topic != offline.TopicInvestment || q.Period.From != "2010-01-01" || len(q.Symbols) != 1 || q.UnclearAmount != "" {
			t.Errorf("%q: stake %+v, want %+v; topic %d of %v since %s, unclear %q", input, q.Investment, want, q.Topic, q.Symbols, q.Period.From, q.UnclearAmount)
		}
	}
}

// A thousand times too much, or too little, is no answer.
func TestStake_AnAmountWithTwoReadingsIsUnclear(t *testing.T) {
	for input, want := range map[string]string{
		"If I had invested 10.000 € in MSFT in 2010":             "10.000",
		"If I had put 1,5 million euros into MSFT in 2010":       "1,5",
		"what would 10.000,50 euros in MSFT since 2010 be worth": "10.000,50",
		"what are 1.000 shares of SAP worth":                     "1.000",
	} {
		if q := readMessages(input); q.UnclearAmount != want || q.Investment.Amount != "" || len(q.ShareCounts) > 0 {
			t.Errorf("%q: unclear %q, want %q; stake %+v, holdings %v", input, q.UnclearAmount, want, q.Investment, q.ShareCounts)
		}
	}
}

func TestStake_PutInAgainAndAgainIsAnotherQuestion(t *testing.T) {
	for _, input := range []string{"what would $500 a month in VTI since 2010 be worth", "what would 100 dollars monthly in AAPL since 2010 have become"} {
		if q := readMessages(input); q.Topic != offline.TopicSubject {
			t.Errorf("%q: topic %d of %+v, want a subject without a rule", input, q.Topic, q.Investment)
		}
	}
}

func TestCurrency_NamesCodesAndSigns(t *testing.T) {
	for input, want := range map[string]string{
		"in euros": "EUR", "in INR": "INR", "in sek": "SEK", "in canadian dollars": "CAD", "in US dollars": "USD", "into €": "EUR", "in the swiss francs": "CHF", "in NOK": "NOK", "in total": "", "": "",
	} {
		q := readMessages("price of AAPL " + input)
		if q.Currency != want || len(q.Symbols) != 1 {
			t.Errorf("%q: currency %q of %v, want %q of AAPL alone", input, q.Currency, q.Symbols, want)
		}
	}
}
