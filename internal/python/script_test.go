package python_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/python"
)

func TestOpen_RefusesWhatIsNotAScriptOfTheDirectory(t *testing.T) {
	outside := newSkillFolder(t, map[string]string{"secret.py": "print(1)"})
	dir := newSkillFolder(t, map[string]string{"scripts/x.py": "print(1)", "scripts/big.py": strings.Repeat("#", 2<<20)})
	for link, to := range map[string]string{
		"out.py": filepath.Join(outside, "secret.py"), "folder": outside, "up.py": "../" + filepath.Base(outside) + "/secret.py",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	for _, c := range []struct {
		name, path string
		want       error // nil means any error
	}{
		{"missing", "scripts/none.py", fs.ErrNotExist},
		{"above", "../" + filepath.Base(outside) + "/secret.py", python.ErrOutsideFolder},
		{"absolute", filepath.Join(outside, "secret.py"), python.ErrOutsideFolder},
		{"empty", "", python.ErrOutsideFolder},
		{"link out", "out.py", python.ErrOutsideFolder},
		{"folder that is a link out", "folder/secret.py", python.ErrOutsideFolder},
		{"link out by a relative way", "up.py", python.ErrOutsideFolder},
		{"folder", "scripts", nil},
		{"too large", "scripts/big.py", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := python.OpenScript(dir, c.path)
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("Open(%q) = %v, want %v", c.path, err, c.want)
			}
		})
	}
}

func TestOpen_FollowsALinkThatStaysInside(t *testing.T) {
	dir := newSkillFolder(t, map[string]string{"scripts/x.py": "print(1)"})
	if err := os.Symlink("x.py", filepath.Join(dir, "scripts", "same.py")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := python.OpenScript(dir, "scripts/same.py"); err != nil {
		t.Errorf("Open = %v", err)
	}
}

func TestOpen_BringsLocalModulesAlong(t *testing.T) {
	dir := newSkillFolder(t, map[string]string{
		"scripts/x.py":              "import json, helper\nfrom lib.rates import rate\nfrom lib import fees\nimport shared.words\nimport email\n",
		"scripts/helper.py":         "import lib.rates, x\n",
		"scripts/lib/__init__.py":   "from . import tax\n",
		"scripts/lib/rates.py":      "from .deep.table import rows\n",
		"scripts/lib/fees.py":       "",
		"scripts/lib/tax.py":        "from ...beyond import everything\n",
		"scripts/lib/deep/table.py": "from .. import tax\n",
		"scripts/unused.py":         "import socket\n",
		"shared/words.py":           "",
		"email/template.html":       "not a module: a folder of other files",
	})
	var paths []string
	for _, f := range openScript(t, dir, "scripts/x.py").Files() {
		paths = append(paths, f.Path)
	}
	want := []string{
		"scripts/x.py", "scripts/helper.py", "scripts/lib/__init__.py", "scripts/lib/rates.py", "scripts/lib/fees.py",
		"shared/words.py", "scripts/lib/tax.py", "scripts/lib/deep/table.py",
	}
	if diff := cmp.Diff(want, paths, cmpopts.SortSlices(strings.Compare)); diff != "" || paths[0] != want[0] {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestOpen_AModuleThatLeadsOutIsRefused(t *testing.T) {
	outside := newSkillFolder(t, map[string]string{"helper.py": "print(1)"})
	dir := newSkillFolder(t, map[string]string{"x.py": "import helper\n"})
	if err := os.Symlink(filepath.Join(outside, "helper.py"), filepath.Join(dir, "helper.py")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := python.OpenScript(dir, "x.py"); !errors.Is(err, python.ErrOutsideFolder) {
		t.Errorf("Open = %v, want ErrOutside", err)
	}
}

func TestOpen_AScriptThatAsksForEndlessNamesIsRefused(t *testing.T) {
	var names strings.Builder
	for i := range 10_001 {
		fmt.Fprintf(&names, ", n%d", i)
	}
	dir := newSkillFolder(t, map[string]string{"main.py": "from beside import a" + names.String() + "\n", "beside.py": ""})
	if _, err := python.OpenScript(dir, "main.py"); err == nil || !strings.Contains(err.Error(), "more than 10000 imported names") {
		t.Errorf("Open = %v, want it refused for its imports", err)
	}
}

// A module that no import statement names was not shown to the user, and is not found.
func TestRun_LocalModulesAndFilesBesideTheScript(t *testing.T) {
	t.Parallel()
	inBothRuntimes(t, python.Limits{}, func(t *testing.T, r *python.Runner) {
		t.Parallel()
		dir := newSkillFolder(t, map[string]string{
			"scripts/x.py": "import json, pathlib, sys\nimport helper\nfrom lib.rates import rate\n" +
				"table = pathlib.Path(__file__).parent.parent / 'assets' / 'table.txt'\n" +
				"try: hidden = bool(__import__('hid' + 'den'))\nexcept ModuleNotFoundError: hidden = False\n" +
				"if __name__ == '__main__':\n    print(json.dumps([helper.name(), rate, table.read_text(), len(sys.argv), hidden]))\n",
			"scripts/hidden.py":    "shown = False\n",
			"scripts/helper.py":    "import pathlib\ndef name(): return pathlib.Path(__file__).name\n",
			"scripts/lib/rates.py": "rate = 0.07\n",
			"assets/table.txt":     "ü",
		})
		got, err := r.Run(t.Context(), openScript(t, dir, "scripts/x.py"), python.Input{})
		if want := `["helper.py", 0.07, "\u00fc", 1, false]`; err != nil || string(got.Output) != want {
			t.Errorf("Run = %s, %v, want %s\n%s", got.Output, err, want, got.Stderr)
		}
	})
}

func TestRun_WhatWasReadRunsWhateverHappensToTheFiles(t *testing.T) {
	t.Parallel()
	r := systemRunner(t, python.Limits{})
	dir := newSkillFolder(t, map[string]string{"x.py": "import helper\nprint(helper.answer)", "helper.py": "answer = 1"})
	s := openScript(t, dir, "x.py")
	for _, name := range []string{"x.py", "helper.py"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("print('exchanged')"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := r.Run(t.Context(), s, python.Input{}); err != nil || string(got.Output) != "1" {
		t.Errorf("Run = %s, %v, want 1", got.Output, err)
	}
}
