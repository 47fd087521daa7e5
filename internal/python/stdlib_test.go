package python_test

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/python"
)

var update = flag.Bool("update", false, "write the list of modules anew")

func TestSandbox_TheListOfItsModulesIsTrue(t *testing.T) {
	t.Parallel()
	const list = "stdlib.txt"
	const code = `import json, sys, warnings
warnings.simplefilter("ignore")
found = []
for name in sorted(sys.stdlib_module_names):
    if name.startswith("_") or name in ("antigravity", "this"): continue  # they open a browser, they print
    try: __import__(name); found.append(name)
    except ImportError: pass
print(json.dumps(found))`
	r := sandboxRunner(t, python.Limits{})
	got, err := r.Run(t.Context(), newInline(t, code), python.Input{})
	if err != nil {
		t.Fatalf("Run: %v\n%s", err, got.Stderr)
	}
	var found []string
	if err := json.Unmarshal(got.Output, &found); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(list, []byte(strings.Join(found, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Fields(string(text)), found); diff != "" {
		t.Errorf("%s (-listed +importable); run with -update:\n%s", list, diff)
	}
	for _, name := range []string{"json", "math", "statistics", "decimal", "datetime", "csv", "sqlite3"} {
		if reason, lacks := python.UnsupportedBySandbox(name); lacks || !slices.Contains(found, name) {
			t.Errorf("UnsupportedBySandbox(%s) = %q: finance scripts count on it", name, reason)
		}
	}
}

func TestLacks_GivesAReason(t *testing.T) {
	for name, want := range map[string]string{
		"numpy": "installs no packages", "socket": "no network", "subprocess": "no other processes",
		"threading": "no threads", "zoneinfo": "no time zone data", "asyncio": "event loop", "ctypes": "not in its standard library",
	} {
		if reason, lacks := python.UnsupportedBySandbox(name); !lacks || !strings.Contains(reason, want) {
			t.Errorf("UnsupportedBySandbox(%s) = %q, %t, want %q", name, reason, lacks, want)
		}
	}
	for _, name := range []string{"os", "sys", "_json", "__future__", "collections"} {
		if reason, lacks := python.UnsupportedBySandbox(name); lacks {
			t.Errorf("UnsupportedBySandbox(%s) = %q, want that it has it", name, reason)
		}
	}
}
