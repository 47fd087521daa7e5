package credential_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/nfa-cli/nfa/internal/credential"
)

// S4: neither a child process nor a reader of /proc finds a key that nfa was started with.
func TestHideEnvironment_NothingOfASecretRemains(t *testing.T) {
	if os.Getenv("HIDE_ENVIRONMENT") != "" {
		credential.HideEnvironment()
		own, err := os.ReadFile("/proc/self/environ")
		if err != nil && !os.IsPermission(err) {
			t.Fatal(err)
		}
		child, err := exec.Command("env").Output()
		if err != nil {
			t.Fatal(err)
		}
		if left := string(own) + string(child) + strings.Join(os.Environ(), "\n"); strings.Contains(left, "canary") || !strings.Contains(left, "PLAIN=kept") {
			t.Errorf("the environment is %q", left)
		}
		if credential.Getenv("OPENAI_API_KEY") != "canary-1" || !strings.Contains(strings.Join(credential.Environ(), "\n"), "AWS_SECRET_ACCESS_KEY=canary-2") {
			t.Error("nfa itself does not find its keys")
		}
		// Programs of the same user can read neither its memory nor its files in /proc.
		if dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || dumpable != 0 {
			t.Errorf("PR_GET_DUMPABLE = %d, %v; want 0", dumpable, err)
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestHideEnvironment_NothingOfASecretRemains$", "-test.v")
	cmd.Env = append(os.Environ(), "HIDE_ENVIRONMENT=1", "OPENAI_API_KEY=canary-1", "AWS_SECRET_ACCESS_KEY=canary-2", "DATABASE_URL=postgres://me:canary-3@host/db", "PLAIN=kept")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
