package question_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/offline/question"
)

func TestStake_AmountsInTheirForms(t *testing.T) {
	for words, want := range map[string]question.Stake{
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
		q := read("If I had invested " + words + " in MSFT in 2010")
		if q.Stake != want || q.Topic != question.TopicStake || q.Span.From != "2010-01-01" || len(q.Symbols) != 1 || q.UnclearAmount != "" {
			t.Errorf("%q: stake %+v, want %+v; topic %d of %v since %s, unclear %q", words, q.Stake, want, q.Topic, q.Symbols, q.Span.From, q.UnclearAmount)
		}
	}
}

// A thousand times too much, or too little, is no answer.
func TestStake_AnAmountWithTwoReadingsIsUnclear(t *testing.T) {
	for asked, want := range map[string]string{
		"If I had invested 10.000 € in MSFT in 2010":             "10.000",
		"If I had put 1,5 million euros into MSFT in 2010":       "1,5",
		"what would 10.000,50 euros in MSFT since 2010 be worth": "10.000,50",
		"what are 1.000 shares of SAP worth":                     "1.000",
	} {
		if q := read(asked); q.UnclearAmount != want || q.Stake.Amount != "" || len(q.Holdings) > 0 {
			t.Errorf("%q: unclear %q, want %q; stake %+v, holdings %v", asked, q.UnclearAmount, want, q.Stake, q.Holdings)
		}
	}
}

func TestStake_PutInAgainAndAgainIsAnotherQuestion(t *testing.T) {
	for _, asked := range []string{"what would $500 a month in VTI since 2010 be worth", "what would 100 dollars monthly in AAPL since 2010 have become"} {
		if q := read(asked); q.Topic != question.TopicSubject {
			t.Errorf("%q: topic %d of %+v, want a subject without a rule", asked, q.Topic, q.Stake)
		}
	}
}

func TestCurrency_NamesCodesAndSigns(t *testing.T) {
	for words, want := range map[string]string{
		"in euros": "EUR", "in INR": "INR", "in sek": "SEK", "in canadian dollars": "CAD", "in US dollars": "USD", "into €": "EUR", "in the swiss francs": "CHF", "in NOK": "NOK", "in total": "", "": "",
	} {
		q := read("price of AAPL " + words)
		if q.Currency != want || len(q.Symbols) != 1 {
			t.Errorf("%q: currency %q of %v, want %q of AAPL alone", words, q.Currency, q.Symbols, want)
		}
	}
}
