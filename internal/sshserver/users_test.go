//go:build linux

package sshserver_test

import (
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"

	"github.com/nfa-cli/nfa/internal/sshserver"
)

func windowSize() (rows, cols int) {
	size, err := unix.IoctlGetWinsize(0, unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(size.Row), int(size.Col)
}

func quoteKey(s gossh.Signer) string {
	return strconv.Quote(strings.TrimSpace(string(gossh.MarshalAuthorizedKey(s.PublicKey()))))
}

func parseUsers(t *testing.T, text string) []sshserver.User {
	t.Helper()
	path := filepath.Join(t.TempDir(), "users.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	users, err := sshserver.ReadUsers(path)
	if err != nil {
		t.Fatal(err)
	}
	return users
}

func asExit(err error, exit **gossh.ExitError) bool { return errors.As(err, exit) }

func TestReadUsers_RefusesWhatIsUnsafe(t *testing.T) {
	good := strings.TrimSpace(string(gossh.MarshalAuthorizedKey(newSigner(t).PublicKey())))
	weak, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	weakKey, err := gossh.NewPublicKey(&weak.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	user := func(fields string) string {
		return "users:\n  - {name: anna, keys: [\"" + good + "\"], " + fields + "}\n"
	}
	for _, c := range []struct {
		name, text, want string
		mode             os.FileMode
	}{
		{"good", user("home: /srv/anna"), "", 0o600},
		{"readable by others", user("home: /srv/anna"), "chmod 600", 0o644},
		{"empty", "", "lists no users", 0o600},
		{"a relative home", user("home: anna"), "absolute path", 0o600},
		{"the whole disk", user("home: /srv/.."), "absolute path", 0o600},
		{"an unknown field", user("home: /srv/anna, shell: /bin/sh"), "shell", 0o600},
		{"a variable that is no key", user("home: /srv/anna, variables: {LD_PRELOAD: x}"), "LD_PRELOAD", 0o600},
		{"an RSA key that is too short", strings.ReplaceAll(user("home: /srv/anna"), good, strings.TrimSpace(string(gossh.MarshalAuthorizedKey(weakKey)))), "3072", 0o600},
		{"a key with options", strings.ReplaceAll(user("home: /srv/anna"), good, `command=\"x\" `+good), "not one public key", 0o600},
		{"one key for two", user("home: /srv/anna") + "  - {name: ben, keys: [\"" + good + "\"], home: /srv/ben}\n", "same key", 0o600},
		{"a home in another one", user("home: /srv/anna") + "  - {name: ben, keys: [" + quoteKey(newSigner(t)) + "], home: /srv/anna/ben}\n", "separate data folders", 0o600},
		{"no name", strings.ReplaceAll(user("home: /srv/anna"), "anna,", "'',"), "name", 0o600},
	} {
		path := filepath.Join(t.TempDir(), "users.yaml")
		if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		_, err := sshserver.ReadUsers(path)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestHostKey_IsMadeOnceAndGuarded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ssh", "host_key")
	first, err := sshserver.HostKey(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := sshserver.HostKey(path)
	if err != nil || gossh.FingerprintSHA256(first.PublicKey()) != gossh.FingerprintSHA256(second.PublicKey()) {
		t.Errorf("the second start has another key, %v", err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := sshserver.HostKey(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a key that others can read: %v", err)
	}
}
