package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/skill"
)

// TestK27_ADamagedDatabaseIsReportedByEveryCommand checks that a command that only reads skills also
// reports a damaged database, because the same file holds the sessions.
func TestK27_ADamagedDatabaseIsReportedByEveryCommand(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "nfa.db"), []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	g := &globals{terminal: terminal{err: &stderr, env: os.Getenv}, home: home}
	p, err := g.open(t.Context(), app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if !strings.Contains(stderr.String(), "set aside as "+filepath.Join(home, "nfa.db.damaged-")) {
		t.Errorf("stderr = %q, want what became of the file", stderr.String())
	}
}

func TestK27_ADatabaseThatCannotBeOpenedIsADiagnostic(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "nfa.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	g := &globals{terminal: terminal{err: new(strings.Builder), env: os.Getenv}, home: home}
	p, err := g.open(t.Context(), app.Options{})
	if err != nil {
		t.Fatalf("wire() = %v, want every other skill usable", err)
	}
	defer p.Close()
	if _, ok := p.Skills.Registry.Lookup("get-price"); !ok {
		t.Error("get-price is not there")
	}
	for _, d := range p.Skills.Registry.Diagnostics() {
		if d.Source == skill.SourceStore && errors.Is(d.Err, skill.ErrUnreadable) {
			return
		}
	}
	t.Errorf("diagnostics = %+v, want one of the store", p.Skills.Registry.Diagnostics())
}
