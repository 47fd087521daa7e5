package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/config"
)

func TestLoad_KeysAreReadAsOneOrSeveral(t *testing.T) {
	p := newTestConfig(t)
	p.user("keys:\n  page-up: ctrl+b\n  new-line: [ctrl+j, f2]\n  help: []\n")
	got := p.load().Keys
	want := []config.Key{{Action: "page-up", Keys: []string{"ctrl+b"}}, {Action: "new-line", Keys: []string{"ctrl+j", "f2"}}, {Action: "help"}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(config.Key{}, "Origin"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if !strings.HasSuffix(got[0].Origin, "config.yaml:2") {
		t.Errorf("origin = %q, want the line", got[0].Origin)
	}
}

func TestLoad_WhatIsNoKeyIsSaidWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"keys: ctrl+b\n":             "config.yaml:1: keys is a section",
		"keys:\n  page-up: 3\n":      "config.yaml:2: keys.page-up is a number",
		"keys:\n  page-up: {a: b}\n": "config.yaml:2: keys.page-up is a section",
		"keys:\n  page-up: [1]\n":    "config.yaml:2: keys.page-up is a list",
		"keys:\n  a: x\n  a: y\n":    "keys.a is set twice",
		"keys:\n  a: \"\\e[31m\"\n":  "nonprintable",
	} {
		p := newTestConfig(t)
		p.user(text)
		p.wantRefused(want)
	}
}

func TestLoad_AProjectMovesNoKeys(t *testing.T) {
	p := newTestConfig(t)
	p.project("keys:\n  refuse: y\n")
	p.wantRefused("keys cannot be set by a project")
}
