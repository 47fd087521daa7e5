package install_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

// zipEntry is an entry of a hostile archive.
type zipEntry struct {
	name  string
	data  string
	mode  fs.FileMode
	flags uint16
	// claims, if not 0, replaces the real size in the header.
	claims uint64
}

func zipped(t testing.TB, entries ...zipEntry) []byte {
	t.Helper()
	var out bytes.Buffer
	zw := zip.NewWriter(&out)
	for _, e := range entries {
		var packed bytes.Buffer
		fw, err := flate.NewWriter(&packed, flate.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fw.Write([]byte(e.data)); err != nil {
			t.Fatal(err)
		}
		if err := fw.Close(); err != nil {
			t.Fatal(err)
		}
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Flags: e.flags, CRC32: crc32.ChecksumIEEE([]byte(e.data))}
		h.CompressedSize64, h.UncompressedSize64 = uint64(packed.Len()), uint64(len(e.data))
		if e.claims > 0 {
			h.UncompressedSize64 = e.claims
		}
		if e.mode == 0 {
			e.mode = 0o644
		}
		h.SetMode(e.mode)
		// The zip writer adds no content to an entry named as a folder.
		h.Name = packAsFile(e.name)
		w, err := zw.CreateRaw(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(packed.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	packed := out.Bytes()
	for _, e := range entries {
		packed = bytes.ReplaceAll(packed, []byte(packAsFile(e.name)), []byte(e.name))
	}
	return packed
}

// packAsFile changes a folder's name so that the writer treats it as a file.
func packAsFile(name string) string {
	if folder, ok := strings.CutSuffix(name, "/"); ok {
		return folder + "\x01"
	}
	return name
}

func zipFile(t testing.TB, packed []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "skills.zip")
	if err := os.WriteFile(name, packed, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// goodSkill is a valid skill.
var goodSkill = zipEntry{name: "good/SKILL.md", data: skilltest.SkillFile("good")}

// wantRefusedWhole imports an archive, expects the error want and an unchanged folder, and returns
// the error.
func wantRefusedWhole(t *testing.T, packed []byte, want error) error {
	t.Helper()
	i := installer(t, skilltest.Files{"old/SKILL.md": skilltest.SkillFile("old")}.Write(t))
	before := tree(t, i.Dir)
	_, err := i.Import(zipFile(t, packed), install.Options{Replace: true})
	if !errors.Is(err, want) {
		t.Errorf("Import() = %v, want %v", err, want)
	}
	if diff := cmp.Diff(before, tree(t, i.Dir)); diff != "" {
		t.Errorf("the folder changed (-before +after):\n%s", diff)
	}
	return err
}

func TestK26_HostileEntryIsRefusedWhole(t *testing.T) {
	for name, tc := range map[string]struct {
		entry zipEntry
		why   string
	}{
		"traversal":                 {zipEntry{name: "good/../../evil.md"}, "points outside the skill folder"},
		"traversal at the start":    {zipEntry{name: "../evil/SKILL.md", data: skilltest.SkillFile("evil")}, "points outside the skill folder"},
		"dot":                       {zipEntry{name: "good/./a.md"}, "points outside the skill folder"},
		"absolute":                  {zipEntry{name: "/etc/cron.d/evil"}, "points outside the skill folder"},
		"backslash":                 {zipEntry{name: `good\..\..\evil.md`}, "contains a backslash"},
		"drive letter":              {zipEntry{name: "C:/evil/SKILL.md"}, "contains a colon"},
		"alternate stream":          {zipEntry{name: "good/a.md:hidden"}, "contains a colon"},
		"NUL":                       {zipEntry{name: "good/a.md\x00.txt"}, "invisible character"},
		"escape sequence":           {zipEntry{name: "good/\x1b[2J.md"}, "invisible character"},
		"reversed writing":          {zipEntry{name: "good/\u202edm.exe"}, "invisible character"},
		"not UTF-8":                 {zipEntry{name: "good/\xff.md"}, "is not UTF-8"},
		"two slashes":               {zipEntry{name: "good//a.md"}, "points outside the skill folder"},
		"no name":                   {zipEntry{name: ""}, "points outside the skill folder"},
		"trailing dot":              {zipEntry{name: "good/SKILL.md."}, "not a valid name on Windows"},
		"trailing blank":            {zipEntry{name: "good /a.md"}, "not a valid name on Windows"},
		"Windows device":            {zipEntry{name: "good/nul.md"}, "not a valid name on Windows"},
		"Windows port":              {zipEntry{name: "good/COM1"}, "not a valid name on Windows"},
		"longer than a path may be": {zipEntry{name: "good/" + strings.Repeat("a", 300)}, "longer than"},
		"outside a skill folder":    {zipEntry{name: "README.md"}, "outside a skill folder"},
		"a folder that is no skill": {zipEntry{name: "docs/readme.md"}, "no SKILL.md found"},
		"an empty folder":           {zipEntry{name: "docs/", mode: fs.ModeDir | 0o755}, "no SKILL.md found"},
		"duplicate":                 {goodSkill, "appears twice"},
		"duplicate by case":         {zipEntry{name: "good/skill.MD", data: skilltest.SkillFile("good")}, "the same file on some systems"},
		"duplicate folder by case":  {zipEntry{name: "Good/notes.md"}, "the same file on some systems"},
		"file below a file":         {zipEntry{name: "good/SKILL.md/a.md"}, "appears twice"},
		"folder in place of a file": {zipEntry{name: "good/SKILL.md/", mode: fs.ModeDir | 0o755}, "appears twice"},
		"folder with content":       {zipEntry{name: "good/refs/", data: "hidden", mode: fs.ModeDir | 0o755}, "a folder with content"},
		"link":                      {zipEntry{name: "good/link.md", data: "/etc/passwd", mode: fs.ModeSymlink | 0o777}, "L---"},
		"link named as a folder":    {zipEntry{name: "good/link/", data: "/", mode: fs.ModeSymlink | 0o777}, "L---"},
		"device":                    {zipEntry{name: "good/disk", mode: fs.ModeDevice | 0o644}, "D---"},
		"terminal":                  {zipEntry{name: "good/tty", mode: fs.ModeDevice | fs.ModeCharDevice | 0o644}, "Dc---"},
		"pipe":                      {zipEntry{name: "good/pipe", mode: fs.ModeNamedPipe | 0o644}, "p---"},
		"encrypted":                 {zipEntry{name: "good/secret.md", data: "x", flags: 1}, "encrypted"},
		"a size that lies low":      {zipEntry{name: "good/a.md", data: strings.Repeat("a", 5000), claims: 10}, "zip: "},
		"a size that lies high":     {zipEntry{name: "good/a.md", data: "a", claims: 5000}, "unexpected EOF"},
		"hidden, and traversing":    {zipEntry{name: "good/.git/../../../x"}, "points outside the skill folder"},
	} {
		t.Run(name, func(t *testing.T) {
			err := wantRefusedWhole(t, zipped(t, goodSkill, tc.entry), install.ErrArchive)
			if err != nil && !strings.Contains(err.Error(), tc.why) {
				t.Errorf("refused because %v, want %q", err, tc.why)
			}
		})
	}
	t.Run("composition of letters", func(t *testing.T) {
		wantRefusedWhole(t, zipped(t, goodSkill, zipEntry{name: "good/caf\u00e9.md"}, zipEntry{name: "good/cafe\u0301.md"}), install.ErrUnsafePath)
	})
	t.Run("no archive at all", func(t *testing.T) {
		wantRefusedWhole(t, []byte("PK\x03\x04 and no more"), install.ErrArchive)
	})
	t.Run("nothing in it", func(t *testing.T) {
		wantRefusedWhole(t, zipped(t), install.ErrArchive)
	})
	t.Run("a broken checksum", func(t *testing.T) {
		packed := zipped(t, goodSkill)
		packed[bytes.Index(packed, []byte("PK\x01\x02"))+16] ^= 1
		wantRefusedWhole(t, packed, zip.ErrChecksum)
	})
}

func TestK26_ArchiveBeyondALimitIsRefusedWhole(t *testing.T) {
	mega := strings.Repeat("a", install.MaxFileSize)
	full := []zipEntry{goodSkill}
	for i := range install.MaxExpanded / install.MaxFileSize {
		full = append(full, zipEntry{name: fmt.Sprintf("good/%d.txt", i), data: mega})
	}
	many := []zipEntry{goodSkill}
	for i := range install.MaxFiles {
		many = append(many, zipEntry{name: fmt.Sprintf("good/%d.txt", i)})
	}
	noise := rand.New(rand.NewPCG(1, 2))
	random := make([]byte, install.MaxFileSize)
	for i := range random {
		random[i] = byte(noise.Uint32())
	}
	noisy := []zipEntry{goodSkill}
	for i := range install.MaxPacked/install.MaxFileSize + 1 {
		noisy = append(noisy, zipEntry{name: fmt.Sprintf("good/%d", i), data: string(random)})
	}
	for name, entries := range map[string][]zipEntry{
		"one file a byte over":     {goodSkill, {name: "good/a.txt", data: mega + "a"}},
		"bomb that claims a byte":  {goodSkill, {name: "good/a.txt", data: strings.Repeat("a", 50<<20), claims: 1}},
		"all files a little over":  full,
		"one file too many":        many,
		"packed more than allowed": noisy,
	} {
		t.Run(name, func(t *testing.T) {
			want := skill.ErrSizeLimit
			if strings.HasPrefix(name, "bomb") {
				want = install.ErrArchive
			}
			wantRefusedWhole(t, zipped(t, entries...), want)
		})
	}
	t.Run("packed more than allowed, in memory", func(t *testing.T) {
		packed := zipped(t, noisy...)
		if _, err := install.Unpack(packed); !errors.Is(err, install.ErrArchive) || !errors.Is(err, skill.ErrSizeLimit) {
			t.Errorf("Unpack() of %d bytes = %v, want ErrLimit", len(packed), err)
		}
	})
	t.Run("at the limits it is taken", func(t *testing.T) {
		i := installer(t, t.TempDir())
		if _, err := i.Import(zipFile(t, zipped(t, many[:install.MaxFiles]...)), install.Options{}); err != nil {
			t.Errorf("Import() of %d files = %v", install.MaxFiles, err)
		}
		if _, err := i.Import(zipFile(t, zipped(t, full[:len(full)-1]...)), install.Options{Replace: true}); err != nil {
			t.Errorf("Import() of files of 1 MB = %v", err)
		}
	})
}

func TestK26_ArchiveWithAnInvalidSkillIsRefusedWhole(t *testing.T) {
	for name, entry := range map[string]zipEntry{
		"a name that is none":      {name: "bad/SKILL.md", data: "---\nname: \"???\"\ndescription: d\n---\n"},
		"a name in disguise":       {name: "bad/SKILL.md", data: "---\nname: \u0441\u043e\u0440\u0443\ndescription: d\n---\n"},
		"a description too long":   {name: "bad/SKILL.md", data: "---\nname: bad\ndescription: " + strings.Repeat("d", 1025) + "\n---\n"},
		"a colon out of place too": {name: "bad/SKILL.md", data: "---\nname: bad\ndescription: a: b\nmax_age: soon\n---\n"},
	} {
		t.Run(name, func(t *testing.T) {
			i := installer(t, t.TempDir())
			_, err := i.Import(zipFile(t, zipped(t, goodSkill, entry)), install.Options{})
			if invalid, ok := errors.AsType[*install.InvalidError](err); !ok || len(invalid.Problems) != 1 {
				t.Errorf("Import() = %v, want an InvalidError with one problem", err)
			}
			if got := tree(t, i.Dir); len(got) > 0 {
				t.Errorf("the folder holds %v, want nothing", got)
			}
		})
	}
	t.Run("no front matter", func(t *testing.T) {
		wantRefusedWhole(t, zipped(t, goodSkill, zipEntry{name: "bad/SKILL.md", data: "# Bad\n"}), frontmatter.ErrMissing)
	})
	t.Run("two skills of one name", func(t *testing.T) {
		wantRefusedWhole(t, zipped(t, goodSkill, zipEntry{name: "other/SKILL.md", data: skilltest.SkillFile("good")}), install.ErrArchive)
	})
}

func TestK26_ArchiveOfSeveralSkillsIsTakenIn(t *testing.T) {
	i := installer(t, t.TempDir())
	report, err := i.Import(zipFile(t, zipped(t,
		zipEntry{name: "good/", mode: fs.ModeDir | 0o755},
		zipEntry{name: "__MACOSX/good/._SKILL.md", data: "junk"},
		zipEntry{name: "good/.DS_Store", data: "junk"},
		goodSkill,
		zipEntry{name: "good/references/a.md", data: "$1,000"},
		zipEntry{name: "folder/skill.md", data: "---\nname: Other One\ndescription: a: b\nauthor: me\n---\n"},
		zipEntry{name: "folder/assets/\u00e9.bin", data: "\x00\xff"},
	)), install.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := install.Report{Skills: []install.Result{
		{
			Name: "other-one", Path: filepath.Join(i.Dir, "other-one", "SKILL.md"), From: "folder",
			Repaired: []string{
				"the value of description needs quotes in YAML: quoted it", "named it other-one, using only valid characters",
				`kept "Other One" as the display name`, "renamed skill.md to SKILL.md",
			},
			Warnings: []string{"line 4: author: unexpected field; put custom fields under metadata"},
		},
		{Name: "good", Path: filepath.Join(i.Dir, "good", "SKILL.md"), LeftOut: []string{".DS_Store"}},
	}}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	wantTree := skilltest.Files{
		"good/SKILL.md": skilltest.SkillFile("good"), "good/references/a.md": "$1,000", "other-one/assets/\u00e9.bin": "\x00\xff",
		"other-one/SKILL.md": "---\nname: other-one\ndescription: \"a: b\"\nauthor: me\ndisplay_name: Other One\n---\n",
	}
	if diff := cmp.Diff(wantTree, tree(t, i.Dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	if got := skilltest.NamesOf(i.Registry.List()); got != "get-price good other-one" {
		t.Errorf("the registry knows %q, want both and the built-in", got)
	}
}

// skillTree returns a random skill with all kinds of files.
func skillTree(r *rand.Rand, name string) skilltest.Files {
	made := skilltest.Files{name + "/SKILL.md": skilltest.SkillFile(name) + strings.Repeat("$1,000 \u00e9\r\n", r.IntN(50))}
	for i := range r.IntN(12) {
		dir := []string{"", "references/", "scripts/", "assets/\u6df1/deeper/", "other/"}[r.IntN(5)]
		data := make([]byte, r.IntN(4000))
		for k := range data {
			data[k] = byte(r.Uint32())
		}
		made[fmt.Sprintf("%s/%s%d.dat", name, dir, i)] = string(data)
	}
	return made
}

func TestK26_ExportThenImportIsByteIdentical(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 7))
		all := skilltest.Files{}
		for k := range 1 + r.IntN(3) {
			for path, data := range skillTree(r, fmt.Sprintf("skill-%d", k)) {
				all[path] = data
			}
		}
		from, to := installer(t, all.Write(t)), installer(t, t.TempDir())
		var names []string
		for _, s := range from.Registry.List() {
			if s.Source == skill.SourceUser {
				names = append(names, s.Name)
			}
		}
		packed := exported(t, from, names...)
		if _, err := to.Import(zipFile(t, packed), install.Options{}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(all, tree(t, to.Dir)); diff != "" {
			t.Fatalf("seed %d: the files (-exported +imported):\n%s", seed, diff)
		}
		slices.Reverse(names)
		if !bytes.Equal(packed, exported(t, to, append(names, names...)...)) {
			t.Errorf("seed %d: exporting again gives other bytes", seed)
		}
	}
}

func exported(t *testing.T, i *install.Installer, names ...string) []byte {
	t.Helper()
	var packed bytes.Buffer
	if _, err := i.Export(&packed, names...); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func TestK26_ExportHasTheLayoutOfOtherClients(t *testing.T) {
	i := installer(t, skilltest.Files{
		"kept-as/SKILL.md": skilltest.SkillFile("ab"), "kept-as/references/a.md": "a", "kept-as/LICENSE": "l", "kept-as/.env": "KEY=secret", "kept-as/.git/x": "y",
	}.Write(t))
	var packed bytes.Buffer
	leftOut, err := i.Export(&packed, "ab")
	if err != nil {
		t.Fatal(err)
	}
	zr, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range zr.File {
		names = append(names, f.Name)
		if f.Modified.Year() != 1980 || f.Mode() != 0o644 {
			t.Errorf("%s has time %v and mode %v, which would differ from one export to the next", f.Name, f.Modified, f.Mode())
		}
	}
	if diff := cmp.Diff([]string{"ab/SKILL.md", "ab/LICENSE", "ab/references/a.md"}, names); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ab/.env", "ab/.git"}, leftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

func TestK26_ExportWritesNothingUnlessAllCanBePacked(t *testing.T) {
	dir := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "cd/SKILL.md": skilltest.SkillFile("cd"), "big/SKILL.md": skilltest.SkillFile("big"), "big/a": strings.Repeat("x", install.MaxFileSize+1), "secret": "s"}.Write(t)
	skilltest.Link(t, filepath.Join(dir, "secret"), filepath.Join(dir, "cd", "out.md"))
	i := installer(t, dir)
	for name, want := range map[string]error{"cd": install.ErrLink, "big": skill.ErrSizeLimit} {
		var out bytes.Buffer
		if _, err := i.Export(&out, "ab", name); !errors.Is(err, want) || out.Len() > 0 {
			t.Errorf("Export(ab, %s) = %v with %d bytes written, want %v and none", name, err, out.Len(), want)
		}
	}
	if _, err := i.Export(&bytes.Buffer{}, "nowhere"); err == nil || !strings.Contains(err.Error(), "Skill 'nowhere' not found") {
		t.Errorf("Export(nowhere) = %v, want that it is not found", err)
	}
}

// The layouts that hosts and desktops produce.
func TestK26_OtherLayoutsAreTakenIn(t *testing.T) {
	for name, tc := range map[string]struct {
		entries []zipEntry
		want    []string
	}{
		"a repository of a host": {[]zipEntry{
			{name: "repo-main/", mode: fs.ModeDir | 0o755},
			{name: "repo-main/README.md", data: "read me"},
			{name: "repo-main/docs/skills.md", data: "no skill"},
			{name: "repo-main/skills/good/SKILL.md", data: skilltest.SkillFile("good")},
			{name: "repo-main/skills/good/examples/other/SKILL.md", data: skilltest.SkillFile("other")},
			{name: "repo-main/.claude/skills/hidden/SKILL.md", data: skilltest.SkillFile("hidden")},
			{name: "repo-main/.git/x/SKILL.md", data: skilltest.SkillFile("git")},
		}, []string{"good/SKILL.md", "good/examples/other/SKILL.md", "hidden/SKILL.md"}},
		"one skill at the top": {[]zipEntry{
			{name: "SKILL.md", data: skilltest.SkillFile("good")},
			{name: "scripts/a.py", data: "pass"},
		}, []string{"good/SKILL.md", "good/scripts/a.py"}},
	} {
		t.Run(name, func(t *testing.T) {
			i := installer(t, t.TempDir())
			if _, err := i.Import(zipFile(t, zipped(t, tc.entries...)), install.Options{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, slices.Sorted(maps.Keys(tree(t, i.Dir)))); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("a folder of skills", func(t *testing.T) {
		folder := skilltest.Files{
			"README.md": "read me", "a/ab/SKILL.md": skilltest.SkillFile("ab"), "cd/SKILL.md": skilltest.SkillFile("cd"), "cd/x.md": "x",
		}.Write(t)
		i := installer(t, t.TempDir())
		report, err := i.Import(folder, install.Options{})
		if err != nil || len(report.Skills) != 2 {
			t.Fatalf("Import() = %+v, %v, want two skills", report, err)
		}
		if diff := cmp.Diff([]string{"ab/SKILL.md", "cd/SKILL.md", "cd/x.md"}, slices.Sorted(maps.Keys(tree(t, i.Dir)))); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
	})
}
