package app_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/tui"
)

const setupSecret = "sk-canary-1234567890"

// setupRun is one setup with fake services.
type setupRun struct {
	app.SetupOptions
	answers string
	written []string
	refused string // a model that cannot be had
	invalid string // a value that will not do
}

// newSetupRun returns a run with the keys of some providers in its environment. model is the model
// in the settings, or "".
func newSetupRun(t *testing.T, model string, env map[string]string) *setupRun {
	t.Helper()
	s := &setupRun{answers: model}
	// No server of this machine is asked.
	catalogue := catalog.NewCatalog(
		catalog.Provider{Name: "openai", Title: "OpenAI", BaseURL: "https://api.openai.example", KeyVars: []string{"OPENAI_API_KEY"}, Models: []catalog.Model{{Name: "large"}, {Name: "small"}}},
		catalog.Provider{Name: "deepseek", Title: "DeepSeek", BaseURL: "https://api.deepseek.example", KeyVars: []string{"DEEPSEEK_API_KEY"}, Models: []catalog.Model{{Name: "chat"}}},
	)
	s.SetupOptions = app.SetupOptions{
		Selector: catalog.NewSelector(catalog.Options{
			Model: model, Catalog: catalogue, Keys: credential.Open(t.TempDir(), nil, 0, nil), Origin: func(string) string { return "" },
			Env: func(name string) string { return env[name] }, Now: time.Now, Log: zerolog.Nop(),
		}),
		Model: model, Currency: "USD",
	}
	s.Target = s
	return s
}

func (s *setupRun) ActiveModel() string { return s.answers }

func (s *setupRun) UseModel(name string) error {
	if name == s.refused {
		return errors.New("it cannot be had")
	}
	s.answers = name
	return nil
}

func (s *setupRun) Save(key, value string) (string, error) {
	if value == s.invalid {
		return "", fmt.Errorf("%s: expected something else", key)
	}
	s.written = append(s.written, key+"="+value)
	return "settings:1", nil
}

func (s *setupRun) begin(t *testing.T) *tui.MissingInputError {
	t.Helper()
	_, err := app.StartSetup(s.SetupOptions)
	return wantForm(t, err)
}

func wantForm(t *testing.T, err error) *tui.MissingInputError {
	t.Helper()
	var needs *tui.MissingInputError
	if !errors.As(err, &needs) {
		t.Fatalf("%v, want a form", err)
	}
	return needs
}

// nextForm fills a form in, and gives the next.
func nextForm(t *testing.T, from *tui.MissingInputError, values map[string]string) *tui.MissingInputError {
	t.Helper()
	text, err := from.Show(values)
	if text != "" {
		t.Errorf("shown is %q before the end", text)
	}
	return wantForm(t, err)
}

func TestSetup_OffersWhatCanBeHadAndWhoAnswersFirst(t *testing.T) {
	both := map[string]string{"OPENAI_API_KEY": setupSecret, "DEEPSEEK_API_KEY": setupSecret}
	for _, tc := range []struct {
		name, model string
		env         map[string]string
		want        []string
	}{
		{"no key", "", nil, []string{"offline"}},
		{"keys", "", both, []string{"openai/large", "deepseek/chat", "offline"}},
		{"a model that is set", "deepseek/chat", both, []string{"deepseek/chat", "openai/large", "offline"}},
		{"one that nobody offers", "deepseek/other", both, []string{"deepseek/other", "openai/large", "deepseek/chat", "offline"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			who := newSetupRun(t, tc.model, tc.env).begin(t).Fields[0]
			if diff := cmp.Diff(tc.want, who.Choices); diff != "" || who.Value != tc.want[0] {
				t.Errorf("%q is asked for, choices (-want +got):\n%s", who.Value, diff)
			}
			if (tc.env != nil) != strings.Contains(who.About, "found: ") || strings.Contains(who.About, "canary") {
				t.Errorf("about it is said %q", who.About)
			}
		})
	}
}

func TestSetup_GoneThroughAsItStandsNothingIsDone(t *testing.T) {
	s := newSetupRun(t, "openai/large", map[string]string{"OPENAI_API_KEY": setupSecret})
	s.Contact = "ann@example.com"
	who := s.begin(t)
	what := nextForm(t, who, map[string]string{"model": who.Fields[0].Value})
	text, err := what.Show(map[string]string{"sec.contact": what.Fields[0].Value, "base_currency": what.Fields[1].Value})
	if err != nil || !strings.Contains(text, "Nothing was changed") || len(s.written) > 0 {
		t.Errorf("shown is %q, %v, written %q", text, err, s.written)
	}
}

