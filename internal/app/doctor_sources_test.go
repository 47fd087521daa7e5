package app_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func newTestMarket(w *markettest.FakeProviders, contact string) *feed.Market {
	env := w.Env("http://127.0.0.1")
	return feed.New(feed.Options{
		Client: client.New(client.Options{Transport: w, Now: time.Now}),
		Base:   func(provider string) string { return env["NFA_"+strings.ToUpper(provider)+"_URL"] },
		Key:    func(client.Provider) string { return "key-0123456789" }, Contact: contact, Now: time.Now, Log: zerolog.Nop(),
	})
}

func failureMode(t *testing.T, name string) markettest.FailureMode {
	t.Helper()
	m, err := markettest.FailureModeNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSources_LookingAsksNobodyAndSaysWhatWouldMakeThemMore(t *testing.T) {
	w := markettest.NewFakeProviders(time.Now)
	found := app.SourceCheck{Market: newTestMarket(w, ""), Keys: map[string]string{"tiingo": "env TIINGO_API_KEY"}}.Findings()
	live := wantFinding(t, found, "data", app.StatusOK, "live (not tested)")
	if !strings.Contains(live.Message, "yahoo") || !strings.Contains(live.Message, "tiingo") || strings.Contains(live.Message, "edgar") || strings.Contains(live.Message, "finnhub") {
		t.Errorf("used are %s; want those that lack nothing", live.Message)
	}
	wantFinding(t, found, "data", app.StatusNote, "requires a contact email")
	wantFinding(t, found, "data", app.StatusOK, "keys: tiingo from env TIINGO_API_KEY")
	if f := wantFinding(t, found, "data", app.StatusOK, "optional sources"); !strings.Contains(f.Message, "finnhub") || strings.Contains(f.Message, "tiingo") {
		t.Errorf("to be had are %s", f.Message)
	}
	for _, f := range (app.SourceCheck{Market: newTestMarket(w, "ann@example.com")}).Findings() {
		if strings.Contains(f.Message, "contact email") {
			t.Errorf("asked for an address that is set: %+v", f)
		}
	}
	if n := w.Requests(""); n > 0 {
		t.Errorf("%d requests were made", n)
	}
}

func TestSources_OnTheSampleAloneNobodyIsTried(t *testing.T) {
	s := app.SourceCheck{SampleReason: "offline is set, env NFA_OFFLINE"}
	wantFinding(t, s.Findings(), "data", app.StatusNote, s.SampleReason)
	wantFinding(t, s.Probe(t.Context()), "sources", app.StatusNote, s.SampleReason)
}

func TestSources_TriedEachSaysWhatCameOfIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(checkTime()))
		w := markettest.NewFakeProviders(time.Now)
		w.SetMode(failureMode(t, "401"), "tiingo")
		w.SetMode(failureMode(t, "500"), "cboe")
		found := app.SourceCheck{Market: newTestMarket(w, ""), Keys: map[string]string{"tiingo": "auth.json"}}.Probe(t.Context())
		if f := wantFinding(t, found, "sources", app.StatusOK, "yahoo answers in"); f.Probe == nil || !f.Probe.OK {
			t.Errorf("of yahoo %+v", f)
		}
		if f := wantFinding(t, found, "sources", app.StatusNote, "tiingo"); !strings.Contains(f.Fix, "nfa auth set tiingo") {
			t.Errorf("of a key that is refused %+v", f)
		}
		if f := wantFinding(t, found, "sources", app.StatusNote, "cboe"); f.Fix != "" || f.Probe.OK {
			t.Errorf("of a server that is broken %+v", f)
		}
		if w.Requests("edgar")+w.Requests("finnhub") > 0 {
			t.Error("asked who lacks an address or a key")
		}
	})
}

func TestSources_WhereNoneAnswersIsAProblem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(checkTime()))
		w := markettest.NewFakeProviders(time.Now)
		w.SetMode(failureMode(t, "500"), w.Names()...)
		wantFinding(t, app.SourceCheck{Market: newTestMarket(w, "")}.Probe(t.Context()), "sources", app.StatusProblem, "no source responds")
	})
}

func newTestCatalog(t *testing.T, env map[string]string, own ...catalog.Override) *catalog.Selector {
	t.Helper()
	return catalog.NewSelector(catalog.Options{
		Catalog: catalog.BuiltinCatalog().WithOverrides(own...), Keys: credential.Open(t.TempDir(), nil, 0, nil), Origin: func(string) string { return "" },
		Env: func(name string) string { return env[name] }, Now: checkTime, Log: zerolog.Nop(),
	})
}

func TestModel_SaysWhoWouldAnswer(t *testing.T) {
	key := map[string]string{"OPENAI_API_KEY": "sk-canary-1234567890"}
	for _, tc := range []struct {
		name, wanted string
		env          map[string]string
		own          []catalog.Override
		status       app.FindingStatus
		words        string
	}{
		{"nobody", "", nil, nil, app.StatusNote, "the built-in assistant"},
		{"a key", "openai/gpt-4o", key, nil, app.StatusOK, "openai/gpt-4o at https://api.openai.com (not tested)"},
		{"a local server", "ollama/qwen3", nil, nil, app.StatusOK, "no key needed"},
		{"an address with a secret", "mine/m", nil, []catalog.Override{{Name: "mine", BaseURL: "https://models.example/sk-canary", Models: []catalog.ModelOverride{{Name: "m"}}}}, app.StatusNote, "at https://models.example (not tested)"},
		{"a model without its key", "openai/gpt-4o", nil, nil, app.StatusProblem, "OPENAI_API_KEY"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found := app.CheckModel(t.Context(), newTestCatalog(t, tc.env, tc.own...), tc.wanted, "auto")
			f := wantFinding(t, found, "model", tc.status, tc.words)
			if strings.Contains(f.Message+f.Fix, "canary") {
				t.Errorf("a secret is shown: %+v", f)
			}
		})
	}
}
