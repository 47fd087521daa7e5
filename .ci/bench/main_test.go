package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun_SaysWhatItCannotTake(t *testing.T) {
	for name, args := range map[string][]string{
		"an argument": {"all"}, "no round": {"-rounds", "0"}, "an unknown flag": {"-fast"},
		"no expression": {"-only", "("}, "the name of no row": {"-only", "^nothing is called so$"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr strings.Builder
			page := filepath.Join(t.TempDir(), "page.md")
			if err := run(t.Context(), append([]string{"-o", page}, args...), &stdout, &stderr); err == nil {
				t.Errorf("run(%q) = nil, want an error", args)
			}
			if _, err := os.Stat(page); err == nil || stdout.Len() > 0 {
				t.Errorf("run(%q) wrote a page, or %q", args, stdout.String())
			}
		})
	}
}
