package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

func TestRead_PiecesMakeTheWholeFileAndSplitNoCharacter(t *testing.T) {
	dir, home := newFolders(t, nil)
	w := openWorkspace(dir, home)
	whole := func(text string, limit uint8) bool {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
		text = strings.Map(func(r rune) rune {
			if r < ' ' {
				return ' ' // another test covers what makes a file binary
			}
			return r
		}, text)
		putFile(t, filepath.Join(dir, "f.txt"), text)
		var got strings.Builder
		for offset := int64(0); ; {
			piece, err := w.Read("f.txt", offset, int(limit)+8)
			if err != nil || !utf8.ValidString(piece.Text) || piece.Offset != offset {
				t.Logf("from %d: %+v, %v", offset, piece, err)
				return false
			}
			got.WriteString(piece.Text)
			if offset = piece.Next; offset == 0 {
				return got.String() == text
			}
		}
	}
	if err := quick.Check(whole, nil); err != nil {
		t.Error(err)
	}
}

func TestRead_AnOffsetWithinACharacterBeginsWithTheNext(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/f.txt": "a€b"})
	got, err := openWorkspace(dir, home).Read("f.txt", 2, 0)
	if err != nil || got.Text != "b" || got.Offset != 4 || got.Next != 0 {
		t.Errorf("from within € = %+v, %v; want b at 4", got, err)
	}
	past, err := openWorkspace(dir, home).Read("f.txt", 99, 0)
	if err != nil || past.Text != "" || past.Next != 0 || past.Size != 5 {
		t.Errorf("past the end = %+v, %v; want nothing and no more", past, err)
	}
}

func TestRead_WhatIsNoTextIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ data, says string }{
		"report.pdf": {"%PDF-1.7\n1 0 obj", "application/pdf"}, "book.xlsx": {"PK\x03\x04\x14\x00", "application/zip"},
		"chart.png": {"\x89PNG\r\n\x1a\n\x00", "image/png"}, "data.gz": {"\x1f\x8b\x08\x00", "gzip"}, "a.bin": {"\x00\x01\x02", "octet-stream"},
		"utf16.txt": {"\xff\xfeh\x00i\x00", "UTF-16"}, "latin1.txt": {"caf\xe9 au lait", "another encoding"},
	} {
		dir, home := newFolders(t, map[string]string{"work/" + name: c.data})
		_, err := openWorkspace(dir, home).Read(name, 0, 0)
		if !errors.Is(err, files.ErrNotText) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Read(%s) = %v, want that it is %s", name, err, c.says)
		}
	}
}

func TestRead_BinaryAfterTextIsRefusedThere(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/f.txt": strings.Repeat("text ", 4000) + "\x00\x01"})
	w := openWorkspace(dir, home)
	first, err := w.Read("f.txt", 0, 0)
	if err != nil || first.Next == 0 {
		t.Fatalf("the text before = %+v, %v", first.Next, err)
	}
	if _, err := w.Read("f.txt", first.Next, 0); !errors.Is(err, files.ErrNotText) {
		t.Errorf("the rest = %v, want ErrNotText", err)
	}
}

func TestRead_OfAHugeFileOnlyThePieceIsRead(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/huge.txt": strings.Repeat("line\n", 8000)})
	path := filepath.Join(dir, "huge.txt")
	if err := os.Truncate(path, 1<<30); err != nil {
		t.Skipf("no sparse file of 1 GB here: %v", err)
	}
	w := openWorkspace(dir, home)
	got, err := w.Read("huge.txt", 0, 0)
	if err != nil || len(got.Text) != files.ChunkSize || got.Size != 1<<30 {
		t.Fatalf("Read = %d of %d bytes, %v", len(got.Text), got.Size, err)
	}
	if bytes := testing.AllocsPerRun(1, func() { _, err = w.Read("huge.txt", 0, 0) }); err != nil || bytes > 500 {
		t.Errorf("%.0f allocations, %v; want few", bytes, err)
	}
}

func TestRead_AnEmptyFileIsText(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/empty.csv": ""})
	if got, err := openWorkspace(dir, home).Read("empty.csv", 0, 0); err != nil || got.Next != 0 || got.Size != 0 {
		t.Errorf("Read of nothing = %+v, %v", got, err)
	}
}

func BenchmarkRead_Chunk(b *testing.B) {
	dir, home := newFolders(b, map[string]string{"work/a/b/f.txt": strings.Repeat("line of text\n", 4000)})
	w := openWorkspace(dir, home)
	for b.Loop() {
		if _, err := w.Read("a/b/f.txt", 0, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func TestBytes_AreTheFileAsItIs(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/f.csv": "\xff\xfeD\x00a\x00"})
	name, raw, err := openWorkspace(dir, home).ReadBytes("f.csv", 6)
	if err != nil || name != "f.csv" || string(raw) != "\xff\xfeD\x00a\x00" {
		t.Errorf("Bytes = %q, %q, %v; want all of f.csv", name, raw, err)
	}
}

func TestBytes_OfATooLargeFileAreNotRead(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/f.csv": "0123456789"})
	if _, raw, err := openWorkspace(dir, home).ReadBytes("f.csv", 9); !errors.Is(err, files.ErrFileTooLarge) || raw != nil {
		t.Errorf("Bytes = %q, %v; want ErrTooLong", raw, err)
	}
}

func TestBytes_NothingIsReadThatReadWouldNot(t *testing.T) {
	dir, home := newFolders(t, map[string]string{"work/.secret": "k", "outside.csv": "k"})
	for _, path := range []string{".secret", "../outside.csv", filepath.Join(dir, "..", "outside.csv")} {
		if _, raw, err := openWorkspace(dir, home).ReadBytes(path, 9); err == nil {
			t.Errorf("Bytes(%s) = %q; want it refused", path, raw)
		}
	}
}
