package python_test

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/python"
)

func TestSandbox_WhatItLacksIsRefusedBeforeTheRun(t *testing.T) {
	t.Parallel()
	r := sandboxRunner(t, python.Limits{})
	dir := newSkillFolder(t, map[string]string{
		"x.py": "import json\nimport numpy as np, pandas\nfrom socket import socket\nimport helper\n" +
			"try:\n    import scipy\nexcept ImportError:\n    scipy = None\n# import requests\ntext = 'import flask'\n",
		"helper.py": "import subprocess\n",
	})
	_, err := r.Run(t.Context(), openScript(t, dir, "x.py"), python.Input{})
	var refused *python.ImportError
	if !errors.As(err, &refused) {
		t.Fatalf("Run = %v, want an ImportError", err)
	}
	var got []string
	for _, m := range refused.Missing {
		got = append(got, m.File+" "+m.Module)
		if m.Reason == "" || m.Line == 0 {
			t.Errorf("%+v: want a reason and a line", m)
		}
	}
	want := []string{"x.py numpy", "x.py pandas", "x.py socket", "helper.py subprocess"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	if _, err := r.Describe(t.Context(), openScript(t, dir, "x.py"), python.User); !errors.As(err, &refused) {
		t.Errorf("Describe = %v, want the same refusal", err)
	}
}

// Even if a script passes the check of its imports, the sandbox itself prevents these.
func TestSandbox_HasNoNetworkNoProcessesNoThreads(t *testing.T) {
	t.Parallel()
	r := sandboxRunner(t, python.Limits{})
	const code = `import json, os
def load(name): return __import__(name)
acts = {
    "nothing": lambda: None,
    "connect": lambda: load("socket").create_connection(("127.0.0.1", 80)),
    "listen": lambda: load("socket").create_server(("127.0.0.1", 0)),
    "fork": lambda: os.fork(),
    "subprocess": lambda: load("subprocess").run(["/bin/sh", "-c", "true"]),
    "system": lambda: os.system("true"),
    "exec": lambda: os.execv("/bin/true", ["true"]),
    "kill": lambda: os.kill(1, 9),
    "thread": lambda: load("threading").Thread(target=print).start(),
}
done = []
for name, act in acts.items():
    try: act(); done.append(name)
    except Exception: pass
print(json.dumps(done))`
	got, err := r.Run(t.Context(), newInline(t, code), python.Input{})
	if want := `["nothing"]`; err != nil || string(got.Output) != want {
		t.Errorf("what could be done = %s, %v, want %s\n%s", got.Output, err, want, got.Stderr)
	}
}

func TestSandbox_SeesNoFilesButTheSkills(t *testing.T) {
	t.Parallel()
	r := sandboxRunner(t, python.Limits{})
	outside := newSkillFolder(t, map[string]string{"secret.txt": "secret"})
	dir := newSkillFolder(t, map[string]string{"notes.txt": "notes", "folder/inner.txt": "inner"})
	for link, to := range map[string]string{
		"link.txt": filepath.Join(outside, "secret.txt"), "linked": outside, "root": "/",
		"up.txt": "../" + filepath.Base(outside) + "/secret.txt",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	escape, err := json.Marshal([]string{
		"/etc/passwd", "etc/passwd", "/skill/../../etc/passwd", "/skill/folder/../../etc/passwd", "/skill/link.txt", "/skill/linked/secret.txt",
		"/skill/root/etc/passwd", "/skill/up.txt", filepath.Join(outside, "secret.txt"), "/proc/self/environ", "/dev/zero",
		"/skill/../" + filepath.Base(outside) + "/secret.txt", "/boot/../report.json",
	})
	if err != nil {
		t.Fatal(err)
	}
	const code = `import json, os, sys
seen = []
for path in json.load(sys.stdin):
    try:
        with open(path, "rb") as f: seen.append([path, str(f.read(10))])
    except OSError: pass
for path in ("/skill/new.txt", "/skill/notes.txt", "/inputs/new.txt", "/boot/boot.py", "/new.txt"):
    try:
        with open(path, "r+" if "notes" in path or "boot" in path else "w") as f: f.write("x")
        seen.append([path, "written"])  # after the file was closed, which is when it is written
    except OSError: pass
for act in (lambda: os.remove("/skill/notes.txt"), lambda: os.mkdir("/skill/d"), lambda: os.rename("/skill/notes.txt", "/skill/n"),
            lambda: os.symlink("/etc/passwd", "/skill/s"), lambda: os.link("/skill/notes.txt", "/skill/l")):
    try: act(); seen.append("changed")
    except OSError: pass
print(json.dumps([seen, open("/skill/folder/inner.txt").read()]))`
	script, err := python.InlineScript(dir, code)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Run(t.Context(), script, python.Input{JSON: escape})
	if want := `[[], "inner"]`; err != nil || string(got.Output) != want {
		t.Errorf("Run = %s, %v, want %s\n%s", got.Output, err, want, got.Stderr)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "notes.txt")); err != nil || string(text) != "notes" {
		t.Errorf("notes.txt = %q, %v, want it untouched", text, err)
	}
}

// As documented, the system's interpreter is not a sandbox.
func TestSystem_CanReadFilesAndOpenConnections(t *testing.T) {
	r := systemRunner(t, python.Limits{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	outside := filepath.Join(newSkillFolder(t, map[string]string{"file.txt": "read"}), "file.txt")
	in, err := json.Marshal(map[string]string{"file": outside, "port": listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	code := "import json, socket, sys\nask = json.load(sys.stdin)\nhost, port = ask['port'].split(':')\n" +
		"socket.create_connection((host, int(port))).close()\nprint(json.dumps(open(ask['file']).read()))"
	got, err := r.Run(t.Context(), newInline(t, code), python.Input{JSON: in})
	if err != nil || string(got.Output) != `"read"` {
		t.Errorf("Run = %s, %v, want the file's text\n%s", got.Output, err, got.Stderr)
	}
}

func TestRun_MemoryBeyondTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	inBothRuntimes(t, python.Limits{Memory: 128 << 20}, func(t *testing.T, r *python.Runner) {
		if strings.HasSuffix(t.Name(), "system") && !limitsMemory {
			t.Skip("this system does not limit the memory of a process")
		}
		t.Parallel()
		_, err := r.Run(t.Context(), newInline(t, "x = []\nwhile True: x.append(bytearray(1 << 20))"), python.Input{})
		if !errors.Is(err, python.ErrMemory) {
			t.Errorf("Run = %v, want ErrMemory", err)
		}
	})
}
