package onboarding_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/llm/openai/provider"
	"github.com/nfa-cli/nfa/internal/onboarding"
	"github.com/nfa-cli/nfa/internal/switchboard"
	"github.com/nfa-cli/nfa/internal/tui"
)

const secret = "sk-canary-1234567890"

// start is a program that is being set up.
type start struct {
	onboarding.Options
	answers string
	wrote   []string
	refused string // a model that cannot be had
	wrong   string // a value that will not do
}

// started has the keys of some providers in its environment, and the model that the
// settings name, which may be none.
func started(t *testing.T, model string, env map[string]string) *start {
	t.Helper()
	s := &start{answers: model}
	// No server of this machine is asked.
	catalogue := provider.New(
		provider.Provider{Name: "openai", Title: "OpenAI", BaseURL: "https://api.openai.example", KeyVars: []string{"OPENAI_API_KEY"}, Models: []provider.Model{{Name: "large"}, {Name: "small"}}},
		provider.Provider{Name: "deepseek", Title: "DeepSeek", BaseURL: "https://api.deepseek.example", KeyVars: []string{"DEEPSEEK_API_KEY"}, Models: []provider.Model{{Name: "chat"}}},
	)
	s.Options = onboarding.Options{
		Board: switchboard.New(switchboard.Options{
			Model: model, Catalogue: catalogue, Keys: credential.Open(t.TempDir(), nil, 0, nil), Origin: func(string) string { return "" },
			Env: func(name string) string { return env[name] }, Now: time.Now, Log: zerolog.Nop(),
		}),
		Model: model, Currency: "USD",
		Answers: func() string { return s.answers },
		Use: func(name string) error {
			if name == s.refused {
				return errors.New("it cannot be had")
			}
			s.answers = name
			return nil
		},
		Write: func(key, value string) (string, error) {
			if value == s.wrong {
				return "", fmt.Errorf("%s: expected something else", key)
			}
			s.wrote = append(s.wrote, key+"="+value)
			return "settings:1", nil
		},
	}
	return s
}

func (s *start) begin(t *testing.T) *tui.NeedsError {
	t.Helper()
	_, err := onboarding.Begin(s.Options)
	return asked(t, err)
}

func asked(t *testing.T, err error) *tui.NeedsError {
	t.Helper()
	var needs *tui.NeedsError
	if !errors.As(err, &needs) {
		t.Fatalf("%v, want a form", err)
	}
	return needs
}

// goesOn fills a form in, and gives the next.
func goesOn(t *testing.T, from *tui.NeedsError, values map[string]string) *tui.NeedsError {
	t.Helper()
	text, err := from.Shown(values)
	if text != "" {
		t.Errorf("shown is %q before the end", text)
	}
	return asked(t, err)
}

func TestBegin_OffersWhatCanBeHadAndWhoAnswersFirst(t *testing.T) {
	both := map[string]string{"OPENAI_API_KEY": secret, "DEEPSEEK_API_KEY": secret}
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
			who := started(t, tc.model, tc.env).begin(t).Fields[0]
			if diff := cmp.Diff(tc.want, who.Choices); diff != "" || who.Value != tc.want[0] {
				t.Errorf("%q is asked for, choices (-want +got):\n%s", who.Value, diff)
			}
			if (tc.env != nil) != strings.Contains(who.About, "found: ") || strings.Contains(who.About, "canary") {
				t.Errorf("about it is said %q", who.About)
			}
		})
	}
}

func TestBegin_GoneThroughAsItStandsNothingIsDone(t *testing.T) {
	s := started(t, "openai/large", map[string]string{"OPENAI_API_KEY": secret})
	s.Contact = "ann@example.com"
	who := s.begin(t)
	what := goesOn(t, who, map[string]string{"model": who.Fields[0].Value})
	text, err := what.Shown(map[string]string{"sec.contact": what.Fields[0].Value, "base_currency": what.Fields[1].Value})
	if err != nil || !strings.Contains(text, "Nothing was changed") || len(s.wrote) > 0 {
		t.Errorf("shown is %q, %v, written %q", text, err, s.wrote)
	}
}

