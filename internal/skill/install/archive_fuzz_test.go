package install_test

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func FuzzUnpack(f *testing.F) {
	f.Add(zipped(f, goodSkill))
	f.Add(zipped(f, goodSkill, zipEntry{name: "good/references/a.md", data: "x"}, zipEntry{name: "b/skills.md", data: "y"}))
	f.Add(zipped(f, goodSkill, zipEntry{name: "good/../x"}, zipEntry{name: "good/l", data: "/", mode: fs.ModeSymlink | 0o777}))
	f.Fuzz(func(t *testing.T, packed []byte) { wantSafe(t, packed) })
}

// FuzzUnpackEntry bypasses the checksums that stop most inputs of FuzzUnpack.
func FuzzUnpackEntry(f *testing.F) {
	f.Add("good/a.md", "x", uint32(0o644), uint16(0), uint64(0))
	f.Add("../a.md", "x", uint32(fs.ModeSymlink|0o777), uint16(1), uint64(9))
	f.Add("good/SKILL.MD/", "", uint32(fs.ModeDir|0o755), uint16(0x800), uint64(0))
	f.Add("other/skills.md", skilltest.SkillFile("other"), uint32(0), uint16(8), uint64(1<<40))
	f.Fuzz(func(t *testing.T, name, data string, mode uint32, flags uint16, claims uint64) {
		if len(name) > 1000 {
			return
		}
		wantSafe(t, zipped(t, goodSkill, zipEntry{name: name, data: data, mode: fs.FileMode(mode), flags: flags, claims: claims}))
	})
}

// wantSafe expects an archive to be rejected, or to have only files within the limits that can be
// packed and unpacked again.
func wantSafe(t *testing.T, packed []byte) {
	t.Helper()
	unpacked, err := install.Unpack(packed)
	if err != nil {
		if !errors.Is(err, install.ErrArchive) {
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
		if len(data) > install.MaxFileSize {
			t.Errorf("%q has %d bytes", name, len(data))
		}
	}
	if total > install.MaxExpanded {
		t.Errorf("%d bytes in all", total)
	}
	var again bytes.Buffer
	if err := install.Repack(packed, &again); err != nil {
		if !errors.Is(err, skill.ErrSizeLimit) {
			t.Fatalf("packing again = %v", err)
		}
		return
	}
	if twice, err := install.Unpack(again.Bytes()); err != nil || !cmp.Equal(unpacked, twice) {
		t.Errorf("packed again it holds other files, %v", err)
	}
}
