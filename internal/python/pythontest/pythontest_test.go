package pythontest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestInstallation_OnlyAMissingBuildIsAReasonToSkip(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // there is no npm
	cache := t.TempDir()
	if _, err := installIn(cache); !errors.Is(err, ErrNoBuild) {
		t.Errorf("installed without npm = %v, want ErrNoBuild", err)
	}
	if err := os.WriteFile(filepath.Join(cache, "python-wasi-3.12.0.wasm"), []byte("no module"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := installIn(cache); err == nil || errors.Is(err, ErrNoBuild) {
		t.Errorf("installed of a broken build = %v, want a fault", err)
	}
}
