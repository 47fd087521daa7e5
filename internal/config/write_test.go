package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/config"
)

func TestWrite_ChangesOneLineAndNoOther(t *testing.T) {
	for _, row := range []struct {
		name, before, value, after string
		line                       int
	}{
		{"no file", "", "deepseek/x", "model: deepseek/x\n", 1},
		{"comments stay", "# mine\nmodel: openai/a  # the old one\n\noffline: false\n", "xai/b", "# mine\nmodel: xai/b  # the old one\n\noffline: false\n", 2},
		{"double quotes", "model: \"openai/a # b\" # why\nagent: advisor\n", "xai/b", "model: xai/b # why\nagent: advisor\n", 1},
		{"single quotes", "model:   'it''s'\n", "xai/b", "model:   xai/b\n", 1},
		{"nothing there", "model: # unset\nagent: advisor\n", "xai/b", "model: xai/b # unset\nagent: advisor\n", 1},
		{"bare key", "agent: advisor\nmodel:\n", "xai/b", "agent: advisor\nmodel: xai/b\n", 2},
		{"line ends of Windows", "agent: advisor\r\nmodel: a\r\noffline: true\r\n", "xai/b", "agent: advisor\r\nmodel: xai/b\r\noffline: true\r\n", 2},
		{"appended with them", "agent: advisor\r\n", "xai/b", "agent: advisor\r\nmodel: xai/b\r\n", 2},
		{"no last line end", "agent: advisor", "xai/b", "agent: advisor\nmodel: xai/b\n", 2},
		{"after a section", "timeouts:\n  idle: 5s\n", "xai/b", "timeouts:\n  idle: 5s\nmodel: xai/b\n", 3},
		{"only a comment", "# nothing yet\n", "xai/b", "# nothing yet\nmodel: xai/b\n", 2},
		{"a model below a provider is another", "providers:\n  home:\n    models:\n      model: {}\nmodel: a\n", "home/model", "providers:\n  home:\n    models:\n      model: {}\nmodel: home/model\n", 5},
		{"a value that needs quotes", "model: a\n", "home/a: b # c", "model: 'home/a: b # c'\n", 1},
		{"other scripts before it", "# 模型\n\"model\": 好/模型 # 注\n", "xai/b", "# 模型\n\"model\": xai/b # 注\n", 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "home", "config.yaml")
			if row.before != "" {
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(row.before), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			line, err := config.Write(path, "model", row.value)
			if err != nil || line != row.line {
				t.Fatalf("Write = line %d, %v, want line %d", line, err, row.line)
			}
			got, err := os.ReadFile(path)
			if diff := cmp.Diff(row.after, string(got)); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestWrite_ASettingOfASectionGoesIntoIt(t *testing.T) {
	for _, row := range []struct {
		name, before, key, value, after string
		line                            int
	}{
		{"no file", "", "sec.contact", "ann@example.com", "sec:\n  contact: ann@example.com\n", 2},
		{"no section", "model: a\n", "sec.contact", "ann@example.com", "model: a\nsec:\n  contact: ann@example.com\n", 3},
		{"a value", "sec:\n    contact: bob@example.com # me\nmodel: a\n", "sec.contact", "ann@example.com", "sec:\n    contact: ann@example.com # me\nmodel: a\n", 2},
		{"another setting of the section", "timeouts:\n    # long\n    idle: 5s\nmodel: a\n", "timeouts.connect", "3s", "timeouts:\n    # long\n    connect: 3s\n    idle: 5s\nmodel: a\n", 3},
		{"line ends of Windows", "timeouts:\r\n  idle: 5s\r\n", "timeouts.connect", "3s", "timeouts:\r\n  connect: 3s\r\n  idle: 5s\r\n", 2},
		{"a switch is no text", "plain: false\n", "plain", "1", "plain: true\n", 1},
		{"a number is no text", "", "max_steps", "12", "max_steps: 12\n", 1},
		{"an amount is text", "", "max_cost", "0.50", "max_cost: \"0.50\"\n", 1},
		{"a currency", "", "base_currency", "EUR", "base_currency: EUR\n", 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, "config.yaml")
			if row.before != "" {
				if err := os.WriteFile(path, []byte(row.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			line, err := config.Write(path, row.key, row.value)
			if err != nil || line != row.line {
				t.Fatalf("Write = line %d, %v, want line %d", line, err, row.line)
			}
			got, err := os.ReadFile(path)
			if diff := cmp.Diff(row.after, string(got)); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			if _, err := config.Load(config.Options{Home: home}); err != nil {
				t.Errorf("Load of what was written: %v", err)
			}
		})
	}
}

func TestWrite_ASectionThatIsNoBlockIsLeftAlone(t *testing.T) {
	for _, before := range []string{"timeouts: {idle: 5s}\n", "timeouts: {}\n", "timeouts:\n", "timeouts: 5\n"} {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Write(path, "timeouts.connect", "3s"); err == nil {
			t.Errorf("Write into %q: no error, want the file left alone", before)
		}
		if got, _ := os.ReadFile(path); string(got) != before {
			t.Errorf("%q became %q", before, got)
		}
	}
}

func TestWrite_WhatCannotBeChangedOnOneLineIsLeftAlone(t *testing.T) {
	for name, before := range map[string]string{
		"folded":       "model: >-\n  openai/\n  a\nagent: advisor\n",
		"two lines":    "model: openai\n  and more\n",
		"flow":         "{agent: advisor, offline: true}\n",
		"flow with it": "{model: [a, b]}\n",
		"ended":        "agent: advisor\n...\n",
		"tagged":       "model: !!str a\n",
		"broken":       "agent: [\n",
		"two of them":  "agent: a\n---\nagent: b\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := config.Write(path, "model", "xai/b"); err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("Write: %v, want an error that names the file", err)
			}
			if got, _ := os.ReadFile(path); string(got) != before {
				t.Errorf("the file holds %q now", got)
			}
			if leftovers, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".config*")); len(leftovers) != 0 {
				t.Errorf("left behind: %v", leftovers)
			}
		})
	}
}

