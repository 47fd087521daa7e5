package investor_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/investor"
)

func mustMarshal(t testing.TB, p investor.Profile) []byte {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestJSON_NothingIsLost(t *testing.T) {
	full := profileOf(t, completeAnswers())
	full.UpdatedAt = today()
	for name, p := range map[string]investor.Profile{"full": full, "empty": {}, "bold": profileOf(t, riskTakingAnswers())} {
		var back investor.Profile
		if err := json.Unmarshal(mustMarshal(t, p), &back); err != nil {
			t.Errorf("reading the %s profile = %v", name, err)
		}
		if diff := cmp.Diff(p, back); diff != "" {
			t.Errorf("%s profile read back (-want +got):\n%s", name, diff)
		}
	}
	if got := string(mustMarshal(t, investor.Profile{})); got != `{"version":1}` {
		t.Errorf("the empty profile is %s", got)
	}
}

func TestJSON_WhatWouldBeLostIsRefused(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       error
		words      string
	}{
		{"newer", `{"version":2,"mood":"calm"}`, investor.ErrNewerVersion, "version 2, but this version of nfa reads only versions up to 1"},
		{"missing version", `{}`, investor.ErrInvalidDocument, "missing version"},
		{"version of nothing", `{"version":0}`, investor.ErrInvalidDocument, "unknown version 0"},
		{"unknown field", `{"version":1,"mood":"calm"}`, investor.ErrInvalidDocument, `unknown field "mood"`},
		{"unknown field below", `{"version":1,"limits":{"largest":"1"}}`, investor.ErrInvalidDocument, `unknown field "largest"`},
		{"not an object", `[1]`, investor.ErrInvalidDocument, "array"},
		{"unknown choice", `{"version":1,"experience":"expert"}`, investor.ErrInvalidDocument, "not a valid choice"},
		{"unknown question of risk", `{"version":1,"risk_tolerance":{"risk_dice":"six"}}`, investor.ErrInvalidDocument, "not a valid answer"},
		{"sum without a currency", `{"version":1,"finances":{"income":{"amount":"5","currency":""}}}`, investor.ErrInvalidDocument, "not a valid answer"},
		{"currency in small letters", `{"version":1,"finances":{"income":{"amount":"5","currency":"eur"}}}`, investor.ErrInvalidDocument, "has an invalid value"},
		{"asset called none", `{"version":1,"other_investments":[{"name":"none"}]}`, investor.ErrInvalidDocument, "not a valid answer"},
		{"endless number", `{"version":1,"limits":{"loss_capacity":"1e9999"}}`, investor.ErrInvalidDocument, "too many digits"},
		{"endlessly small number", `{"version":1,"other_investments":[{"name":"a","value":{"amount":"1e-9999","currency":"EUR"}}]}`, investor.ErrInvalidDocument, "too many digits"},
		{"more than the whole", `{"version":1,"limits":{"loss_capacity":"35"}}`, investor.ErrInvalidDocument, "between 0% and 100%"},
		{"escape sequence", `{"version":1,"other_investments":[{"name":"a\u001b[2J"}]}`, investor.ErrInvalidDocument, "control characters"},
		{"hour of a need", `{"version":1,"liquidity_needs":[{"amount":{"amount":"1","currency":"EUR"},"by":"2027-01-01T05:00:00Z"}]}`, investor.ErrInvalidDocument, "not a valid answer"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := profileOf(t, riskTakingAnswers())
			err := json.Unmarshal([]byte(row.text), &p)
			if !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.words) {
				t.Errorf("reading %s = %v, want %v with %q", row.text, err, row.want, row.words)
			}
			if diff := cmp.Diff(profileOf(t, riskTakingAnswers()), p); diff != "" {
				t.Errorf("profile after the error (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(mustMarshal(f, profileOf(f, completeAnswers())))
	f.Add([]byte(`{"version":1,"objectives":[{"aim":"home","note":"2030"}],"limits":{"classes":[{"class":"bond"}]}}`))
	f.Add([]byte(`{"version":1,"liquidity_needs":[],"other_investments":[{"name":"a, b"}],"risk_tolerance":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var p, again investor.Profile
		if json.Unmarshal(text, &p) != nil {
			return
		}
		first := mustMarshal(t, p)
		if err := json.Unmarshal(first, &again); err != nil {
			t.Fatalf("reading what was written, %s: %v", first, err)
		}
		if second := mustMarshal(t, again); string(first) != string(second) {
			t.Fatalf("written twice:\n%s\n%s", first, second)
		}
		p.CheckSuggestion(investor.Suggestion{Kind: investor.SuggestSize, AsOf: today()})
	})
}

func TestYAML_NothingIsLost(t *testing.T) {
	interview := investor.NewInterview(today())
	// A country that YAML parses as false, and texts that it parses as other types.
	odd := withAnswers(completeAnswers(), investor.QuestionCountry, "NO", investor.QuestionOthers, "- # a: 'b'; ~; {c: [d]}, 5 EUR; 0x1F; *e; yes")
	for name, p := range map[string]investor.Profile{"full": profileOf(t, completeAnswers()), "odd": profileOf(t, odd), "empty": {}} {
		text, err := interview.WriteYAML(p)
		if err != nil {
			t.Fatal(err)
		}
		back, err := interview.ReadYAML(text)
		if err != nil {
			t.Errorf("reading the %s profile = %v\n%s", name, err, text)
		}
		if diff := cmp.Diff(p, back); diff != "" {
			t.Errorf("%s profile read back (-want +got):\n%s", name, diff)
		}
	}
}

func TestYAML_TheTemplateExplainsEveryQuestion(t *testing.T) {
	interview := investor.NewInterview(today())
	text, err := interview.WriteYAML(profileOf(t, map[string]string{investor.QuestionClassLimits: "equity max 70%; crypto max 5%"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range interview.Questions() {
		for _, want := range []string{"# " + q.Text + "\n", "# " + q.Why + "\n", "\n" + q.ID + ":"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the template has no %q", want)
			}
		}
		for _, c := range q.Choices {
			if !strings.Contains(string(text), "#   "+c.Value+": "+c.Text+"\n") {
				t.Errorf("the template of %s has no %s", q.ID, c.Value)
			}
		}
	}
	if want := "\nclass_limits:\n    - equity max 70%\n    - crypto max 5%\n"; !strings.Contains(string(text), want) {
		t.Errorf("the template has no %q:\n%s", want, text)
	}
}

func TestYAML_FaultsAreNamedWithTheirLines(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"unknown key", "birth_year: 1985\nhoirzon: 2040\n", `line 2: unknown question "hoirzon"; did you mean horizon?`},
		{"no answer", "\nhorizon: soon\n", "line 2: horizon: invalid answer"},
		{"all of them", "horizon: soon\nbirth_year: x\n", "line 2: birth_year"},
		{"twice", "horizon: 2040\nhorizon: 2041\n", "line 2: horizon appears twice, first in line 1"},
		{"alias", "horizon: &a 2040\n", "line 1: horizon: YAML anchors"},
		{"section", "horizon:\n  until: 2040\n", "expected one answer or a list"},
		{"list of sections", "other_investments:\n  - flat: 300000 EUR\n", "put text with a colon in quotes"},
		{"semicolon in an item", "other_investments:\n  - a; b\n", "one item per line"},
		{"list", "- a\n", "line 1: expected lines"},
		{"two documents", "horizon: 2040\n---\nhorizon: 2041\n", "only one YAML document"},
		{"broken", "income: 1\nhorizon: [2040\nage: 3\n", "line 2: did not find expected ',' or ']'"},
		{"not text", "horizon: \xff\n", "not UTF-8"},
		{"huge", strings.Repeat("#", 1<<20+1), "larger than 1 MB"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, err := investor.NewInterview(today()).ReadYAML([]byte(row.text))
			if !errors.Is(err, investor.ErrInvalidDocument) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Read = %v, want ErrDocument with %q", err, row.want)
			}
			if diff := cmp.Diff(investor.Profile{}, p); diff != "" {
				t.Errorf("profile beside the error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestYAML_NothingSaysNothing(t *testing.T) {
	for _, text := range []string{"", "# only words\n", "~\n", "horizon:\n"} {
		if p, err := investor.NewInterview(today()).ReadYAML([]byte(text)); err != nil || len(p.Answers()) != 0 {
			t.Errorf("Read(%q) = %v, %v, want the empty profile", text, p, err)
		}
	}
}

func FuzzYAML(f *testing.F) {
	interview := investor.NewInterview(today())
	text, err := interview.WriteYAML(profileOf(f, completeAnswers()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("objectives:\n  - home, 2030\n  - 'growth, , , a: b'\nhorizon: 10 years\n"))
	f.Add([]byte("other_investments: |\n  flat\n  - boat\n"))
	f.Add([]byte("? [a]\n: b\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := interview.ReadYAML(text)
		if err != nil {
			return
		}
		again, err := interview.WriteYAML(p)
		if err != nil {
			t.Fatal(err)
		}
		back, err := interview.ReadYAML(again)
		if err != nil {
			t.Fatalf("reading what was written: %v\n%s", err, again)
		}
		if diff := cmp.Diff(p, back); diff != "" {
			t.Fatalf("profile read back (-want +got):\n%s", diff)
		}
	})
}
