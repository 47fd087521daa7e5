package python_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/python"
)

func TestRun_JSONInJSONOutInUnicode(t *testing.T) {
	t.Parallel()
	inBothRuntimes(t, python.Limits{}, func(t *testing.T, r *python.Runner) {
		t.Parallel()
		in := `{"größe":"日本 😀","n":[1,2.5,null]}`
		got, err := r.Run(t.Context(), newInline(t, "import json, sys\njson.dump(json.load(sys.stdin), sys.stdout, ensure_ascii=False)"),
			python.Input{JSON: json.RawMessage(in)})
		if err != nil {
			t.Fatalf("Run: %v\n%s", err, got.Stderr)
		}
		var want, have any
		if err := errors.Join(json.Unmarshal([]byte(in), &want), json.Unmarshal(got.Output, &have)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("output (-want +got):\n%s", diff)
		}
		if got.Runtime == "" || got.Duration <= 0 {
			t.Errorf("runtime %q, duration %s: want both reported", got.Runtime, got.Duration)
		}
	})
}

func TestRun_FiveMegabytesOfInputArriveWhole(t *testing.T) {
	t.Parallel()
	r := systemRunner(t, python.Limits{})
	text := strings.Repeat("x", 5<<20)
	in, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Run(t.Context(), newInline(t, "import json, sys\nprint(len(json.load(sys.stdin)))"), python.Input{JSON: in})
	if err != nil || string(got.Output) != "5242880" {
		t.Errorf("Run = %s, %v, want 5242880", got.Output, err)
	}
}

func TestRun_InputThatIsNotReadIsNoError(t *testing.T) {
	t.Parallel()
	r := systemRunner(t, python.Limits{})
	big := json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
	got, err := r.Run(t.Context(), newInline(t, "print(1)"), python.Input{JSON: big})
	if err != nil || string(got.Output) != "1" {
		t.Errorf("Run = %s, %v, want 1", got.Output, err)
	}
}

func TestRun_OutputThatIsNoJSONShowsItsBeginning(t *testing.T) {
	t.Parallel()
	r := systemRunner(t, python.Limits{})
	got, err := r.Run(t.Context(), newInline(t, "print('total: 12')"), python.Input{})
	var bad *python.OutputError
	if !errors.As(err, &bad) || bad.Beginning != "total: 12" || got.Output != nil {
		t.Errorf("Run = %s, %v, want an OutputError that begins with the output", got.Output, err)
	}
}

