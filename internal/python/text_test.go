package python_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/python"
)

const reportScript = `import argparse, json, sys
from pathlib import Path
import sizing

parser = argparse.ArgumentParser()
parser.add_argument("--account", type=float)
parser.add_argument("--output-dir", default="reports")
args = parser.parse_args()
rules = json.loads((Path(__file__).parent.parent / "references" / "rules.json").read_text())
size = sizing.size(args.account, rules["risk"])
out = Path(args.output_dir)
out.mkdir(parents=True, exist_ok=True)
(out / "size.md").write_text(f"# Size\n{size}\n")
print("note:", sys.stdin.read())
print(f"size {size}")
sys.exit(3)
`

// K35: a script of a published skill receives arguments and text. Its output, its exit code and the files it
// wrote are returned.
func TestRunText_ArgumentsTextAndFiles(t *testing.T) {
	t.Parallel()
	inBothRuntimes(t, python.Limits{}, func(t *testing.T, r *python.Runner) {
		dir := newSkillFolder(t, map[string]string{
			"scripts/report.py": reportScript, "scripts/sizing.py": "def size(account, risk):\n    return account * risk\n",
			"references/rules.json": `{"risk": 0.5}`,
		})
		script, err := python.OpenScript(dir, "scripts/report.py")
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.RunText(t.Context(), script, python.TextInput{Args: []string{"--account", "1000"}, Stdin: "$HOME; `date`"})
		if err != nil {
			t.Fatalf("RunText: %v\n%s", err, got.Stderr)
		}
		if got.ExitCode != 3 || got.Stdout != "note: $HOME; `date`\nsize 500.0\n" {
			t.Errorf("exit code %d, output %q\n%s", got.ExitCode, got.Stdout, got.Stderr)
		}
		if len(got.Files) != 1 || got.Files[0].Path != "reports/size.md" || got.Files[0].Text != "# Size\n500.0\n" {
			t.Errorf("files %+v", got.Files)
		}
	})
}

// The folder that a sandboxed script may write gives no access to other folders.
func TestRunText_TheWorkFolderLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	r := sandboxRunner(t, python.Limits{})
	script := newInline(t, `import os
from pathlib import Path
for act in (
    lambda: os.symlink("/etc/passwd", "link"),
    lambda: os.link("/skill/x", "link"),
    lambda: open("../../../../etc/passwd").read(),
    lambda: open("/etc/passwd").read(),
    lambda: Path("/boot/boot.py").write_text("x"),
    lambda: Path("/work/../boot/boot.py").write_text("x"),
):
    try:
        act()
        print("done")
    except OSError as error:
        print("refused")
`)
	got, err := r.RunText(t.Context(), script, python.TextInput{})
	if err != nil || got.Stdout != strings.Repeat("refused\n", 6) || len(got.Files) > 0 {
		t.Errorf("RunText = %q, %v, %v\n%s", got.Stdout, got.Files, err, got.Stderr)
	}
}

func TestRunText_TooManyFilesAreStopped(t *testing.T) {
	t.Parallel()
	inBothRuntimes(t, python.Limits{}, func(t *testing.T, r *python.Runner) {
		script := newInline(t, "import time\nfor i in range(10):\n    with open(str(i), 'w') as f:\n        f.write('x' * (10 << 20))\ntime.sleep(5)\n")
		if _, err := r.RunText(t.Context(), script, python.TextInput{}); !errors.Is(err, python.ErrOutputTooLarge) {
			t.Errorf("RunText = %v, want ErrOutputTooLarge", err)
		}
	})
}

// K35: packages that the interpreter lacks are listed before the run.
func TestSystem_MissingPackagesAreNamedBeforeTheRun(t *testing.T) {
	t.Parallel()
	r := systemRunner(t, python.Limits{})
	script := newInline(t, "import json\nimport no_such_package.sub\ntry:\n    import other_missing\nexcept ImportError:\n    pass\nprint(1)\n")
	_, err := r.Describe(t.Context(), script, python.User)
	var missing *python.ImportError
	if !errors.As(err, &missing) || len(missing.Missing) != 1 || missing.Missing[0].Module != "no_such_package" || missing.Missing[0].Line != 2 {
		t.Errorf("Describe = %v, want the missing package", err)
	}
}
