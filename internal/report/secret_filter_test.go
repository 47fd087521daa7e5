package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/report"
)

// sampleKeys returns texts that look like keys; the longer ones are joined here so that no scanner finds a
// key in the source.
func sampleKeys() []string {
	long := strings.Repeat("a1B2", 9)
	return []string{
		"sk-" + long, "sk-proj-" + long, "gsk_" + long, "hf_" + long, "AIza" + long, "ghp_" + long, "AKIAIOSFODNN7EXAMPLE",
		"eyJ" + long + "." + long + "." + long, "Bearer " + long, "-----BEGIN RSA PRIVATE KEY-----\n" + long + "\n-----END RSA PRIVATE KEY-----",
	}
}

func TestSecrets_WhatIsKnownAndWhatLooksLikeAKeyIsHidden(t *testing.T) {
	known := []string{"hunter2-hunter", "hunter2-hunter2-tail", `pass"word\9`, "", "short"}
	secrets := report.NewSecretFilter(func() []string { return known })
	for _, secret := range append(sampleKeys(), known[0], known[1], known[2]) {
		for _, before := range []string{"", "my key is ", "key\n", `key="`, "键"} {
			text := before + secret + ", keep it"
			want := before + "[secret], keep it"
			if got := secrets.Hide(text); got != want {
				t.Errorf("Hide(%q) = %q, want %q", text, got, want)
			}
			// A call's arguments are JSON inside a JSON string.
			if got := hideSecrets(t, secrets, text); got != want {
				t.Errorf("HideInJSON of %q holds %q, want %q", text, got, want)
			}
			if oneLine := !strings.ContainsAny(secret, "\"\n"); oneLine && strings.Contains(hideSecrets(t, secrets, asJSON(t, text)), secret) {
				t.Errorf("HideInJSON of JSON in JSON leaves %q of %q", secret, text)
			}
		}
	}
}

// hideSecrets returns a string as the filter leaves it in a document.
func hideSecrets(t *testing.T, s *report.SecretFilter, text string) string {
	t.Helper()
	var doc struct {
		Number json.Number
		Text   string
	}
	b := s.HideInJSON([]byte("{\"number\": 1.50,\n \"text\": " + asJSON(t, text) + "}"))
	if err := json.Unmarshal(b, &doc); err != nil || doc.Number != "1.50" {
		t.Fatalf("HideInJSON gives %s: %v", b, err)
	}
	return doc.Text
}

func TestSecrets_FiguresAndWordsStay(t *testing.T) {
	secrets := report.NewSecretFilter(func() []string { return []string{"none", "short"} })
	for _, text := range []string{
		"the bearer of bad news; bearer securities and bonds", "sk-learn, task-force-of-the-finance-ministry, short key sk-12",
		"returns_stats ^GSPC 2008-01-02 to 2020-04-17: +98.63 %", "ISIN US0378331005, CIK 0000320193", "risk-adjusted-returns-of-the-market",
	} {
		if got := secrets.Hide(text); got != text {
			t.Errorf("Hide(%q) = %q", text, got)
		}
	}
}

func asJSON(t testing.TB, text string) string {
	t.Helper()
	b, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func FuzzHideInJSON_JSONStaysJSON(f *testing.F) {
	f.Add(`{"a":["sk-abcdefghijklmnopqrstuvwx\n",1]}`, `p"w\n12345`)
	f.Add(`"\nnnnnnnnnn"`, "nnnnnnnn")
	f.Add(`{"a":"\"b\\"}`, `"a":"\"b`)
	f.Fuzz(func(t *testing.T, doc, secret string) {
		if !json.Valid([]byte(doc)) {
			t.Skip()
		}
		if got := report.NewSecretFilter(func() []string { return []string{secret} }).HideInJSON([]byte(doc)); !json.Valid(got) {
			t.Errorf("%s without %q is no JSON: %s", doc, secret, got)
		}
	})
}
