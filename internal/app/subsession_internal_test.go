package app

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/agent"
)

// K39: a skill that somebody else wrote may choose among the models of the provider in use, and no other.
func TestSubsessions_AnotherAuthorDoesNotChooseTheProvider(t *testing.T) {
	settings := settingsIn(t, map[string]string{"OPENAI_API_KEY": "sk-1", "DEEPSEEK_API_KEY": "sk-2"})
	models, err := OpenModels(settings, zerolog.Nop(), nil)
	if err != nil {
		t.Fatal(err)
	}
	client, endpoint, err := models.Connect(t.Context(), "openai/gpt-5")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, wanted string
		byOthers     bool
		model, note  string
	}{
		{"none", "", true, "openai/gpt-5", ""},
		{"the one of the session", "inherit", true, "openai/gpt-5", ""},
		{"another of the provider", "gpt-5-mini", true, "openai/gpt-5-mini", ""},
		{"with the provider's name", "openai/gpt-5-mini", true, "openai/gpt-5-mini", ""},
		{"a name of another agent", "sonnet", false, "openai/gpt-5", "openai has no such model"},
		{"another provider", "deepseek/deepseek-chat", true, "openai/gpt-5", "another provider"},
		{"another provider in the user's own skill", "deepseek/deepseek-chat", false, "deepseek/deepseek-chat", ""},
		{"no model", "offline", true, "openai/gpt-5", "no such model"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			own := &ActiveAgent{Profile: agent.Profile{Name: "advisor"}, Model: endpoint.Name(), Endpoint: endpoint, client: client}
			note := subsessions{&App{Models: models}}.connect(t.Context(), own, tt.wanted, tt.byOthers)
			if own.Model != tt.model || (note == "") != (tt.note == "") || !strings.Contains(note, tt.note) {
				t.Errorf("connect = %s, %q; want %s, %q", own.Model, note, tt.model, tt.note)
			}
		})
	}
}
