package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
)

// programWithAgents opens a program with agents of the user's own. The keys of files are file
// names.
func programWithAgents(t *testing.T, files map[string]string) *app.App {
	t.Helper()
	return newSessionProgram(t, func(home string) {
		folder := filepath.Join(home, "agents")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(folder, name+".md"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestShowAgents_OneThatCannotAnswerNamesWhatTheChatCanDo(t *testing.T) {
	p := programWithAgents(t, map[string]string{"devil": "---\ndescription: d\nmodel: openai/gpt-4o\n---\nx\n"})
	goOnline(t, p)
	_, err := screens.Agents{App: p}.Command("devil")
	if err == nil || strings.Contains(err.Error(), "--model") {
		t.Fatalf("/agent devil = %v, want no advice for a command line", err)
	}
	for _, want := range []string{"openai/gpt-4o", "nfa auth set", "/model", "/agent devil"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("/agent devil = %v, lacks %s", err, want)
		}
	}
	if now := p.Agents.Active().Profile.Name; now != agent.DefaultProfile {
		t.Errorf("%s answers, want the one before", now)
	}
}

func TestShowAgents_WhatIsOddAboutAnAgentIsSaidWhenItIsChosen(t *testing.T) {
	p := programWithAgents(t, map[string]string{"odd": "---\ndescription: d\ntools: [quote, crystal_ball]\ncolour: red\n---\nx\n"})
	message, err := screens.Agents{App: p}.Command("odd")
	if err != nil || !strings.Contains(message, "unknown key colour") || !strings.Contains(message, "no tool crystal_ball") {
		t.Errorf("/agent odd = %q, %v; want its warnings", message, err)
	}
	if err := p.Agents.Resume("gone"); err == nil || p.Agents.Active().Profile.Name != "odd" {
		t.Errorf("Resume(gone) = %v, and %s answers; want an error, and odd", err, p.Agents.Active().Profile.Name)
	}
}

func TestSlashCommand_RunsAToolThatTheActiveAgentLacks(t *testing.T) {
	p := programWithAgents(t, map[string]string{"narrow": "---\ndescription: d\ntools: [calculate]\n---\nx\n"})
	if _, err := (screens.Agents{App: p}).Command("narrow"); err != nil {
		t.Fatal(err)
	}
	text, err := runSlash(t, p, "quote", "AAPL")
	if err != nil || !strings.Contains(text, "137.44") {
		t.Errorf("/quote AAPL = %q, %v; want its price", text, err)
	}
}
