package credential

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestSystem_StartsNoBusOfItsOwn(t *testing.T) {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		t.Skip("no bus is needed here")
	}
	folder := t.TempDir()
	env := map[string]string{"XDG_RUNTIME_DIR": folder}
	keyring := System("/home/x/.nfa", func(name string) string { return env[name] })
	_, getErr := keyring.Get("openai")
	for _, err := range []error{getErr, keyring.Set("openai", "k"), keyring.Delete("openai")} {
		if !errors.Is(err, errNoBus) {
			t.Errorf("without a bus: %v", err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "bus"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := keyring.(systemKeyring).reachable(); err != nil {
		t.Errorf("with a bus in its folder: %v", err)
	}
	env = map[string]string{"XDG_RUNTIME_DIR": t.TempDir(), "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"}
	if err := keyring.(systemKeyring).reachable(); err != nil {
		t.Errorf("with an address: %v", err)
	}
}
