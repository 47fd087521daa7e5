package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/report"
)

// runnerInFolder runs the program in an empty folder with sample data and a model that plays these turns.
func runnerInFolder(t *testing.T, turns ...llmtest.Turn) func(args ...string) (code int, stdout, stderr string) {
	t.Helper()
	server := llmtest.StartServer(llmtest.Answers(turns...)...)
	t.Cleanup(server.Close)
	home := t.TempDir()
	t.Setenv("HOME", filepath.Join(home, "user"))
	t.Chdir(t.TempDir())
	env := map[string]string{
		"NFA_HOME": filepath.Join(home, "nfa"), "NFA_BASE_URL": server.URL, "NFA_API_KEY": "sk-canary-1234567890", "NFA_MODEL": "m",
		"NFA_KEY_STORE": "file", "NFA_DATA": "sample",
	}
	withStoredPrices(t, env["NFA_HOME"])
	return func(args ...string) (int, string, string) {
		var out, errOut bytes.Buffer
		nothing, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer nothing.Close()
		code := run(args, terminal{in: nothing, out: &out, err: &errOut, env: func(key string) string { return env[key] }})
		return code, out.String(), errOut.String()
	}
}

func toolCallOf(id, name string, in map[string]any) llm.ToolCall {
	b, err := json.Marshal(in)
	if err != nil {
		panic(err) // such maps always encode
	}
	return llm.ToolCall{ID: id, Name: name, Arguments: string(b)}
}

// runReport runs a conversation that calls two tools and writes a report with this content.
func runReport(t *testing.T, path, content string) func(args ...string) (int, string, string) {
	t.Helper()
	nfa := runnerInFolder(t,
		llmtest.Call(toolCallOf("c1", "quote", map[string]any{"symbols": []string{"MSFT"}}), toolCallOf("c2", "calculate", map[string]any{"expression": "0.1 + 0.25"})),
		llmtest.Call(toolCallOf("c3", "write_report", map[string]any{"path": path, "content": content})),
		llmtest.Say("Written."))
	if code, out, errOut := nfa("ask", "--yes", "write it down"); code != exitOK {
		t.Fatalf("ask = %d\n%s\n%s", code, out, errOut)
	}
	return nfa
}

func TestVerify_AReportOfAConversationHoldsAndIsRecomputed(t *testing.T) {
	for _, path := range []string{"r.md", "r.html"} {
		t.Run(path, func(t *testing.T) {
			nfa := runReport(t, path, "# Sum\n\nThe result is 0.35.\n")
			code, out, errOut := nfa("verify", path)
			for _, part := range []string{path + ": 1 of 1 figures traced", "not changed since", `calculate {"expression":"0.1 + 0.25"}: recomputed, 1 of 1 figures unchanged`, "traced and unchanged"} {
				if code != exitOK || !strings.Contains(out, part) {
					t.Errorf("verify = %d, want 0 and %q in\n%s%s", code, part, out, errOut)
				}
			}
		})
	}
}

func TestVerify_SourcesAreAskedAgainOnlyOnRequest(t *testing.T) {
	nfa := runReport(t, "r.md", "MSFT has a price of 256.48 USD.")
	report, err := os.ReadFile("r.md")
	if err != nil || !strings.Contains(string(report), "256.48 USD[^1]") {
		t.Fatalf("the report, %v:\n%s", err, report)
	}
	if code, out, _ := nfa("verify", "r.md"); code != exitOK || !strings.Contains(out, "1 figure not checked again (quote)") {
		t.Errorf("verify = %d\n%s", code, out)
	}
	if code, out, _ := nfa("verify", "r.md.provenance.json", "--live"); code != exitOK || !strings.Contains(out, "fetched again, 1 of 1 figures unchanged") {
		t.Errorf("verify --live = %d\n%s", code, out)
	}
}

// replaceInFile changes the record of a report.
func replaceInFile(t *testing.T, path, old, new string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(old)) {
		t.Fatalf("%s has no %q:\n%s", path, old, b)
	}
	if err := os.WriteFile(path, bytes.Replace(b, []byte(old), []byte(new), 1), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestVerify_ARecordThatWasMadeToFitIsFoundOutByCallingAgain(t *testing.T) {
	nfa := runReport(t, "r.md", "The result is 0.35.")
	replaceInFile(t, "r.md.provenance.json", `\"0.1 + 0.25`, `\"0.1 + 0.26`)
	code, out, _ := nfa("verify", "r.md")
	if code != exitFailure || !strings.Contains(out, "note 1: result was 0.35, is 0.36 now") {
		t.Errorf("verify = %d, want 1 and the other result\n%s", code, out)
	}
}

// TestVerify_ARecordMakesNoCallThatWritesOrGoesOut verifies records that a stranger wrote.
func TestVerify_ARecordMakesNoCallThatWritesOrGoesOut(t *testing.T) {
	for name, call := range map[string]llm.ToolCall{
		"writes":        toolCallOf("c2", "write_report", map[string]any{"path": "stolen.md", "content": "x"}),
		"asks the web":  toolCallOf("c2", "web_fetch", map[string]any{"url": "http://127.0.0.1/?d=1"}),
		"runs a skill":  toolCallOf("c2", "skill_steps", map[string]any{}),
		"is none":       toolCallOf("c2", "no_such_tool", map[string]any{}),
		"has a control": toolCallOf("c2", "calculate\x1b]0;title\x07", map[string]any{}),
	} {
		t.Run(name, func(t *testing.T) {
			nfa := runReport(t, "r.md", "The result is 0.35.")
			b, err := os.ReadFile("r.md.provenance.json")
			if err != nil {
				t.Fatal(err)
			}
			p, err := report.Parse(b)
			if err != nil {
				t.Fatal(err)
			}
			p.Figures[0].Call = report.Call{Name: call.Name, Arguments: call.Arguments}
			if b, err = p.Encode(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("r.md.provenance.json", b, 0o600); err != nil {
				t.Fatal(err)
			}
			_, out, errOut := nfa("verify", "--live", "r.md")
			if _, err := os.Stat("stolen.md"); err == nil {
				t.Error("a record had a file written")
			}
			if strings.Contains(out, "not a public internet address") || strings.ContainsAny(out+errOut, "\x1b\x07") {
				t.Errorf("verify --live went out, or prints controls:\n%q", out+errOut)
			}
			if name == "asks the web" && !strings.Contains(out, "refused") {
				t.Errorf("verify --live says\n%s", out)
			}
		})
	}
}

func TestVerify_FilesThatAreNoneAreRefused(t *testing.T) {
	nfa := runReport(t, "r.md", "The result is 0.35.")
	for name, c := range map[string]struct {
		record string
		code   int
		says   string
	}{
		"not JSON":        {"{", exitFailure, "not a provenance record"},
		"of another form": {`{"version":9}`, exitFailure, "newer version"},
		"too large":       {strings.Repeat(" ", report.MaxProvenance+1), exitFailure, "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile("r.md.provenance.json", []byte(c.record), 0o600); err != nil {
				t.Fatal(err)
			}
			if code, out, errOut := nfa("verify", "r.md"); code != c.code || !strings.Contains(errOut, c.says) {
				t.Errorf("verify = %d, %q, %q; want %d and %q", code, out, errOut, c.code, c.says)
			}
		})
	}
	if err := os.Mkdir("folder.md", 0o700); err != nil {
		t.Fatal(err)
	}
	if code, _, errOut := nfa("verify", "folder.md"); code != exitUsage || !strings.Contains(errOut, "not a regular file") {
		t.Errorf("verify of a folder = %d, %q", code, errOut)
	}
}
