package edgar_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// hiddenCharacters is text that a terminal or a model would misread: an escape sequence, a C1 control
// sequence, right-to-left letters, and an instruction in invisible characters.
const hiddenCharacters = "Ex\x1b]0;title\x07ample\u009b2J \u202eproC\u202c \u200b\U000E0049\U000E0047\U000E004E"

// plainText reports whether a text can be shown unchanged.
func plainText(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

func TestProfile_NamesOfAFilerArePrintable(t *testing.T) {
	list := string(testdata(t, "submissions.json"))
	for _, name := range []string{"name", "sicDescription", "website", "description", "stateOfIncorporation"} {
		list = strings.Replace(list, `"`+name+`":"`, `"`+name+`":"`+jsonText(hiddenCharacters), 1)
	}
	p, err := source(t, newScript(t).Respond(submissionsPath, markettest.Response{Body: []byte(list)})).Profile(t.Context(), "EXM")
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
	script := newScript(t).Respond(submissionsPath, listOf(t, 1, "4", "xslF345X05/form4.xml", 0)).
		Respond(folder+"000095017024000900/form4.xml", markettest.Response{Body: []byte(form)})
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

// Parsing a million digits as one number takes minutes.
func TestInsiderTrades_ANumberOfAMillionDigitsIsNotRead(t *testing.T) {
	form := strings.Replace(string(testdata(t, "form4.xml")), "<transactionShares><value>", "<transactionShares><value>"+strings.Repeat("7", 4_000_000), 1)
	if len(form) < 4_000_000 {
		t.Fatal("the form has no number of shares where the test looks for it")
	}
	script := newScript(t).Respond(submissionsPath, listOf(t, 1, "4", "xslF345X05/form4.xml", 0)).
		Respond(folder+"000095017024000900/form4.xml", markettest.Response{Body: []byte(form)})
	began := time.Now()
	trades, err := source(t, script).InsiderTrades(t.Context(), "EXM", market.Range{}, 10)
	// The limit is a minute, not a second, so that a busy machine does not fail the test.
	if took := time.Since(began); took > time.Minute {
		t.Errorf("InsiderTrades = %d, %v after %v, want it turned away at once", len(trades), err, took)
	}
}

// jsonText returns text as in a JSON string, without the quotes.
func jsonText(text string) string {
	return strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`).Replace(text)
}

// A body that cannot be parsed is requested again: filed forms are cached forever, and the list of tickers
// for a day.
func TestKeep_WhatCannotBeReadIsNotKept(t *testing.T) {
	garbage := map[string]string{
		tickersPath: `{"0":{"cik_str":"x"`, submissionsPath: `{"cik":"0000009999","name":"Another"}`, factsPath: `{"cik":1234,"entityName":"Example Corp","facts":{`,
		formPath: "<ownershipDocument><issuer>", masterPath: "Description: a page",
	}
	file := func(name string) func(testing.TB) markettest.Response {
		return func(t testing.TB) markettest.Response { return markettest.Response{Body: testdata(t, name)} }
	}
	sound := map[string]func(testing.TB) markettest.Response{
		tickersPath: file("company_tickers.json"), submissionsPath: file("submissions.json"), factsPath: file("facts.json"), formPath: file("form4.xml"),
		masterPath: func(t testing.TB) markettest.Response {
			return markettest.Response{Body: gzipped(t, "CIK|Company Name|Form Type|Date Filed|Filename\n5678|Exemplary Lumber|10-K|2024-02-02|edgar/data/5678/0000950170-24-000033.txt\n")}
		},
	}
	for path, ask := range map[string]func(*edgar.Source) error{
		tickersPath:     func(s *edgar.Source) error { _, err := s.Profile(t.Context(), "EXM"); return err },
		submissionsPath: func(s *edgar.Source) error { _, err := s.Profile(t.Context(), "EXM"); return err },
		factsPath: func(s *edgar.Source) error {
			_, err := s.Statements(t.Context(), "EXM", market.StatementQuery{})
			return err
		},
		formPath: func(s *edgar.Source) error {
			found, err := s.InsiderTrades(t.Context(), "EXM", market.Range{}, 100)
			if err == nil && !slices.ContainsFunc(found, func(one market.InsiderTrade) bool { return one.Accession == "0000950170-24-000008" }) {
				err = market.ErrMalformed
			}
			return err
		},
		masterPath: func(s *edgar.Source) error {
			_, err := s.FilingSection(t.Context(), "0000950170-24-000033", market.FilingItem{Item: "1A"})
			if errors.Is(err, market.ErrUnknownSymbol) {
				return nil // the filing belongs to another company, which this test does not have
			}
			return err
		},
	} {
		t.Run(path, func(t *testing.T) {
			script, dir := newScript(t), t.TempDir()
			script.Respond(path, markettest.Response{Body: []byte(garbage[path])}, sound[path](t))
			ofProcess := func() *edgar.Source {
				return edgar.New(client.New(client.Options{Transport: script, Now: now, Dir: dir}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Contact: "jane@example.com", Now: now})
			}
			if err := ask(ofProcess()); err == nil {
				t.Fatal("garbage is read")
			}
			if err := ask(ofProcess()); err != nil {
				t.Errorf("asked again: %v, want the sound answer", err)
			}
		})
	}
}

// A report is cached forever, and the SEC sometimes returns its maintenance page with status 200. That page
// must not count as a report, whether it was just fetched or cached by an earlier program.
func TestKeep_AnApologyIsNoReport(t *testing.T) {
	sorry := markettest.HTMLResponse(200, "SEC.gov | File Unavailable")
	for _, row := range []struct {
		name  string
		older bool // the page is in the cache
		want  error
	}{
		{"of today", false, market.ErrUnavailable},
		{"kept before", true, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script, dir := newScript(t), t.TempDir()
				c := client.New(client.Options{Transport: script, Now: time.Now, Dir: dir})
				script.Respond(reportPath, sorry, markettest.Response{Body: testdata(t, "exm-10k.htm")})
				if row.older {
					fillCache(t, c, "http://127.0.0.1"+reportPath)
				}
				read := func() (market.FilingSection, error) {
					s := edgar.New(c, client.ProviderOptions{BaseURL: "http://127.0.0.1", Contact: "jane@example.com", Now: now})
					return s.FilingSection(t.Context(), "0000950170-24-000004", market.FilingItem{Item: "1A"})
				}
				if _, err := read(); !errors.Is(err, row.want) {
					t.Fatalf("FilingSection = %v, want %v", err, row.want)
				}
				got, err := read()
				if err != nil || !strings.Contains(got.Text, "Risk Factors") {
					t.Errorf("asked again: %q, %v, want the report", got.Text, err)
				}
				if n := requestCount(script, reportPath); n != 2 {
					t.Errorf("the report was asked for %d times, want once beside the apology", n)
				}
			})
		})
	}
}

// fillCache makes a client cache the response of a URL, as a program without checks would have done.
func fillCache(t *testing.T, httpClient *client.Client, address string) {
	t.Helper()
	secSource := httpClient.Source(client.Policy{Source: "sec-edgar", Shared: "sec.gov"})
	if _, err := secSource.Get(t.Context(), client.Request{Op: "the report", URL: address, Fresh: client.Forever}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Hour)
}