func TestBegin_WhatWasSaidIsKeptAndTold(t *testing.T) {
	s := started(t, "", nil)
	what := goesOn(t, s.begin(t), map[string]string{"model": "deepseek", "key": secret})
	text, err := what.Shown(map[string]string{"sec.contact": "ann@example.com", "base_currency": "eur"})
	if want := []string{"model=deepseek", "sec.contact=ann@example.com", "base_currency=EUR"}; err != nil || !slices.Equal(s.wrote, want) {
		t.Errorf("written is %q, %v, want %q", s.wrote, err, want)
	}
	for _, want := range []string{"the key of DeepSeek is in", "deepseek answers from now on", "ann@example.com", "EUR", "What to try"} {
		if !strings.Contains(text, want) {
			t.Errorf("shown is %q, want %q", text, want)
		}
	}
	if strings.Contains(text, "canary") {
		t.Errorf("the key is shown: %q", text)
	}
	if stored, err := s.Board.Stored(); err != nil || stored["deepseek"] == "" {
		t.Errorf("keys are kept of %v, %v", stored, err)
	}
}

func TestBegin_WhatWillNotDoIsAskedForAgainWhereItStood(t *testing.T) {
	t.Run("a key of nobody", func(t *testing.T) {
		s := started(t, "", nil)
		who := goesOn(t, s.begin(t), map[string]string{"model": "nobody", "key": secret})
		if f := who.Fields; f[0].Value != "nobody" || !strings.Contains(f[0].Problem, "a key is for a provider") || f[1].Value != "" || len(s.wrote) > 0 {
			t.Errorf("asked again %+v, written %q", f, s.wrote)
		}
	})
	t.Run("a model that cannot be had", func(t *testing.T) {
		s := started(t, "", nil)
		s.refused = "openai/huge"
		who := goesOn(t, s.begin(t), map[string]string{"model": "openai/huge"})
		if f := who.Fields[0]; f.Value != "openai/huge" || f.Problem != "it cannot be had" || s.answers != "" || len(s.wrote) > 0 {
			t.Errorf("asked again %+v, %q answers, written %q", f, s.answers, s.wrote)
		}
		if left, err := who.Leave(); err != nil || !strings.Contains(left, "nothing was changed") {
			t.Errorf("left with %q, %v", left, err)
		}
	})
	t.Run("a currency", func(t *testing.T) {
		s := started(t, "openai/large", map[string]string{"OPENAI_API_KEY": secret})
		s.wrong = "EURO"
		what := goesOn(t, s.begin(t), map[string]string{"model": "openai/large"})
		again := goesOn(t, what, map[string]string{"sec.contact": "ann@example.com", "base_currency": "euro"})
		if f := again.Fields; f[0].Value != "ann@example.com" || f[0].Problem != "" || f[1].Value != "EURO" || f[1].Problem == "" {
			t.Errorf("asked again %+v", f)
		}
		text, err := again.Shown(map[string]string{"sec.contact": "ann@example.com", "base_currency": "EUR"})
		if err != nil || strings.Count(text, "ann@example.com") != 1 {
			t.Errorf("shown is %q, %v, want the address told once", text, err)
		}
	})
}

func TestBegin_GivenUpOnTheWaySaysWhatWasDone(t *testing.T) {
	s := started(t, "", map[string]string{"OPENAI_API_KEY": secret})
	what := goesOn(t, s.begin(t), map[string]string{"model": "openai/small"})
	text, err := what.Leave()
	if err != nil || !strings.Contains(text, "openai/small answers from now on") || !strings.Contains(text, "`/setup` comes back to it") {
		t.Errorf("left with %q, %v", text, err)
	}
}

// A key that is added later shall count.
func TestBegin_ToLookAroundIsKeptOnlyWhereAModelWouldBeFound(t *testing.T) {
	for name, row := range map[string]struct {
		env  map[string]string
		want []string
	}{
		"no key":  {nil, nil},
		"one key": {map[string]string{"OPENAI_API_KEY": secret}, []string{"model=offline"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := started(t, "", row.env)
			goesOn(t, s.begin(t), map[string]string{"model": ""})
			if !slices.Equal(s.wrote, row.want) || s.answers != switchboard.Offline {
				t.Errorf("written is %q and %q answers, want %q", s.wrote, s.answers, row.want)
			}
		})
	}
}
