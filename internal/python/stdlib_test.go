package python_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/python"
)

var update = flag.Bool("update", false, "write the list of modules anew")

// TestSandbox_HasTheModulesOfItsList imports some modules of the list; with -update it imports every
// module of Python and writes the list.
func TestSandbox_HasTheModulesOfItsList(t *testing.T) {
	t.Parallel()
	const list = "stdlib.txt"
	const code = `import json, sys, warnings
warnings.simplefilter("ignore")
found = []
for name in json.load(sys.stdin) or sorted(sys.stdlib_module_names):
    if name.startswith("_") or name in ("antigravity", "this"): continue  # they open a browser, they print
    try: __import__(name); found.append(name)
    except ImportError: pass
print(json.dumps(found))`
	wanted := []string{"csv", "datetime", "decimal", "json", "math", "sqlite3", "statistics"}
	if *update {
		wanted = nil
	}
	in, err := json.Marshal(wanted)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sandboxRunner(t, python.Limits{}).Run(t.Context(), newInline(t, code), python.Input{JSON: in})
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
		return
	}
	if diff := cmp.Diff(wanted, found); diff != "" {
		t.Errorf("modules (-wanted +importable):\n%s", diff)
	}
	for _, name := range wanted {
		if reason, lacks := python.UnsupportedBySandbox(name); lacks {
			t.Errorf("UnsupportedBySandbox(%s) = %q: finance scripts count on it", name, reason)
		}
	}
}

func TestLacks_GivesAReason(t *testing.T) {
	for name, want := range map[string]string{
		"numpy": "packages are not supported", "socket": "no network", "subprocess": "no other processes",
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
