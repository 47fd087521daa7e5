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
		{"relative environment", "", "../there", filepath.Join(filepath.Dir(work), "there")},
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
