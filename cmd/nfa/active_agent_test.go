package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
)

// programWithAgents opens a program with agents of the user's own. The keys of files are file
// names.
func programWithAgents(t *testing.T, files map[string]string) *program {
	t.Helper()
	p := newSessionProgram(t)
	if err := os.MkdirAll(p.agentsFolder(), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(p.agentsFolder(), name+".md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.profiles = agent.LoadProfiles(p.agentsFolder())
	return p
}

func TestShowAgents_OneThatCannotAnswerNamesWhatTheChatCanDo(t *testing.T) {
	p := programWithAgents(t, map[string]string{"devil": "---\ndescription: d\nmodel: openai/gpt-4o\n---\nx\n"})
	goOnline(t, p)
	_, err := p.agentScreen().Command("devil")
	if err == nil || strings.Contains(err.Error(), "--model") {
		t.Fatalf("/agent devil = %v, want no advice for a command line", err)
	}
	for _, want := range []string{"openai/gpt-4o", "nfa auth set", "/model", "/agent devil"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("/agent devil = %v, lacks %s", err, want)
		}
	}
	if now := p.active.Load().profile.Name; now != agent.DefaultProfile {
		t.Errorf("%s answers, want the one before", now)
	}
}

func TestShowAgents_WhatIsOddAboutAnAgentIsSaidWhenItIsChosen(t *testing.T) {
	p := programWithAgents(t, map[string]string{"odd": "---\ndescription: d\ntools: [quote, crystal_ball]\ncolour: red\n---\nx\n"})
	message, err := p.agentScreen().Command("odd")
	if err != nil || !strings.Contains(message, "colour means nothing") || !strings.Contains(message, "no tool crystal_ball") {
		t.Errorf("/agent odd = %q, %v; want its warnings", message, err)
	}
	if err := p.resumeAgent("gone", false); err == nil || exitCode(t.Context(), err) != exitUsage {
		t.Errorf("goOnWith = %v, want a usage error", err)
	}
	if err := p.resumeAgent("gone", true); err != nil {
		t.Errorf("goOnWith where another was chosen = %v", err)
	}
}
