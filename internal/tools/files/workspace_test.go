package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

// newFolders returns a working directory and a data folder next to it, with files by path.
func newFolders(t testing.TB, files map[string]string) (dir, home string) {
	t.Helper()
	base := t.TempDir()
	dir, home = filepath.Join(base, "work"), filepath.Join(base, "home")
	for _, d := range []string{dir, home} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		putFile(t, filepath.Join(base, filepath.FromSlash(name)), text)
	}
	return dir, home
}

func putFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func openWorkspace(dir, home string) *files.Workspace {
	return files.NewWorkspace(files.WorkspaceOptions{Dir: dir, Home: home})
}

func makeLink(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
}

var sampleFiles = map[string]string{
	"work/a.md": "hello", "work/sub/b.csv": "x,y\n1,2\n", "work/.env": "KEY=1", "work/.ssh/config": "x", "work/id_rsa": "x",
	"work/server.pem": "x", "work/Secrets.yaml": "x", "work/sub/credentials.json": "x", "outside.txt": "not for you",
	"home/config.yaml": "api_key: sk-canary", "home/nfa.db": "x", "home/nfa.log": "x", "home/skills/mine/SKILL.md": "mine",
	"home/reports/r.md": "report", "home/skills.json": "{}",
}

func TestRead_PathsThatLeadToWhatMayBeRead(t *testing.T) {
	dir, home := newFolders(t, sampleFiles)
	for path, want := range map[string]string{
		"a.md": "a.md", "./a.md": "a.md", "sub/../a.md": "a.md", "sub/b.csv": "sub/b.csv", filepath.Join(dir, "a.md"): "a.md",
		"nfa:reports/r.md": "nfa:reports/r.md", "nfa:skills/mine/SKILL.md": "nfa:skills/mine/SKILL.md",
		filepath.Join(home, "reports", "r.md"): "nfa:reports/r.md",
	} {
		if got, err := openWorkspace(dir, home).Read(path, 0, 0); err != nil || got.Path != want || got.Text == "" {
			t.Errorf("Read(%q) = %+v, %v; want %s", path, got, err, want)
		}
	}
}

func TestRead_NothingElseIsOpened(t *testing.T) {
	dir, home := newFolders(t, sampleFiles)
	for path, want := range map[string]error{
		"../outside.txt": files.ErrOutsideWorkspace, "sub/../../outside.txt": files.ErrOutsideWorkspace,
		filepath.Join(filepath.Dir(dir), "outside.txt"): files.ErrOutsideWorkspace,
		"/etc/passwd": files.ErrOutsideWorkspace, "..": files.ErrOutsideWorkspace,
		".env": files.ErrHiddenFile, ".ssh/config": files.ErrHiddenFile, "sub/../.env": files.ErrHiddenFile,
		"id_rsa": files.ErrSecretFile, "server.pem": files.ErrSecretFile, "Secrets.yaml": files.ErrSecretFile,
		"sub/credentials.json": files.ErrSecretFile,
		"nfa:config.yaml":      files.ErrOutsideWorkspace, "nfa:nfa.db": files.ErrOutsideWorkspace, "nfa:reports/../config.yaml": files.ErrOutsideWorkspace,
		"nfa:../outside.txt": files.ErrOutsideWorkspace, filepath.Join(home, "config.yaml"): files.ErrOutsideWorkspace,
		"nfa:skills.json": files.ErrOutsideWorkspace,
		"nothing.md":      fs.ErrNotExist, "sub": files.ErrNotFile, "": files.ErrNotFile, "a.md/x": files.ErrNotFolder,
	} {
		got, err := openWorkspace(dir, home).Read(path, 0, 0)
		if !errors.Is(err, want) || got.Text != "" {
			t.Errorf("Read(%q) = %+v, %v; want %v", path, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), filepath.Dir(dir)) && !filepath.IsAbs(path) {
			t.Errorf("Read(%q) = %v, which tells where the user's folders are", path, err)
		}
	}
	for _, path := range []string{"a.md\x00", "a\n.md", "a\x1b[2J.md"} {
		if _, err := openWorkspace(dir, home).Read(path, 0, 0); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("Read(%q) = %v, want it refused and quoted", path, err)
		}
	}
}

func TestRead_NamesOfSecretFilesAreRefused(t *testing.T) {
	for name, secret := range map[string]bool{
		"aws_credentials": true, "auth.json": true, "AUTH.JSON": true, "mnemonic.txt": true, "my-mnemonic.md": true, "seed.txt": true, "old_seed_words.md": true,
		"netrc": true, "_netrc": true, "id_ed25519": true, "id_rsa.pub": true, "key.pem": true, "vault.kdbx": true, "wallet": true, "wallet.dat": true, "wallet-backup.json": true,
		"author.md": false, "idea.md": false, "authors.json": false, "my-id_card.md": false,
	} {
		dir, home := newFolders(t, map[string]string{"work/" + name: "text"})
		got, err := openWorkspace(dir, home).Read(name, 0, 0)
		if secret != errors.Is(err, files.ErrSecretFile) || secret != (got.Text == "") {
			t.Errorf("Read(%q) = %q, %v; want it refused: %v", name, got.Text, err, secret)
		}
		if listed := slices.Contains(openWorkspace(dir, home).Paths(t.Context()), name); listed == secret {
			t.Errorf("Paths lists %s: %v", name, listed)
		}
	}
	dir, home := newFolders(t, map[string]string{"work/.netrc": "text"})
	if _, err := openWorkspace(dir, home).Read(".netrc", 0, 0); !errors.Is(err, files.ErrHiddenFile) {
		t.Errorf("Read(.netrc) = %v, want ErrHiddenFile", err)
	}
}

