package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/roster"
)

// withAgents is a house with agents of the user's own, by the names of their files.
func withAgents(t *testing.T, files map[string]string) *house {
	t.Helper()
	h := sessionHouse(t)
	if err := os.MkdirAll(h.agentsFolder(), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(h.agentsFolder(), name+".md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h.roster = roster.Open(h.agentsFolder())
	return h
}

func TestShowAgents_OneThatCannotAnswerNamesWhatTheChatCanDo(t *testing.T) {
	h := withAgents(t, map[string]string{"devil": "---\ndescription: d\nmodel: openai/gpt-4o\n---\nx\n"})
	online(t, h)
	_, err := h.agents().Show("devil")
	if err == nil || strings.Contains(err.Error(), "--model") {
		t.Fatalf("/agent devil = %v, want no advice for a command line", err)
	}
	for _, want := range []string{"openai/gpt-4o", "nfa auth set", "/model", "/agent devil"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("/agent devil = %v, lacks %s", err, want)
		}
	}
	if now := h.speaking.Load().profile.Name; now != roster.Default {
		t.Errorf("%s answers, want the one before", now)
	}
}

func TestShowAgents_WhatIsOddAboutAnAgentIsSaidWhenItIsChosen(t *testing.T) {
	h := withAgents(t, map[string]string{"odd": "---\ndescription: d\ntools: [quote, crystal_ball]\ncolour: red\n---\nx\n"})
	said, err := h.agents().Show("odd")
	if err != nil || !strings.Contains(said, "colour means nothing") || !strings.Contains(said, "no tool crystal_ball") {
		t.Errorf("/agent odd = %q, %v; want its warnings", said, err)
	}
	if err := h.goOnWith("gone", false); err == nil || exitCode(t.Context(), err) != exitUsage {
		t.Errorf("goOnWith = %v, want a usage error", err)
	}
	if err := h.goOnWith("gone", true); err != nil {
		t.Errorf("goOnWith where another was chosen = %v", err)
	}
}
