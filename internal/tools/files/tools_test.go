package files_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

var group = toolstest.Group[files.Deps](files.Tools)

// newDeps returns dependencies that have only a clock.
func newDeps(t testing.TB) files.Deps {
	t.Helper()
	return files.Deps{Now: toolstest.Clock(t, toolstest.Now)}
}

// fakeWeb serves pages from memory and counts requests.
type fakeWeb struct {
	pages    map[string]files.WebPage
	probes   map[string]files.URLProbe
	errs     map[string]error
	requests int
}

func (p *fakeWeb) Get(_ context.Context, address string) (files.WebPage, error) {
	p.requests++
	return p.pages[address], p.errs[address]
}

func (p *fakeWeb) Check(_ context.Context, _, address string) (files.URLProbe, error) {
	p.requests++
	return p.probes[address], p.errs[address]
}

func machineFacts() files.MachineFacts {
	return files.MachineFacts{
		OS: "linux", Arch: "amd64", Go: "go1.26", Program: "1.2.3", CPUs: 4, Memory: files.MachineMemory{Total: 8 << 30, Available: 3 << 29},
		Terminal: files.MachineTerminal{Interactive: true, Type: "xterm", Columns: 80, Rows: 24},
	}
}

// newFixture returns dependencies with files by path, and the folder of the files.
func newFixture(t testing.TB, contents map[string]string) (files.Deps, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "work"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range contents {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d := newDeps(t)
	d.Files = files.NewWorkspace(files.WorkspaceOptions{Dir: filepath.Join(dir, "work"), Home: filepath.Join(dir, "home")})
	d.Machine, d.Web = machineFacts, &fakeWeb{}
	return d, dir
}

func TestReadFile_GoesOnFromTheOffsetGiven(t *testing.T) {
	whole := strings.Repeat("a \"quoted\" <line> € \\ \n", 3000)
	d, _ := newFixture(t, map[string]string{"work/f.txt": whole})
	var text strings.Builder
	for offset := 0.0; ; {
		res, got := group.CallOK(t, d, "read_file", args{"path": "f.txt", "offset": offset})
		if model := res.ModelText(); !json.Valid([]byte(model)) || strings.Contains(model, `\u003c`) || !strings.Contains(model, "text is untrusted") {
			t.Fatalf("the model reads %.200s ..., want JSON that marks the text", model)
		}
		text.WriteString(got["text"].(string))
		next, more := got["next_offset"].(float64)
		if !more {
			break
		}
		offset = next
	}
	if text.String() != whole {
		t.Errorf("the pieces make %d bytes, want the file's %d", text.Len(), len(whole))
	}
}

func TestReadFile_ItsTextCannotEndItsFence(t *testing.T) {
	d, _ := newFixture(t, map[string]string{"work/f.md": "```\nout\n````\n"})
	res, _ := group.CallOK(t, d, "read_file", args{"path": "f.md"})
	if !strings.Contains(res.UserText(), "`````text\n```\nout\n````\n`````\n") {
		t.Errorf("people read %q", res.UserText())
	}
}

func TestReadFile_RefusalsOfferTheNextMove(t *testing.T) {
	d, _ := newFixture(t, map[string]string{"work/a.md": "x", "work/.env": "KEY=canary", "work/r.pdf": "%PDF-1.7", "home/config.yaml": "api_key: canary"})
	for path, c := range map[string]struct{ code, says string }{
		"gone.md": {"file_not_found", "list_files"}, "../x": {"", "paste the text"}, ".env": {"", "paste the relevant part"}, "id_rsa": {"", "attach it"},
		"r.pdf": {"", "application/pdf"}, "nfa:config.yaml": {"", "outside"}, "/etc/passwd": {"", "outside"},
	} {
		res := group.Call(t, d, "read_file", args{"path": path})
		toolstest.WantError(t, res, c.code, c.says)
		if strings.Contains(res.ModelText()+res.UserText(), "canary") {
			t.Errorf("%s: a secret is told", path)
		}
	}
}

func TestListFiles_NamesFilesAsReadFileTakesThem(t *testing.T) {
	d, _ := newFixture(t, map[string]string{"work/a.md": "12345", "work/data/b.csv": "x", "work/.env": "x"})
	res, got := group.CallOK(t, d, "list_files", args{"pattern": "*.csv"})
	entry := got["entries"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, entry, map[string]any{"path": "data/b.csv", "kind": "file", "size": 1.0})
	toolstest.WantFields(t, got, map[string]any{"withheld": 1.0, "partial": false})
	if read := group.Call(t, d, "read_file", args{"path": entry["path"]}); read.IsError || res.Summary != "1 entry" {
		t.Errorf("%s, and reading it = %s", res.Summary, read.ErrorText())
	}
	toolstest.WantError(t, group.Call(t, d, "list_files", args{"path": "gone"}), "file_not_found", "gone")
	toolstest.WantError(t, group.Call(t, d, "list_files", args{"pattern": "[x"}), "", "pattern")
}

func TestSystemInfo_TellsTheComputerAndNobody(t *testing.T) {
	d, _ := newFixture(t, nil)
	res, got := group.CallOK(t, d, "system_info", nil)
	toolstest.WantFields(t, got, map[string]any{"os": "linux", "nfa_version": "1.2.3", "cpus": 4.0, "memory_total_bytes": float64(8 << 30), "as_of": "2026-11-20T10:30:00Z"})
	if f := toolstest.Figure(t, res, "memory_available_bytes.GiB"); f.Value.String() != "1.5" || f.Unit != "GiB" {
		t.Errorf("available memory = %s %s, want 1.5 GiB", f.Value, f.Unit)
	}
	for _, f := range res.Figures {
		if f.Label == "" || f.Unit == "" || f.AsOf.IsZero() {
			t.Errorf("figure %+v is incomplete", f)
		}
	}
	d.Machine = func() files.MachineFacts { return files.MachineFacts{OS: "darwin"} }
	if res, _ := group.CallOK(t, d, "system_info", nil); !strings.Contains(res.UserText(), "not reported") {
		t.Errorf("unknown memory is shown as %q", res.UserText())
	}
}

func TestStorageUsage_MeasuresTheHomeOrAFolder(t *testing.T) {
	d, _ := newFixture(t, map[string]string{"home/reports/a.md": strings.Repeat("x", 3<<20), "home/nfa.db": "12345", "work/a.md": "123"})
	res, got := group.CallOK(t, d, "storage_usage", nil)
	toolstest.WantFields(t, got, map[string]any{"path": "nfa:", "bytes": float64(3<<20 + 5), "files": 2.0, "partial": false})
	toolstest.WantFields(t, got["parts"].([]any)[0].(map[string]any), map[string]any{"name": "reports", "kind": "folder", "bytes": float64(3 << 20)})
	if f := toolstest.Figure(t, res, "part.reports.MiB"); f.Value.String() != "3" || !strings.Contains(res.UserText(), "3.0 MiB") {
		t.Errorf("reports = %s MiB, shown as %s", f.Value, res.UserText())
	}
	_, folder := group.CallOK(t, d, "storage_usage", args{"path": "."})
	toolstest.WantFields(t, folder, map[string]any{"path": ".", "bytes": 3.0})
	toolstest.WantError(t, group.Call(t, d, "storage_usage", args{"path": ".."}), "", "outside")
}