func TestRun_StandardErrorIsKeptByItsTail(t *testing.T) {
	t.Parallel()
	r := systemRunner(t, python.Limits{})
	got, err := r.Run(t.Context(), newInline(t, "import sys\nsys.stderr.write('x' * 1000000 + 'the end')\nprint(1)"), python.Input{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Stderr) != 8<<10 || !strings.HasSuffix(got.Stderr, "xthe end") {
		t.Errorf("stderr of %d bytes ends %q, want the last 8 KB", len(got.Stderr), got.Stderr[max(0, len(got.Stderr)-20):])
	}
}

func TestRun_AFailureBeginsWithTheLastLineOfTheTraceback(t *testing.T) {
	t.Parallel()
	inBothRuntimes(t, python.Limits{}, func(t *testing.T, r *python.Runner) {
		t.Parallel()
		dir := newSkillFolder(t, map[string]string{"scripts/fail.py": "def f():\n    raise ValueError('no prices for XYZ')\nf()\n"})
		_, err := r.Run(t.Context(), openScript(t, dir, "scripts/fail.py"), python.Input{})
		var exit *python.ExitError
		if !errors.As(err, &exit) || exit.Code != 1 {
			t.Fatalf("Run = %v, want an ExitError of 1", err)
		}
		if !strings.HasPrefix(exit.Error(), "ValueError: no prices for XYZ") {
			t.Errorf("error %q does not begin with what happened", exit)
		}
		if !strings.Contains(exit.Stderr, `fail.py", line 2`) || strings.Contains(exit.Stderr, "boot.py") {
			t.Errorf("traceback should name the script and not what started it:\n%s", exit.Stderr)
		}
	})
}

func TestRun_ExitCodesAreTheScripts(t *testing.T) {
	t.Parallel()
	r := systemRunner(t, python.Limits{})
	_, err := r.Run(t.Context(), newInline(t, "import sys\nprint(1)\nsys.exit(42)"), python.Input{})
	var exit *python.ExitError
	if !errors.As(err, &exit) || exit.Code != 42 {
		t.Errorf("Run = %v, want an ExitError of 42", err)
	}
}

func TestRun_NothingOfTheEnvironmentIsInherited(t *testing.T) {
	t.Setenv("NFA_API_KEY", "canary-in-the-environment")
	inBothRuntimes(t, python.Limits{}, func(t *testing.T, r *python.Runner) {
		got, err := r.Run(t.Context(), newInline(t, "import json, os\nprint(json.dumps(dict(os.environ)))"), python.Input{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(got.Output), "canary") || strings.Contains(string(got.Output), "NFA_") {
			t.Errorf("environment of the script: %s", got.Output)
		}
	})
}

func TestRun_ScratchFoldersAreRemoved(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	r := systemRunner(t, python.Limits{})
	code := "import os\ntry:\n    os.makedirs('a/b'); os.chmod('a', 0)\nexcept OSError: pass\nprint(1)"
	if got, err := r.Run(t.Context(), newInline(t, code), python.Input{}); err != nil {
		t.Fatalf("Run = %s, %v", got.Output, err)
	}
	left, err := filepath.Glob(filepath.Join(temp, "nfa-python-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestRun_CancelledBeforeItBegins(t *testing.T) {
	r := systemRunner(t, python.Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Run(ctx, newInline(t, "print(1)"), python.Input{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want context.Canceled", err)
	}
}

func TestRun_ADeadlineOfTheCallerIsNotTheTimeLimit(t *testing.T) {
	t.Parallel()
	r := systemRunner(t, python.Limits{})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := r.Run(ctx, newInline(t, "while True: pass"), python.Input{})
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, python.ErrTimeLimit) {
		t.Errorf("Run = %v, want context.DeadlineExceeded", err)
	}
}

func TestDescribe_NamesTheRuntimeAndTheHashOfTheFile(t *testing.T) {
	inBothRuntimes(t, python.Limits{Time: time.Second}, func(t *testing.T, r *python.Runner) {
		text := "import helper\nprint(helper.answer)"
		dir := newSkillFolder(t, map[string]string{"scripts/x.py": text, "scripts/helper.py": "answer = 42\n"})
		plan, err := r.Describe(t.Context(), openScript(t, dir, "scripts/x.py"), python.User)
		if err != nil {
			t.Fatal(err)
		}
		hash := func(text string) string {
			sum := sha256.Sum256([]byte(text))
			return hex.EncodeToString(sum[:])
		}
		want := []python.File{{Path: "scripts/x.py", SHA256: hash(text), Text: text}, {Path: "scripts/helper.py", SHA256: hash("answer = 42\n"), Text: "answer = 42\n"}}
		if diff := cmp.Diff(want, plan.Files); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
		if plan.Sandboxed != strings.HasPrefix(plan.Runtime, "sandbox CPython") || plan.Limits.Time != time.Second {
			t.Errorf("plan = %+v", plan)
		}
	})
}

func TestNew_AnUnknownRuntimeIsRefused(t *testing.T) {
	if _, err := python.New(python.Config{Runtime: "docker", Dir: t.TempDir()}); err == nil {
		t.Error("New with runtime docker = nil, want an error")
	}
}

func TestRun_AnotherRuntimeThanWasConfirmedIsRefused(t *testing.T) {
	r := systemRunner(t, python.Limits{})
	s := newInline(t, "print(1)")
	plan, err := r.Describe(t.Context(), s, python.User)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(t.Context(), s, python.Input{Runtime: plan.Runtime}); err != nil {
		t.Errorf("Run as confirmed = %v", err)
	}
	if _, err := r.Run(t.Context(), s, python.Input{Runtime: "sandbox"}); !errors.Is(err, python.ErrRuntimeChanged) {
		t.Errorf("Run after another was confirmed = %v, want ErrChanged", err)
	}
}

func TestStatus_SaysWhyNothingWouldRunAndWhatToDo(t *testing.T) {
	r := newRunner(t, python.Config{Runtime: python.System, Interpreter: filepath.Join(t.TempDir(), "no-such-python"), Dir: t.TempDir()})
	s := r.Status(t.Context())
	if s.Runtime != "" || s.Installed || !strings.Contains(s.Fix, "nfa skills python install") {
		t.Errorf("Status = %+v", s)
	}
	if s.Reason == "" || strings.Contains(s.Reason, "planning") {
		t.Errorf("the reason is %q, want that of Python and not of a script", s.Reason)
	}
	text, err := json.Marshal(s)
	if err != nil || !strings.HasPrefix(string(text), `{"runtime":"","sandboxed":false,"sandbox_installed":false,"reason":`) || strings.Contains(string(text), "install Python") {
		t.Errorf("as JSON it is %s, %v", text, err)
	}
}

func TestStatus_NamesWhatAStepWouldRunWith(t *testing.T) {
	s := systemRunner(t, python.Limits{}).Status(t.Context())
	if !strings.HasPrefix(s.Runtime, "system ") || s.Sandboxed || s.Reason != "" || s.Fix != "" {
		t.Errorf("Status = %+v, want the interpreter of the system", s)
	}
}