func TestSetup_WhatWasSaidIsKeptAndReported(t *testing.T) {
	s := newSetupRun(t, "", nil)
	what := nextForm(t, s.begin(t), map[string]string{"model": "deepseek", "key": setupSecret})
	text, err := what.Show(map[string]string{"sec.contact": "ann@example.com", "base_currency": "eur"})
	if want := []string{"model=deepseek", "sec.contact=ann@example.com", "base_currency=EUR"}; err != nil || !slices.Equal(s.written, want) {
		t.Errorf("written is %q, %v, want %q", s.written, err, want)
	}
	for _, want := range []string{"the API key for DeepSeek is in", "model is now deepseek", "ann@example.com", "EUR", "Try:"} {
		if !strings.Contains(text, want) {
			t.Errorf("shown is %q, want %q", text, want)
		}
	}
	if strings.Contains(text, "canary") {
		t.Errorf("the key is shown: %q", text)
	}
	if stored, err := s.Selector.StoredKeys(); err != nil || stored["deepseek"] == "" {
		t.Errorf("keys are kept of %v, %v", stored, err)
	}
}

func TestSetup_WhatWillNotDoIsAskedForAgainWhereItStood(t *testing.T) {
	t.Run("a key of nobody", func(t *testing.T) {
		s := newSetupRun(t, "", nil)
		who := nextForm(t, s.begin(t), map[string]string{"model": "nobody", "key": setupSecret})
		if f := who.Fields; f[0].Value != "nobody" || !strings.Contains(f[0].Problem, "a key needs a provider") || f[1].Value != "" || len(s.written) > 0 {
			t.Errorf("asked again %+v, written %q", f, s.written)
		}
	})
	t.Run("a model that cannot be had", func(t *testing.T) {
		s := newSetupRun(t, "", nil)
		s.refused = "openai/huge"
		who := nextForm(t, s.begin(t), map[string]string{"model": "openai/huge"})
		if f := who.Fields[0]; f.Value != "openai/huge" || f.Problem != "it cannot be had" || s.answers != "" || len(s.written) > 0 {
			t.Errorf("asked again %+v, %q answers, written %q", f, s.answers, s.written)
		}
		if message, err := who.OnCancel(); err != nil || !strings.Contains(message, "Nothing was changed") {
			t.Errorf("left with %q, %v", message, err)
		}
	})
	t.Run("a currency", func(t *testing.T) {
		s := newSetupRun(t, "openai/large", map[string]string{"OPENAI_API_KEY": setupSecret})
		s.invalid = "EURO"
		what := nextForm(t, s.begin(t), map[string]string{"model": "openai/large"})
		again := nextForm(t, what, map[string]string{"sec.contact": "ann@example.com", "base_currency": "euro"})
		if f := again.Fields; f[0].Value != "ann@example.com" || f[0].Problem != "" || f[1].Value != "EURO" || f[1].Problem == "" {
			t.Errorf("asked again %+v", f)
		}
		text, err := again.Show(map[string]string{"sec.contact": "ann@example.com", "base_currency": "EUR"})
		if err != nil || strings.Count(text, "ann@example.com") != 1 {
			t.Errorf("shown is %q, %v, want the address once", text, err)
		}
	})
}

func TestSetup_GivenUpOnTheWaySaysWhatWasDone(t *testing.T) {
	s := newSetupRun(t, "", map[string]string{"OPENAI_API_KEY": setupSecret})
	what := nextForm(t, s.begin(t), map[string]string{"model": "openai/small"})
	text, err := what.OnCancel()
	if err != nil || !strings.Contains(text, "model is now openai/small") || !strings.Contains(text, "run `/setup` to continue") {
		t.Errorf("left with %q, %v", text, err)
	}
}

// TestSetup_ToLookAroundIsKeptOnlyWhereAModelWouldBeFound checks that a key that is added later
// takes effect.
func TestSetup_ToLookAroundIsKeptOnlyWhereAModelWouldBeFound(t *testing.T) {
	for name, row := range map[string]struct {
		env  map[string]string
		want []string
	}{
		"no key":  {nil, nil},
		"one key": {map[string]string{"OPENAI_API_KEY": setupSecret}, []string{"model=offline"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSetupRun(t, "", row.env)
			nextForm(t, s.begin(t), map[string]string{"model": ""})
			if !slices.Equal(s.written, row.want) || s.answers != catalog.Offline {
				t.Errorf("written is %q and %q answers, want %q", s.written, s.answers, row.want)
			}
		})
	}
}