func TestWrite_RefusesWhatLoadWouldRefuse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	for key, value := range map[string]string{"model": "a\x1b[31m", "color": "mauve", "api_key": "sk-canary-1234", "timeouts.idle": "soon", "base_url": "https://u:canary@x.example", "modell": "x", "skills.paths": "/tmp", "sec.contact": "ann", "base_currency": "euro", "plain": "maybe"} {
		if _, err := config.Write(path, key, value); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("Write %s = %v", key, err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused value made the file: %v", err)
	}
}

func TestWrite_KeepsTheModeAndTheLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links are other things here")
	}
	folder := t.TempDir()
	real, link := filepath.Join(folder, "dotfiles.yaml"), filepath.Join(folder, "config.yaml")
	if err := os.WriteFile(real, []byte("model: a\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Write(link, "model", "xai/b"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v, want 0640", info.Mode(), err)
	}
	fresh := filepath.Join(folder, "new", "config.yaml")
	if _, err := config.Write(fresh, "model", "xai/b"); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(fresh); info.Mode().Perm() != 0o600 {
		t.Errorf("a new file has mode %v", info.Mode())
	}
}

// FuzzWrite checks that Write either refuses a file and leaves it unchanged, or that the file has
// its old settings and the new value.
func FuzzWrite(f *testing.F) {
	for _, text := range []string{"model: a # b\n", "a: 1\nmodel: \"x\\ty\"\n", "{model: x}", "model: |\n  x\n", "? model\n: x\n", "\"model\" : 'a''b' \n...\n", "\ufeffmodel: x\n"} {
		f.Add([]byte(text), "xai/b")
	}
	f.Fuzz(func(t *testing.T, before []byte, value string) {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, before, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := config.Write(path, "model", value)
		after, _ := os.ReadFile(path)
		if err != nil {
			if string(after) != string(before) {
				t.Errorf("refused with %v, but %q became %q", err, before, after)
			}
			return
		}
		changed := 0
		linesBefore, linesAfter := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
		for i := range min(len(linesBefore), len(linesAfter)) {
			if linesBefore[i] != linesAfter[i] {
				changed++
			}
		}
		// If the last line has no line break, it gets one when a line is added after it.
		if changed > 1 || len(linesAfter) < len(linesBefore) || len(linesAfter) > len(linesBefore)+2 {
			t.Errorf("%d lines changed: %q became %q", changed, before, after)
		}
	})
}
