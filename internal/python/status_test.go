package python_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/python"
)

func TestStatus_SaysWhyNothingWouldRunAndWhatToDo(t *testing.T) {
	r := newRunner(t, python.Config{Runtime: python.System, Interpreter: filepath.Join(t.TempDir(), "no-such-python"), Dir: t.TempDir()})
	s := r.Status(t.Context())
	if s.Runtime != "" || s.Installed || !strings.Contains(s.Fix, "nfa python install") {
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
