package skill_test

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
)

func FuzzUnpack(f *testing.F) {
	f.Add(zipped(f, good))
	f.Add(zipped(f, good, zipEntry{name: "good/references/a.md", data: "x"}, zipEntry{name: "b/skills.md", data: "y"}))
	f.Add(zipped(f, good, zipEntry{name: "good/../x"}, zipEntry{name: "good/l", data: "/", mode: fs.ModeSymlink | 0o777}))
	f.Fuzz(func(t *testing.T, packed []byte) { wantSafe(t, packed) })
}

// FuzzUnpackEntry gets past the checksums that stop most of what FuzzUnpack makes.
func FuzzUnpackEntry(f *testing.F) {
	f.Add("good/a.md", "x", uint32(0o644), uint16(0), uint64(0))
	f.Add("../a.md", "x", uint32(fs.ModeSymlink|0o777), uint16(1), uint64(9))
	f.Add("good/SKILL.MD/", "", uint32(fs.ModeDir|0o755), uint16(0x800), uint64(0))
	f.Add("other/skills.md", named("other"), uint32(0), uint16(8), uint64(1<<40))
	f.Fuzz(func(t *testing.T, name, data string, mode uint32, flags uint16, claims uint64) {
		if len(name) > 1000 {
			return
		}
		wantSafe(t, zipped(t, good, zipEntry{name: name, data: data, mode: fs.FileMode(mode), flags: flags, claims: claims}))
	})
}

// wantSafe expects an archive to be refused, or to hold nothing but files inside
// the limits that can be packed and unpacked again.
func wantSafe(t *testing.T, packed []byte) {
	t.Helper()
	unpacked, err := skill.Unpack(packed)
	if err != nil {
		if !errors.Is(err, skill.ErrArchive) {
			t.Errorf("Unpack() = %v, want ErrArchive", err)
		}
		return
	}
	total := 0
	for name, data := range unpacked {
		total += len(data)
		if !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\\:\x00\x1b\n") || !strings.Contains(name, "/") {
			t.Errorf("Unpack() let %q through", name)
		}
		if len(data) > skill.MaxFileSize {
			t.Errorf("%q has %d bytes", name, len(data))
		}
	}
	if total > skill.MaxExpanded {
		t.Errorf("%d bytes in all", total)
	}
	var again bytes.Buffer
	if err := skill.Repack(packed, &again); err != nil {
		if !errors.Is(err, skill.ErrLimit) {
			t.Fatalf("packing again = %v", err)
		}
		return
	}
	if twice, err := skill.Unpack(again.Bytes()); err != nil || !cmp.Equal(unpacked, twice) {
		t.Errorf("packed again it holds other files, %v", err)
	}
}

func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		named("a-b"), "# Title\ndescription: x: y\n", "\ufeff\n---\r\nName: A B\r\ndescription: a: b\r\n---\r\nx", "---\nname:\nx: |\n  ---\ndescription: d\n---",
		"---\ndescription: [a] [b]\n---\n# T", "---\n\"name\": 'A'\ndescription: d\n---\n", "---\nname: |\n  A\n\n  B\ndescription: d\n---\n", "---\nNAME: X\nName: Y\n---\ndescription: z",
	} {
		f.Add([]byte(seed), "dir-name")
	}
	f.Fuzz(func(t *testing.T, content []byte, dir string) {
		fixed, changes, err := skill.Repair(content, dir)
		if err != nil {
			return
		}
		if len(changes) == 0 {
			if !bytes.Equal(fixed, content) {
				t.Errorf("Repair() changed %q to %q and said nothing", content, fixed)
			}
			return
		}
		_, body, err := skill.Parse(fixed)
		if err != nil {
			t.Fatalf("Repair(%q) = %q, which does not load: %v", content, fixed, err)
		}
		if !bytes.HasSuffix(content, []byte(strings.TrimLeft(body, "\r\n"))) {
			t.Errorf("Repair(%q) changed the body to %q", content, body)
		}
		again, more, err := skill.Repair(fixed, dir)
		if err != nil || len(more) > 0 || !bytes.Equal(again, fixed) {
			t.Errorf("repairing %q again = %q, %q, %v", fixed, again, more, err)
		}
	})
}
