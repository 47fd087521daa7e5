package skills

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestWhereItFailed_IsTheLastLineOfTheScriptItself(t *testing.T) {
	const trace = `Traceback (most recent call last):
  File "/tmp/x/scripts/double.py", line 9, in <module>
    outer()
  File "/tmp/x/scripts/double.py", line 4, in outer
    json.loads("{")
  File "/usr/lib/python3.12/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
ValueError: no`
	for _, tc := range []struct{ name, stderr, want string }{
		{"a traceback", trace, "scripts/double.py, line 4"},
		{"a message", "years must be from 1 to 80", "scripts/double.py"},
		{"nothing", "", "scripts/double.py"},
		{"another file alone", `  File "/usr/lib/x.py", line 3`, "scripts/double.py"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := failureLocation("scripts/double.py", tc.stderr); got != tc.want {
				t.Errorf("whereItFailed = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestLastLines_KeepsTheEndWhole(t *testing.T) {
	for _, tc := range []struct {
		name, text  string
		most, bytes int
		want        string
	}{
		{"short", "a\nb\n", 5, 100, "a\nb"},
		{"many lines", "a\nb\nc", 2, 100, "b\nc"},
		{"many bytes", "long line\nend", 5, 6, "end"},
		{"one long line", strings.Repeat("é", 5), 5, 3, "é"},
		{"nothing", " \n", 5, 5, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := lastLines(tc.text, tc.most, tc.bytes); got != tc.want {
				t.Errorf("lastLines = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestK34_AFailedScriptsRemarksAndLineStandBesideItsError(t *testing.T) {
	needPython(t)
	b := newFixture(t, skilltest.Files{"doubles/SKILL.md": scriptSkill, "doubles/scripts/double.py": `import sys
print("reading the input", file=sys.stderr)
1/0
`})
	w := b.workflows()
	w.Python = newPythonRunner(t)
	res, steps := b.run(t, w, "doubles", `{"value":1}`)
	if want := "scripts/double.py, line 3: "; !strings.Contains(res.ErrorText(), want) || !strings.Contains(res.ErrorText(), "ZeroDivisionError") {
		t.Errorf("error = %q, want it to name %q", res.ErrorText(), want)
	}
	if got := steps[0].Result.UserText(); !strings.Contains(got, "reading the input") || !strings.Contains(got, "Traceback") {
		t.Errorf("for the user: %q, want what the script wrote", got)
	}
	if !strings.Contains(steps[0].Result.ModelText(), "reading the input") {
		t.Errorf("for the model: %s, want what the script wrote", steps[0].Result.ModelText())
	}
}
