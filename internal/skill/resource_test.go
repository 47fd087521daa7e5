package skill_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestK10_ResourcesAreListedByGroupUnread(t *testing.T) {
	outside := skilltest.Files{"secret.txt": "s"}.Write(t)
	dir := skilltest.Files{
		"a/SKILL.md": skilltest.SkillFile("aa"), "a/scripts/run.py": "12345", "a/references/z.md": "1", "a/reference/b.md": "22",
		"a/assets/logo.png": "\x00", "a/notes.txt": "", "a/deep/er/x.txt": "x", "a/.hidden": "h", "a/.git/config": "c",
	}.Write(t)
	skilltest.Link(t, filepath.Join(outside, "secret.txt"), filepath.Join(dir, "a", "leak.txt"))
	skilltest.Link(t, "notes.txt", filepath.Join(dir, "a", "same.txt"))
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	got, err := r.Resources("aa")
	if err != nil {
		t.Fatal(err)
	}
	want := skill.Resources{Files: []skill.Resource{
		{Path: "reference/b.md", Group: skill.GroupReferences, Size: 2},
		{Path: "references/z.md", Group: skill.GroupReferences, Size: 1},
		{Path: "assets/logo.png", Group: skill.GroupAssets, Size: 1},
		{Path: "scripts/run.py", Group: skill.GroupScripts, Size: 5},
		{Path: "deep/er/x.txt", Group: skill.GroupOther, Size: 1},
		{Path: "notes.txt", Group: skill.GroupOther},
		{Path: "same.txt", Group: skill.GroupOther},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Resources (-want +got):\n%s", diff)
	}
}

func TestK10_ResourcesBeyondFiftyAreCounted(t *testing.T) {
	disk := skilltest.Files{"a/SKILL.md": skilltest.SkillFile("aa")}
	for i := range 57 {
		disk[fmt.Sprintf("a/assets/%02d", i)] = "x"
	}
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(disk.Write(t)))
	if got, err := r.Resources("aa"); err != nil || len(got.Files) != 50 || got.Omitted != 7 {
		t.Errorf("Resources = %d files and %d more, %v; want 50 and 7", len(got.Files), got.Omitted, err)
	}
}

func TestK13_StaysInTheSkillsDirectory(t *testing.T) {
	dir := skilltest.Files{"a/SKILL.md": skilltest.SkillFile("aa"), "a/sub/x.md": "inside", "b/SKILL.md": skilltest.SkillFile("bb"), "secret.txt": "s"}.Write(t)
	skilltest.Link(t, filepath.Join(dir, "secret.txt"), filepath.Join(dir, "a", "leak.txt"))
	skilltest.Link(t, dir, filepath.Join(dir, "a", "up"))
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	for _, c := range []struct {
		path string
		want error
	}{
		{"../secret.txt", skill.ErrResourcePath}, {"sub/../../secret.txt", skill.ErrResourcePath},
		{"..", skill.ErrResourcePath}, {"", skill.ErrResourcePath}, {".", skill.ErrResourcePath},
		{"/etc/passwd", skill.ErrResourcePath}, {filepath.Join(dir, "secret.txt"), skill.ErrResourcePath},
		{`..\secret.txt`, skill.ErrResourcePath}, {"sub/x.md\x00", skill.ErrResourcePath},
		{"sub/../sub/x.md", skill.ErrResourcePath},
		{"sub", skill.ErrNotRegular}, {"sub/y.md", skill.ErrResourceNotFound}, {"sub/x.md/z", nil},
		{"leak.txt", nil}, {"up/secret.txt", nil},
	} {
		text, err := r.ReadResource("aa", c.path, 0, 0)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("ReadResource(%q) = %q, %v; want %v", c.path, text.Text, err, c.want)
		}
	}
	if text, err := r.ReadResource("aa", "./sub//x.md", 0, 0); err != nil || text.Text != "inside" || text.Next != 0 {
		t.Errorf("ReadResource = %+v, %v; want the file", text, err)
	}
	var missing *skill.NotFoundError
	if _, err := r.ReadResource("cc", "x", 0, 0); !errors.As(err, &missing) {
		t.Errorf("ReadResource of no skill = %v, want NotFoundError", err)
	}
}

// The pieces, of any size, add up to the file, and each is valid text.
func TestK13_PiecesMakeTheFile(t *testing.T) {
	text := strings.Repeat("aé€😀\n", 40)
	dir := skilltest.Files{"a/SKILL.md": skilltest.SkillFile("aa"), "a/t.txt": text}.Write(t)
	embedded := fstest.MapFS{"a/SKILL.md": {Data: []byte(skilltest.SkillFile("aa"))}, "a/t.txt": {Data: []byte(text)}}
	for _, root := range []skill.Root{skilltest.UserRoot(dir), {Dir: "builtin", FS: embedded, Source: skill.SourceBuiltin}} {
		r, _ := skilltest.OpenRegistry(t, root)
		for _, limit := range []int{1, 2, 3, 4, 5, 7, 64, 0} {
			var got strings.Builder
			for offset := int64(0); ; {
				piece, err := r.ReadResource("aa", "t.txt", offset, limit)
				if err != nil || piece.Offset != offset || piece.Size != int64(len(text)) {
					t.Fatalf("limit %d, offset %d: %+v, %v", limit, offset, piece, err)
				}
				got.WriteString(piece.Text)
				if offset = piece.Next; offset == 0 {
					break
				}
			}
			if got.String() != text {
				t.Errorf("limit %d: the pieces make %q", limit, got.String())
			}
		}
	}
}

func TestK13_OffsetInsideACharacterBeginsWithIt(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"a/SKILL.md": skilltest.SkillFile("aa"), "a/t.txt": "a€b"}.Write(t)))
	for offset, want := range map[int64]string{0: "a€b", 1: "€b", 2: "€b", 3: "€b", 4: "b", 5: "", 99: "", -1: "a€b"} {
		if got, err := r.ReadResource("aa", "t.txt", offset, 100); err != nil || got.Text != want {
			t.Errorf("from %d = %q, %v; want %q", offset, got.Text, err, want)
		}
	}
}

func TestK13_TextOnly(t *testing.T) {
	r, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"a/SKILL.md": skilltest.SkillFile("aa"), "a/x.png": "\x89PNG\x00\x00", "a/latin": "caf\xe9 au lait"}.Write(t)))
	for _, name := range []string{"x.png", "latin"} {
		if text, err := r.ReadResource("aa", name, 0, 0); !errors.Is(err, skill.ErrNotText) {
			t.Errorf("ReadResource(%s) = %q, %v; want ErrNotText", name, text.Text, err)
		}
	}
}
