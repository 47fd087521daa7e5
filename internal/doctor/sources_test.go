package doctor_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/doctor"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/marketplace"
	"github.com/nfa-cli/nfa/internal/marketplace/marketplacetest"
	"github.com/nfa-cli/nfa/internal/switchboard"
)

func marketIn(w *marketplacetest.World, contact string) *marketplace.Market {
	env := w.Env("http://127.0.0.1")
	return marketplace.New(marketplace.Options{
		Client: fetch.New(fetch.Options{Transport: w, Now: time.Now}),
		Base:   func(provider string) string { return env["NFA_"+strings.ToUpper(provider)+"_URL"] },
		Key:    func(marketplace.Keyed) string { return "key-0123456789" }, Contact: contact, Now: time.Now, Log: zerolog.Nop(),
	})
}

func mode(t *testing.T, name string) marketplacetest.Mode {
	t.Helper()
	m, err := marketplacetest.ModeNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSources_LookingAsksNobodyAndSaysWhatWouldMakeThemMore(t *testing.T) {
	w := marketplacetest.New(time.Now)
	found := doctor.Sources{Market: marketIn(w, ""), Keys: map[string]string{"tiingo": "env TIINGO_API_KEY"}}.Findings()
	live := wantFinding(t, found, "data", doctor.OK, "live (not tried)")
	if !strings.Contains(live.Message, "yahoo") || !strings.Contains(live.Message, "tiingo") || strings.Contains(live.Message, "edgar") || strings.Contains(live.Message, "finnhub") {
		t.Errorf("used are %s; want those that lack nothing", live.Message)
	}
	wantFinding(t, found, "data", doctor.Note, "wants an e-mail address")
	wantFinding(t, found, "data", doctor.OK, "keys: tiingo from env TIINGO_API_KEY")
	if f := wantFinding(t, found, "data", doctor.OK, "more sources"); !strings.Contains(f.Message, "finnhub") || strings.Contains(f.Message, "tiingo") {
		t.Errorf("to be had are %s", f.Message)
	}
	for _, f := range (doctor.Sources{Market: marketIn(w, "ann@example.com")}).Findings() {
		if strings.Contains(f.Message, "e-mail") {
			t.Errorf("asked for an address that is set: %+v", f)
		}
	}
	if n := w.Requests(""); n > 0 {
		t.Errorf("%d requests were made", n)
	}
}

func TestSources_OnTheSampleAloneNobodyIsTried(t *testing.T) {
	s := doctor.Sources{SampleAlone: "offline is set, env NFA_OFFLINE"}
	wantFinding(t, s.Findings(), "data", doctor.Note, s.SampleAlone)
	wantFinding(t, s.Try(t.Context()), "sources", doctor.Note, s.SampleAlone)
}

func TestSources_TriedEachSaysWhatCameOfIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(now()))
		w := marketplacetest.New(time.Now)
		w.Set(mode(t, "401"), "tiingo")
		w.Set(mode(t, "500"), "cboe")
		found := doctor.Sources{Market: marketIn(w, ""), Keys: map[string]string{"tiingo": "auth.json"}}.Try(t.Context())
		if f := wantFinding(t, found, "sources", doctor.OK, "yahoo answers in"); f.Probe == nil || !f.Probe.Answers {
			t.Errorf("of yahoo %+v", f)
		}
		if f := wantFinding(t, found, "sources", doctor.Note, "tiingo"); !strings.Contains(f.Mend, "nfa auth set tiingo") {
			t.Errorf("of a key that is refused %+v", f)
		}
		if f := wantFinding(t, found, "sources", doctor.Note, "cboe"); f.Mend != "" || f.Probe.Answers {
			t.Errorf("of a server that is broken %+v", f)
		}
		if w.Requests("edgar")+w.Requests("finnhub") > 0 {
			t.Error("asked who lacks an address or a key")
		}
	})
}

func TestSources_WhereNoneAnswersIsAProblem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(now()))
		w := marketplacetest.New(time.Now)
		w.Set(mode(t, "500"), w.Providers()...)
		wantFinding(t, doctor.Sources{Market: marketIn(w, "")}.Try(t.Context()), "sources", doctor.Problem, "none of them answers")
	})
}

func boardOf(t *testing.T, env map[string]string, own ...provider.Own) *switchboard.Board {
	t.Helper()
	return switchboard.New(switchboard.Options{
		Catalogue: provider.Builtin().With(own...), Keys: credential.Open(t.TempDir(), nil, 0, nil), Origin: func(string) string { return "" },
		Env: func(name string) string { return env[name] }, Now: now, Log: zerolog.Nop(),
	})
}

func TestModel_SaysWhoWouldAnswer(t *testing.T) {
	key := map[string]string{"OPENAI_API_KEY": "sk-canary-1234567890"}
	for _, tc := range []struct {
		name, wanted string
		env          map[string]string
		own          []provider.Own
		status       doctor.Status
		words        string
	}{
		{"nobody", "", nil, nil, doctor.Note, "the embedded offline assistant"},
		{"a key", "openai/gpt-4o", key, nil, doctor.OK, "openai/gpt-4o at https://api.openai.com (not tried)"},
		{"a local server", "ollama/qwen3", nil, nil, doctor.OK, "it needs no key"},
		{"an address with a secret", "mine/m", nil, []provider.Own{{Name: "mine", BaseURL: "https://models.example/sk-canary", Models: []provider.OwnModel{{Name: "m"}}}}, doctor.Note, "at https://models.example (not tried)"},
		{"a model without its key", "openai/gpt-4o", nil, nil, doctor.Problem, "OPENAI_API_KEY"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found := doctor.Model(t.Context(), boardOf(t, tc.env, tc.own...), tc.wanted)
			f := wantFinding(t, found, "model", tc.status, tc.words)
			if strings.Contains(f.Message+f.Mend, "canary") {
				t.Errorf("a secret is told: %+v", f)
			}
		})
	}
}