func TestRead_LinksAreNotFollowedWhereverTheyLead(t *testing.T) {
	dir, home := newFolders(t, sampleFiles)
	for name, target := range map[string]string{
		"out.txt": filepath.Join("..", "outside.txt"), "abs.txt": filepath.Join(filepath.Dir(dir), "outside.txt"),
		"in.txt": "a.md", "hidden.txt": ".env", "folder": ".ssh", "up": "..", "gone.txt": "nothing",
	} {
		makeLink(t, target, filepath.Join(dir, name))
	}
	for _, path := range []string{"out.txt", "abs.txt", "in.txt", "hidden.txt", "folder/config", "up/outside.txt", "gone.txt"} {
		if got, err := openWorkspace(dir, home).Read(path, 0, 0); !errors.Is(err, files.ErrSymlink) {
			t.Errorf("Read(%q) = %q, %v; want ErrLink", path, got.Text, err)
		}
	}
}

// The rules of the data folder apply however it is reached.
func TestRead_TheHomeIsGuardedAlsoWithinTheWorkingDirectory(t *testing.T) {
	dir, _ := newFolders(t, map[string]string{"work/data/config.yaml": "key", "work/data/reports/r.md": "report"})
	home := filepath.Join(dir, "data")
	for name, w := range map[string]*files.Workspace{
		"from above": openWorkspace(dir, home), "from inside": openWorkspace(home, home), "through another name": openWorkspace(dir, linkTo(t, home)),
	} {
		for _, path := range []string{"data/config.yaml", "config.yaml", filepath.Join(home, "config.yaml"), "nfa:config.yaml"} {
			if got, err := w.Read(path, 0, 0); err == nil {
				t.Errorf("%s: Read(%q) = %q, want the settings refused", name, path, got.Text)
			}
		}
		if got, err := w.Read("nfa:reports/r.md", 0, 0); err != nil || got.Text != "report" {
			t.Errorf("%s: the report = %q, %v", name, got.Text, err)
		}
	}
	if got, err := openWorkspace(dir, home).Read("data/reports/r.md", 0, 0); err != nil || got.Path != "nfa:reports/r.md" {
		t.Errorf("from above the report is %+v, %v", got, err)
	}
	listed, err := openWorkspace(dir, home).List(t.Context(), "", "*.yaml")
	if err != nil || len(listed.Entries) != 0 || listed.Withheld == 0 {
		t.Errorf("the listing is %+v, %v; want the settings withheld", listed, err)
	}
}

// linkTo creates another name of a folder.
func linkTo(t testing.TB, dir string) string {
	name := filepath.Join(t.TempDir(), "link")
	makeLink(t, dir, name)
	return name
}

func TestNew_TouchesNothingAndAMissingFolderIsToldLater(t *testing.T) {
	base := t.TempDir()
	w := openWorkspace(filepath.Join(base, "gone"), filepath.Join(base, "home"))
	if _, err := w.Read("a.md", 0, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read in a missing folder = %v, want fs.ErrNotExist", err)
	}
	if left, err := os.ReadDir(base); err != nil || len(left) != 0 {
		t.Errorf("%v, %v in the folder; want nothing made", left, err)
	}
}

func FuzzRead_NoPathLeadsOut(f *testing.F) {
	dir, home := newFolders(f, sampleFiles)
	for path := range sampleFiles {
		f.Add(strings.TrimPrefix(strings.TrimPrefix(path, "work/"), "home/"))
	}
	for _, path := range []string{"../outside.txt", "nfa:../outside.txt", "nfa:/config.yaml", `sub\..\..\outside.txt`, "a.md/../.env", "nfa:nfa:config.yaml"} {
		f.Add(path)
	}
	w := openWorkspace(dir, home)
	readable := map[string]bool{"hello": true, "x,y\n1,2\n": true, "mine": true, "report": true}
	f.Fuzz(func(t *testing.T, path string) {
		if got, err := w.Read(path, 0, 0); err == nil && !readable[got.Text] {
			t.Errorf("Read(%q) = %q", path, got.Text)
		}
		if to, err := w.Target(path); err == nil && !strings.HasPrefix(to.Abs, filepath.Dir(dir)) {
			t.Errorf("Target(%q) = %+v", path, to)
		}
	})
}
