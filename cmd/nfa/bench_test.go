package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// buildFor compiles a program as it is released, so that the benchmark measures what users run.
func buildFor(b *testing.B, dir, pkg string) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "program")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, pkg)
	build.Dir = dir
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("building %s: %v\n%s", pkg, err, out)
	}
	return binary
}

func runFor(b *testing.B, env []string, binary string, args ...string) {
	b.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// BenchmarkStart_EmptyProgram is the baseline: the start time of an empty Go program.
func BenchmarkStart_EmptyProgram(b *testing.B) {
	dir := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module empty\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	binary := buildFor(b, dir, ".")
	for b.Loop() {
		runFor(b, os.Environ(), binary)
	}
}

func BenchmarkStart_Version(b *testing.B) {
	binary := buildFor(b, ".", ".")
	env := append(os.Environ(), "HOME="+b.TempDir())
	for b.Loop() {
		runFor(b, env, binary, "version")
	}
}

// BenchmarkAsk_TrivialReply runs `nfa ask` against a local server.
func BenchmarkAsk_TrivialReply(b *testing.B) {
	binary := buildFor(b, ".", ".")
	server := llmtest.StartServer()
	defer server.Close()
	env := append(os.Environ(), "HOME="+b.TempDir(), "NFA_HOME="+b.TempDir(), "NFA_BASE_URL="+server.URL, "NFA_MODEL=m")
	for b.Loop() {
		server.Add(llmtest.Answer(llmtest.Say("Hello.")))
		runFor(b, env, binary, "ask", "hi")
	}
}
