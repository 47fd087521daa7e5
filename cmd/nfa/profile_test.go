package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Reading a terminal cannot be interrupted, and the questions end all the same.
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
	h, err := wire(ctx, g, wiring{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	ended := make(chan error, 1)
	go func() {
		err := h.askProfile(ctx, g, false)
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
	p, ok, err := h.book.Profile(t.Context())
	if err != nil || !ok || p.BirthYear != 1980 {
		t.Errorf("Profile() = %+v, %t, %v, want the year that was answered", p, ok, err)
	}
}

// What did not read as a profile is not written over by the next try.
func TestProfileEdit_GoesOnWithWhatWasKept(t *testing.T) {
	home := t.TempDir()
	var told bytes.Buffer
	g := &globals{terminal: terminal{err: &told}}
	h := &house{home: home, book: newBookStore(home, nil)}
	saved, err := h.draftProfile(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile(h.profileDraft()); err != nil || !bytes.Equal(saved, written) || told.Len() > 0 {
		t.Fatalf("the draft is %q, %v, told %q, want the profile", written, err, told.String())
	}
	write(t, h.profileDraft(), []byte("horizon: lots\n"))
	if again, err := h.draftProfile(t.Context(), g); err != nil || !bytes.Equal(saved, again) {
		t.Errorf("draftProfile() = %q, %v, want what is saved", again, err)
	}
	if kept, err := os.ReadFile(h.profileDraft()); err != nil || string(kept) != "horizon: lots\n" {
		t.Errorf("the draft is %q, %v, want what was kept", kept, err)
	}
	if !strings.Contains(told.String(), h.profileDraft()) {
		t.Errorf("told %q, want where the draft is", told.String())
	}
	// Given by its name and read, it is done with.
	write(t, h.profileDraft(), []byte("horizon: 2040\n"))
	if !sameFile(h.profileDraft(), filepath.Join(home, ".", "profile-edit.yaml")) || sameFile(home, h.profileDraft()) {
		t.Error("sameFile() does not know one file by two names")
	}
}
