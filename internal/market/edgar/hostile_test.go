package edgar_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch/fetchtest"
)

// disguised is text that a terminal or a model would take for something else: an
// escape, a command of the terminal in C1, letters that run backwards, and an
// instruction in letters that nobody sees.
const disguised = "Ex\x1b]0;title\x07ample\u009b2J \u202eproC\u202c \u200b\U000E0049\U000E0047\U000E004E"

// plainText reports whether a text can be shown as it is.
func plainText(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

func TestProfile_NamesOfAFilerArePrintable(t *testing.T) {
	list := string(testdata(t, "submissions.json"))
	for _, name := range []string{"name", "sicDescription", "website", "description", "stateOfIncorporation"} {
		list = strings.Replace(list, `"`+name+`":"`, `"`+name+`":"`+jsonText(disguised), 1)
	}
	p, err := source(t, world(t).Then(submissionsPath, fetchtest.Answer{Body: []byte(list)})).Profile(t.Context(), "EXM")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.Name, "ample") {
		t.Fatalf("the name is %q: the test puts nothing into it", p.Name)
	}
	for field, text := range map[string]string{
		"name": p.Name, "industry": p.Industry, "website": p.Website, "description": p.Description, "state": p.State,
		"former": strings.Join(p.FormerNames, ""), "country": p.Country, "exchange": p.Exchange,
	} {
		if !plainText(text) {
			t.Errorf("%s is %q, want it printable", field, text)
		}
	}
}

func TestInsiderTrades_NamesInFormsArePrintable(t *testing.T) {
	form := strings.NewReplacer("<rptOwnerName>", "<rptOwnerName>\u202e\U000E0049\u200b", "<officerTitle>", "<officerTitle>\u009b2J").Replace(string(testdata(t, "form4.xml")))
	script := world(t).Then(submissionsPath, listOf(t, 1, "4", "xslF345X05/form4.xml", 0)).
		Then(folder+"000095017024000900/form4.xml", fetchtest.Answer{Body: []byte(form)})
	trades, err := source(t, script).InsiderTrades(t.Context(), "EXM", market.Range{}, 10)
	if err != nil || len(trades) == 0 {
		t.Fatalf("InsiderTrades = %d, %v", len(trades), err)
	}
	for _, one := range trades {
		if !plainText(one.Owner + one.Role + one.Security + one.Code + one.Form) {
			t.Errorf("trade of %q as %q, want it printable", one.Owner, one.Role)
		}
	}
}

// Reading a million digits as one number takes minutes.
func TestInsiderTrades_ANumberOfAMillionDigitsIsNotRead(t *testing.T) {
	form := strings.Replace(string(testdata(t, "form4.xml")), "<transactionShares><value>", "<transactionShares><value>"+strings.Repeat("7", 4_000_000), 1)
	if len(form) < 4_000_000 {
		t.Fatal("the form has no number of shares where the test looks for it")
	}
	script := world(t).Then(submissionsPath, listOf(t, 1, "4", "xslF345X05/form4.xml", 0)).
		Then(folder+"000095017024000900/form4.xml", fetchtest.Answer{Body: []byte(form)})
	began := time.Now()
	trades, err := source(t, script).InsiderTrades(t.Context(), "EXM", market.Range{}, 10)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("InsiderTrades = %d, %v after %v, want it turned away at once", len(trades), err, took)
	}
}

// jsonText is text as it stands in a string of JSON.
func jsonText(text string) string {
	return strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`).Replace(text)
}
