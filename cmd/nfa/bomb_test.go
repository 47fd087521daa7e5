package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// bombs returns small files that a careless reader expands to large ones, or never finishes reading.
func bombs() map[string]string {
	var laughs strings.Builder
	laughs.WriteString("a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	merges := "m0: &m0 {k0: v}\n"
	for i := 1; i < 200; i++ {
		merges += fmt.Sprintf("m%d: &m%d {<<: [*m%d, *m%d], k%d: v}\n", i, i, i-1, i-1, i)
	}
	return map[string]string{
		"laughs":        laughs.String(),
		"merges":        merges,
		"own alias":     "a: &a [*a, *a]\n",
		"deep lists":    "a: " + strings.Repeat("[", 50_000),
		"deep closed":   "a: " + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000),
		"deep maps":     strings.Repeat("{a: ", 50_000),
		"deep dashes":   strings.Repeat("- ", 50_000) + "x\n",
		"many keys":     "a: {" + strings.Repeat("k: 1, ", 50_000) + "}\n",
		"a long quote":  "a: \"" + strings.Repeat("\\x41", 60_000) + "\"\n",
		"nested quotes": "a: " + strings.Repeat("'", 60_001) + "\n",
		"tags":          "a: !!binary " + strings.Repeat("A", 200_000) + "\n",
		"numbers":       "max_steps: 1" + strings.Repeat("0", 100_000) + "\nmax_cost: 1e2000000000\ntimeout: 1e999999999h\n",
	}
}

// Covers each kind of YAML file that people, or a folder that they cloned, give to nfa.
func TestSecurity_BombsGoOffNowhere(t *testing.T) {
	for name, bomb := range bombs() {
		t.Run(name, func(t *testing.T) {
			server := llmtest.StartServer()
			t.Cleanup(server.Close)
			nfa, base := newAttackTarget(t, server)
			header := func(text string) string { return "---\nname: bomb\ndescription: d\n" + text + "\n---\nbody\n" }
			for path, text := range map[string]string{
				".nfa/skills/bomb/SKILL.md": header(bomb), ".nfa/skills/evil/evals.yaml": bomb, ".nfa/agents/bomb.md": header(bomb),
				"work/.nfa/config.yaml": bomb, "work/.nfa/skills/bomb/SKILL.md": header("steps:\n  - " + bomb), "work/profile.yaml": bomb, "work/bomb/SKILL.md": header(bomb), "mine.yaml": bomb,
			} {
				path = filepath.Join(base, filepath.FromSlash(path))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				write(t, path, []byte(text))
			}
			for _, line := range []string{
				"config show", "skills list", "agents list", "skills test evil", "skills trust --yes", "profile edit --from profile.yaml --yes", "skills validate bomb", "skills fix bomb", "skills import bomb", "--config ../mine.yaml config show",
			} {
				if line == "skills list" { // the settings contain the bomb and would stop all other commands
					if err := os.Remove(filepath.Join(base, "work", ".nfa", "config.yaml")); err != nil {
						t.Fatal(err)
					}
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := time.Now()
				code, _, errOut := nfa(strings.Fields(line)...)
				runtime.ReadMemStats(&after)
				if listed := line == "skills list" || line == "agents list"; listed != (code == exitOK) && line != "skills trust --yes" {
					t.Errorf("nfa %s = %d, %.300s", line, code, errOut)
				}
				// Without other load, all of it takes a second; the limit is generous because of busy
				// machines.
				if took := time.Since(start); took > 30*time.Second {
					t.Errorf("nfa %s took %s", line, took)
				}
				if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 200 {
					t.Errorf("nfa %s took %d MB", line, mb)
				}
			}
		})
	}
}
