//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// What is written to a deleted file is lost when the program ends, so the chat must say so while the answers
// are still on the screen.
func TestHome_DeletedWhileTheChatRunsIsSaidAtTheNextAnswer(t *testing.T) {
	server := llmtest.StartServer(llmtest.Answers(llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."))...)
	defer server.Close()
	s := startPlainChat(t, server)
	s.typeLine("one?")
	s.until("Assistant: One.")
	home := homeIn(s.cmd.Env)
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	s.typeLine("two?")
	s.until("moved or deleted while nfa was running")
	s.typeLine("/quit")
	for s.lines.Scan() {
		if strings.Contains(s.lines.Text(), "Two.") {
			t.Errorf("%q is said, and kept nowhere", s.lines.Text())
		}
	}
	_ = s.cmd.Wait()
	server.Add(llmtest.Answer(llmtest.Say("Anew.")))
	if output, err := nfaIn(t, s.cmd.Env, "ask", "three?"); err != nil || !strings.HasSuffix(output, ".\n") {
		t.Errorf("the next start says %q, %v", output, err)
	}
}

// filesOfHome returns the files that a home may contain.
func filesOfHome() []string {
	return []string{
		"config.yaml", "auth.json", "skills.json", "approvals.json", "models.json", "nfa.db", "book.db", "history", "nfa.log",
		filepath.Join("agents", "a.md"), filepath.Join("skills", "x", "SKILL.md"), filepath.Join("cache", "bars.db"),
	}
}

// TestHome_AFileThatIsEmptyOrHugeIsBounded checks files as a full disk, a power cut, a mistake or
// an attacker may leave them: empty or huge. The program must not crash or read a huge file whole.
// It continues without the file or names it in an error.
func TestHome_AFileThatIsEmptyOrHugeIsBounded(t *testing.T) {
	const mostMB = 600 // far from the 1 GB of the file, and enough for a program with the race detector
	for _, name := range filesOfHome() {
		for size, bytes := range map[string]int64{"empty": 0, "of 1 GB": 1 << 30} {
			t.Run(name+" "+size, func(t *testing.T) {
				t.Parallel()
				home := filepath.Join(t.TempDir(), "home")
				path := filepath.Join(home, name)
				file := createFile(t, path)
				if err := file.Truncate(bytes); err != nil { // the file is sparse and uses no disk space
					t.Skip(err)
				}
				_ = file.Close()
				cmd := exec.Command("nfa", "ask", "price of AAPL")
				cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "NFA_HOME="+home, "NFA_KEY_STORE=file", "NFA_BASE_URL=", "NFA_API_KEY=", "GORACE=atexit_sleep_ms=0")
				out, err := cmd.CombinedOutput()
				code := cmd.ProcessState.ExitCode()
				if code != exitOK && (code != exitUsage || !strings.Contains(string(out), path)) || strings.Contains(string(out), "goroutine ") {
					t.Errorf("nfa ask = %v, %.500s; want an answer, or exit 2 and the file named", err, out)
				}
				if used := mostMemory(cmd); used > mostMB<<20 {
					t.Errorf("nfa ask takes %d MB, want at most %d", used>>20, mostMB)
				}
			})
		}
	}
}

func createFile(t *testing.T, path string) *os.File {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// mostMemory returns the peak memory of a program in bytes.
func mostMemory(cmd *exec.Cmd) int64 {
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	most := int64(usage.Maxrss)
	if runtime.GOOS != "darwin" {
		most <<= 10
	}
	return most
}

// TestHome_RandomBytesInItsDatabasesAreSaid writes random bytes into the databases of a used home.
// No command crashes, the error says what to do, and the portfolio is never replaced by an empty
// one.
func TestHome_RandomBytesInItsDatabasesAreSaid(t *testing.T) {
	r := newPortfolioRun(t)
	r.mustRun("portfolio", "import", "schwab.csv", "--yes")
	r.mustRun("ask", "price of AAPL")
	want := r.mustRun("portfolio", "list")
	random := rand.New(rand.NewPCG(3, 1))
	for _, name := range []string{"book.db", "nfa.db"} {
		path := filepath.Join(r.home, name)
		original, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 4 {
			spoilt := slices.Clone(original)
			at, length := random.IntN(len(spoilt)), 1+random.IntN(2000)
			for i := at; i < min(at+length, len(spoilt)); i++ {
				spoilt[i] = byte(random.Uint32())
			}
			if err := os.WriteFile(path, spoilt, 0o600); err != nil {
				t.Fatal(err)
			}
			what := []any{name, round, at, length}
			code, out, errOut := r.run("portfolio", "list")
			if code == exitOK && out != want && name == "nfa.db" || code == exitNoData || code > exitFailure {
				t.Errorf("%v: portfolio list = %d, %.300s, %.300s", what, code, out, errOut)
			}
			if code != exitOK && !strings.Contains(errOut, "book") {
				t.Errorf("%v: portfolio list says %.300s, want the file named", what, errOut)
			}
			r.askUntilRecovered(what)
			for _, end := range []string{"-wal", "-shm", ".suspect"} {
				_ = os.Remove(path + end)
			}
		}
		if err := os.WriteFile(path, original, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.mustRun("portfolio", "list"); got != want {
		t.Errorf("portfolio list = %s\nwant as before\n%s", got, want)
	}
}

// askUntilRecovered asks a few times, because an ask may not read the damaged part at once. When it does, it
// says what the next start will do about it, and that start does it.
func (r *portfolioRun) askUntilRecovered(what []any) {
	r.t.Helper()
	reported := false
	for n := 0; n < 3 || reported && n < 4; n++ {
		code, out, errOut := r.run("ask", "price of AAPL")
		if code == exitOK && strings.Contains(out, "137.44") {
			reported = false
			continue
		}
		if code != exitFailure || reported || !strings.Contains(errOut, "restart nfa to set it aside") {
			r.t.Errorf("%v: ask = %d, %.300s, %.500s; want an answer, or once what to do", what, code, out, errOut)
		}
		reported = true
	}
	if reported {
		r.t.Errorf("%v: the damage is still there at the start after it was said", what)
	}
}

// TestOutput_ThatCannotBeWrittenIsAFailure writes to /dev/full, a device with no free space. The
// program must fail, because otherwise a script takes half a list for a whole one.
func TestOutput_ThatCannotBeWrittenIsAFailure(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no device that is always full: %v", err)
	}
	defer full.Close()
	r := newPortfolioRun(t)
	r.mustRun("portfolio", "import", "schwab.csv", "--yes")
	for _, line := range []string{
		"ask --output text price", "ask --output json price", "ask --output stream-json price", "version", "doctor", "doctor --json",
		"config show", "config show --json", "config path", "skills list", "skills list --json", "skills show get-price",
		"sessions list", "sessions list --json", "tools list", "tools list --json", "tools show quote",
		"quote AAPL", "quote AAPL --json", "history AAPL 1y", "chart AAPL 1y", "portfolio", "portfolio list", "portfolio lots", "portfolio export",
		"portfolio export --format ledger", "portfolio settings", "profile", "agents list", "models list", "config permissions list", "auth list", "completion bash", "--plain",
	} {
		code, errOut := r.runInto(full, strings.Fields(line)...)
		if code != exitFailure || !strings.Contains(errOut, "no space left on device") {
			t.Errorf("nfa %s on a full disk = %d, %s; want 1 and why", line, code, errOut)
		}
	}
}

// runInto runs the program with standard output redirected to a file.
func (r *portfolioRun) runInto(out *os.File, args ...string) (code int, errOut string) {
	r.t.Helper()
	env := map[string]string{"NFA_HOME": r.home, "NFA_KEY_STORE": "file", "NFA_DATA": "sample"}
	var e strings.Builder
	code = run(args, terminal{in: r.in, out: out, err: &e, env: func(key string) string { return env[key] }})
	return code, e.String()
}
