package python_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/python"
)

// exitingModule is a module whose _start calls WASI's proc_exit(7).
const exitingModule = "\x00asm\x01\x00\x00\x00" +
	"\x01\x08\x02\x60\x01\x7f\x00\x60\x00\x00" +
	"\x02\x24\x01\x16wasi_snapshot_preview1\x09proc_exit\x00\x00" +
	"\x03\x02\x01\x01" +
	"\x07\x0a\x01\x06_start\x00\x01" +
	"\x0a\x08\x01\x06\x00\x41\x07\x10\x00\x0b"

// trappingModule is a module whose _start executes the unreachable instruction.
const trappingModule = "\x00asm\x01\x00\x00\x00" +
	"\x01\x04\x01\x60\x00\x00" +
	"\x03\x02\x01\x00" +
	"\x07\x0a\x01\x06_start\x00\x00" +
	"\x0a\x05\x01\x03\x00\x00\x0b"

// requestFor stores a module and returns a request to run it.
func requestFor(t *testing.T, module string) python.SandboxRequest {
	t.Helper()
	dir := t.TempDir()
	r := python.SandboxRequest{
		Wasm: filepath.Join(dir, "x.wasm"), SHA256: sha256Of(module),
		Compiled: filepath.Join(dir, "compiled"), Report: filepath.Join(dir, "report.json"),
		Args: []string{"-V"}, Memory: 1 << 20,
	}
	if err := os.WriteFile(r.Wasm, []byte(module), 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

// runSandbox runs a request in this process and returns what the child process would return.
func runSandbox(t *testing.T, r python.SandboxRequest) (python.SandboxReport, string) {
	t.Helper()
	var in, out, errOut bytes.Buffer
	if err := r.Write(&in); err != nil {
		t.Fatal(err)
	}
	if code := python.SandboxMain(&in, &out, &errOut); code != 0 {
		t.Fatalf("Main = %d: %s", code, errOut.String())
	}
	report, err := python.ReadSandboxReport(r.Report)
	if err != nil {
		t.Fatal(err)
	}
	return report, out.String()
}

func TestMain_ReportsHowTheScriptEnded(t *testing.T) {
	report, out := runSandbox(t, requestFor(t, exitingModule))
	if diff := cmp.Diff(python.SandboxReport{Exit: 7}, report); diff != "" || out != "\x06" {
		t.Errorf("output %q, report (-want +got):\n%s", out, diff)
	}
	report, _ = runSandbox(t, requestFor(t, trappingModule))
	if report.Exit == 0 || !strings.Contains(report.Trap, "unreachable") {
		t.Errorf("report of a trap = %+v", report)
	}
}

func TestMain_WithoutArgumentsCompilesAndEnds(t *testing.T) {
	r := requestFor(t, exitingModule)
	r.Args = nil
	if report, out := runSandbox(t, r); report != (python.SandboxReport{}) || out != "" {
		t.Errorf("report %+v, output %q, want neither", report, out)
	}
	if compileModule(t, r) == "" {
		t.Error("nothing was compiled")
	}
}

func compileModule(t *testing.T, r python.SandboxRequest) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.Compiled, "*", "*"))
	if err != nil || len(files) != 1 {
		return ""
	}
	return files[0]
}

func TestMain_ADamagedCompiledFormIsMadeAnew(t *testing.T) {
	r := requestFor(t, exitingModule)
	runSandbox(t, r)
	file := compileModule(t, r)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range [][]byte{{}, text[:len(text)/2], []byte("garbage"), append(bytes.Clone(text[:len(text)-10]), "0123456789"...)} {
		if err := os.WriteFile(file, damage, 0o600); err != nil {
			t.Fatal(err)
		}
		if report, _ := runSandbox(t, r); report.Exit != 7 {
			t.Errorf("report after the compiled form became %d bytes = %+v, want exit 7", len(damage), report)
		}
	}
}

func TestMain_AFileThatIsNotThePinnedOneDoesNotRun(t *testing.T) {
	r := requestFor(t, exitingModule)
	if err := os.WriteFile(r.Wasm, []byte(trappingModule), 0o600); err != nil {
		t.Fatal(err)
	}
	if report, out := runSandbox(t, r); !report.Damaged || report.Problem == "" || out != "" {
		t.Errorf("report %+v, output %q, want it named damaged and nothing run", report, out)
	}
}

func TestMain_ProblemsAreReported(t *testing.T) {
	for name, change := range map[string]func(*python.SandboxRequest){
		"no file":        func(r *python.SandboxRequest) { r.Wasm += "x" },
		"no such folder": func(r *python.SandboxRequest) { r.Mounts = map[string]string{"/skill": r.Wasm + "/none"} },
		"not WebAssembly": func(r *python.SandboxRequest) {
			r.SHA256 = sha256Of("text")
			_ = os.WriteFile(r.Wasm, []byte("text"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := requestFor(t, exitingModule)
			change(&r)
			if report, out := runSandbox(t, r); report.Problem == "" || report.Damaged || out != "" {
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
			if code := python.SandboxMain(strings.NewReader(in), &out, &errOut); code == 0 || errOut.Len() == 0 {
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
		var r python.SandboxRequest
		if json.Unmarshal(line, &r) == nil && r.Report != "" {
			t.Skip("a request that would be served, and may name any file")
		}
		var out, errOut bytes.Buffer
		if python.SandboxMain(bytes.NewReader(in), &out, &errOut) == 0 || out.Len() > 0 {
			t.Errorf("Main(%q) wrote %q, want a refusal", in, out.String())
		}
	})
}
