package sandbox_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/python/sandbox"
)

// exits is a module whose _start calls WASI's proc_exit(7).
const exits = "\x00asm\x01\x00\x00\x00" +
	"\x01\x08\x02\x60\x01\x7f\x00\x60\x00\x00" +
	"\x02\x24\x01\x16wasi_snapshot_preview1\x09proc_exit\x00\x00" +
	"\x03\x02\x01\x01" +
	"\x07\x0a\x01\x06_start\x00\x01" +
	"\x0a\x08\x01\x06\x00\x41\x07\x10\x00\x0b"

// traps is a module whose _start is unreachable.
const traps = "\x00asm\x01\x00\x00\x00" +
	"\x01\x04\x01\x60\x00\x00" +
	"\x03\x02\x01\x00" +
	"\x07\x0a\x01\x06_start\x00\x00" +
	"\x0a\x05\x01\x03\x00\x00\x0b"

// requestFor stores a module and asks for a run of it.
func requestFor(t *testing.T, module string) sandbox.Request {
	t.Helper()
	dir := t.TempDir()
	r := sandbox.Request{
		Wasm: filepath.Join(dir, "x.wasm"), SHA256: hashOf(module),
		Compiled: filepath.Join(dir, "compiled"), Report: filepath.Join(dir, "report.json"),
		Args: []string{"-V"}, Memory: 1 << 20,
	}
	if err := os.WriteFile(r.Wasm, []byte(module), 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

// serve runs a request in this process and returns what the child would leave.
func serve(t *testing.T, r sandbox.Request) (sandbox.Report, string) {
	t.Helper()
	var in, out, errOut bytes.Buffer
	if err := r.Write(&in); err != nil {
		t.Fatal(err)
	}
	if code := sandbox.Main(&in, &out, &errOut); code != 0 {
		t.Fatalf("Main = %d: %s", code, errOut.String())
	}
	report, err := sandbox.ReadReport(r.Report)
	if err != nil {
		t.Fatal(err)
	}
	return report, out.String()
}

func TestMain_ReportsHowTheScriptEnded(t *testing.T) {
	report, out := serve(t, requestFor(t, exits))
	if diff := cmp.Diff(sandbox.Report{Exit: 7}, report); diff != "" || out != "\x06" {
		t.Errorf("output %q, report (-want +got):\n%s", out, diff)
	}
	report, _ = serve(t, requestFor(t, traps))
	if report.Exit == 0 || !strings.Contains(report.Trap, "unreachable") {
		t.Errorf("report of a trap = %+v", report)
	}
}

func TestMain_WithoutArgumentsCompilesAndEnds(t *testing.T) {
	r := requestFor(t, exits)
	r.Args = nil
	if report, out := serve(t, r); report != (sandbox.Report{}) || out != "" {
		t.Errorf("report %+v, output %q, want neither", report, out)
	}
	if compiled(t, r) == "" {
		t.Error("nothing was compiled")
	}
}

func compiled(t *testing.T, r sandbox.Request) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.Compiled, "*", "*"))
	if err != nil || len(files) != 1 {
		return ""
	}
	return files[0]
}

func TestMain_ADamagedCompiledFormIsMadeAnew(t *testing.T) {
	r := requestFor(t, exits)
	serve(t, r)
	file := compiled(t, r)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range [][]byte{{}, text[:len(text)/2], []byte("garbage"), append(bytes.Clone(text[:len(text)-10]), "0123456789"...)} {
		if err := os.WriteFile(file, damage, 0o600); err != nil {
			t.Fatal(err)
		}
		if report, _ := serve(t, r); report.Exit != 7 {
			t.Errorf("report after the compiled form became %d bytes = %+v, want exit 7", len(damage), report)
		}
	}
}

func TestMain_AFileThatIsNotThePinnedOneDoesNotRun(t *testing.T) {
	r := requestFor(t, exits)
	if err := os.WriteFile(r.Wasm, []byte(traps), 0o600); err != nil {
		t.Fatal(err)
	}
	if report, out := serve(t, r); !report.Damaged || report.Problem == "" || out != "" {
		t.Errorf("report %+v, output %q, want it named damaged and nothing run", report, out)
	}
}

func TestMain_ProblemsAreReported(t *testing.T) {
	for name, change := range map[string]func(*sandbox.Request){
		"no file":        func(r *sandbox.Request) { r.Wasm += "x" },
		"no such folder": func(r *sandbox.Request) { r.Mounts = map[string]string{"/skill": r.Wasm + "/none"} },
		"not WebAssembly": func(r *sandbox.Request) {
			r.SHA256 = hashOf("text")
			_ = os.WriteFile(r.Wasm, []byte("text"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := requestFor(t, exits)
			change(&r)
			if report, out := serve(t, r); report.Problem == "" || report.Damaged || out != "" {
				t.Errorf("report %+v, output %q, want a problem and nothing run", report, out)
			}
		})
	}
}

func TestMain_ARequestThatIsNoneIsRefused(t *testing.T) {
	for name, in := range map[string]string{
		"nothing": "", "no newline": "{}", "not JSON": "hello\n", "endless": strings.Repeat("x", 3<<20) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			var out, errOut bytes.Buffer
			if code := sandbox.Main(strings.NewReader(in), &out, &errOut); code == 0 || errOut.Len() == 0 {
				t.Errorf("Main = %d, %q, want a code and a reason", code, errOut.String())
			}
		})
	}
}

func FuzzMain_Requests(f *testing.F) {
	for _, seed := range []string{"{}\n", `{"args":["x"]}` + "\n", "{\"memory\":-1}\nrest", "\n", "nul\x00\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		line, _, _ := bytes.Cut(in, []byte("\n"))
		var r sandbox.Request
		if json.Unmarshal(line, &r) == nil && r.Report != "" {
			t.Skip("a request that would be served, and may name any file")
		}
		var out, errOut bytes.Buffer
		if sandbox.Main(bytes.NewReader(in), &out, &errOut) == 0 || out.Len() > 0 {
			t.Errorf("Main(%q) wrote %q, want a refusal", in, out.String())
		}
	})
}
