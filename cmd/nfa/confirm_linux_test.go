package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConfirm_NoDoesNothingAndEndsWithThree represents every command that asks for confirmation: a script
// must not continue after a no as if the change had been made.
func TestConfirm_NoDoesNothingAndEndsWithThree(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", filepath.Join(home, "user"))
	t.Chdir(t.TempDir())
	skill := filepath.Join(home, "skills", "mine", "SKILL.md")
	if err := os.MkdirAll(filepath.Dir(skill), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(skill, []byte("---\nname: mine\ndescription: How I look at a company before I buy it.\n---\nLook.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, answer string
		code         int
		there        bool
	}{
		{"no", "n\n", exitRefused, true},
		{"nothing", "\n", exitRefused, true},
		{"another word", "yesterday\n", exitRefused, true},
		{"yes", "y\n", exitOK, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			outside, inside := openTerminal(t)
			defer outside.Close()
			defer inside.Close()
			if _, err := outside.WriteString(c.answer); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			env := map[string]string{"NFA_HOME": home, "NFA_DATA": "sample", "TERM": "dumb"}
			code := run([]string{"skills", "delete", "mine"}, terminal{in: inside, out: &out, err: inside, env: func(key string) string { return env[key] }})
			if _, err := os.Stat(skill); code != c.code || (err == nil) != c.there {
				t.Errorf("after %q: exit %d and the skill there %v, want %d and %v", c.answer, code, err == nil, c.code, c.there)
			}
			if deleted := strings.HasPrefix(out.String(), "deleted "); deleted == c.there {
				t.Errorf("after %q it prints %q", c.answer, out.String())
			}
		})
	}
}
