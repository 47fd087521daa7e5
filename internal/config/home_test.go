package config_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/config"
)

func TestHome_FlagThenEnvironmentThenTheUsersFolder(t *testing.T) {
	work, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	user := t.TempDir()
	for _, tc := range []struct{ name, flag, env, want string }{
		{"flag", filepath.Join(user, "flag"), filepath.Join(user, "env"), filepath.Join(user, "flag")},
		{"environment", "", filepath.Join(user, "env"), filepath.Join(user, "env")},
		{"neither", "", "", filepath.Join(user, ".nfa")},
		{"relative flag", "here", "", filepath.Join(work, "here")},
		{"flag before a relative environment", filepath.Join(user, "flag"), "here", filepath.Join(user, "flag")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			env := func(name string) string { return map[string]string{"NFA_HOME": tc.env}[name] }
			got, err := config.Home(tc.flag, env, func() (string, error) { return user, nil })
			if err != nil || got != tc.want {
				t.Errorf("Home(%q) with NFA_HOME=%q = %q, %v; want %q", tc.flag, tc.env, got, err, tc.want)
			}
		})
	}
}

func TestHome_WithoutAnyFolderSaysWhatToDo(t *testing.T) {
	lost := errors.New("$HOME is not defined")
	_, err := config.Home("", func(string) string { return "" }, func() (string, error) { return "", lost })
	if !errors.Is(err, lost) || !strings.Contains(err.Error(), "--home or NFA_HOME") {
		t.Errorf("Home = %v, want %v and how to name one", err, lost)
	}
}

// The folder in which nfa starts does not become the data folder.
func TestHome_ARelativeEnvironmentIsRefused(t *testing.T) {
	user := t.TempDir()
	for _, tc := range []struct{ name, flag, env, home, want string }{
		{"NFA_HOME", "", ".nfa", user, `NFA_HOME is the relative path ".nfa"`},
		{"NFA_HOME with a tilde that no shell replaced", "", "~/.nfa", user, `NFA_HOME is the relative path "~/.nfa"`},
		{"HOME", "", "", ".", `HOME) is the relative path "."`},
		{"HOME beside NFA_HOME", "", user, ".", `HOME) is the relative path "."`},
		{"HOME beside the flag", user, "", "sub", `HOME) is the relative path "sub"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := config.Home(tc.flag, func(string) string { return tc.env }, func() (string, error) { return tc.home, nil })
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "absolute path") {
				t.Errorf("Home = %q, %v; want %q", got, err, tc.want)
			}
		})
	}
}
