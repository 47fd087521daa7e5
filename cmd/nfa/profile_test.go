package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
)

// Reading a terminal cannot be interrupted, but Ctrl+C must end the questions.
func TestProfileAsk_WhatWasAnsweredIsKeptWhereCtrlCEndsIt(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	typed, keys, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer keys.Close()
	shown, screen := io.Pipe()
	env := map[string]string{"NFA_HOME": filepath.Join(home, "nfa"), "NFA_DATA": "sample", "NFA_KEY_STORE": "file"}
	g := &globals{terminal: terminal{in: typed, out: screen, err: io.Discard, env: func(key string) string { return env[key] }}}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	p, err := g.open(ctx, app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ended := make(chan error, 1)
	go func() {
		err := g.askProfile(ctx, p, false)
		screen.Close()
		ended <- err
	}()
	for lines := bufio.NewScanner(shown); lines.Scan(); {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "1 of "):
			if _, err := io.WriteString(keys, "1980\n"); err != nil {
				t.Fatal(err)
			}
		case strings.HasPrefix(line, "2 of "):
			interrupt()
		}
	}
	var exit *exitError
	if err := <-ended; !errors.As(err, &exit) || exit.code != exitInterrupted {
		t.Errorf("askProfile() = %v, want exit %d", err, exitInterrupted)
	}
	profile, ok, err := p.Stores.Portfolio.Profile(t.Context())
	if err != nil || !ok || profile.BirthYear != 1980 {
		t.Errorf("Profile() = %+v, %t, %v, want the year that was answered", profile, ok, err)
	}
}
