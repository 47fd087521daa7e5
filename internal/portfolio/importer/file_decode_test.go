package importer_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

func utf16Bytes(text string, big, mark bool) []byte {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xFEFF}, units...)
	}
	var out []byte
	for _, u := range units {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

func TestDecode_EveryEncodingGivesTheSameText(t *testing.T) {
	const text = "Währung;Betrag €\n"
	for _, c := range []struct {
		name, encoding string
		raw            []byte
	}{
		{"UTF-8", "UTF-8", []byte(text)},
		{"UTF-8 with a mark", "UTF-8", []byte("\xEF\xBB\xBF" + text)},
		{"UTF-16, little end first, with a mark", "UTF-16LE", utf16Bytes(text, false, true)},
		{"UTF-16, big end first, with a mark", "UTF-16BE", utf16Bytes(text, true, true)},
		{"UTF-16, little end first", "UTF-16LE", utf16Bytes(text, false, false)},
		{"UTF-16, big end first", "UTF-16BE", utf16Bytes(text, true, false)},
		{"Windows-1252", "Windows-1252", []byte("W\xE4hrung;Betrag \x80\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The euro sign has no zero byte in UTF-16, so a few plain letters must suffice for
			// detection.
			f, err := importer.Decode(`C:\exports\my.csv`, c.raw)
			if err != nil || f.Text != text || f.Encoding != c.encoding || f.Name != "my.csv" {
				t.Errorf("Decode = %+v, %v; want %q in %s", f, err, text, c.encoding)
			}
		})
	}
}

func TestDecode_WhatIsNoTextIsNamed(t *testing.T) {
	for _, c := range []struct {
		name, raw, says string
		want            error
	}{
		{"Excel", "PK\x03\x04xl/workbook.xml", "Excel", importer.ErrBinary},
		{"(.xls)", "\xD0\xCF\x11\xE0\xA1\xB1", "Excel", importer.ErrBinary},
		{"PDF", "%PDF-1.7", "PDF", importer.ErrBinary},
		{"compressed", "\x1F\x8B\x08", "unpack", importer.ErrBinary},
		{"zeros", "a,b\n1,\x002\n", "NUL", importer.ErrBinary},
		{"cut in a character", "Währung\xC3", "again", importer.ErrTruncated},
		{"cut in UTF-16", "\xFF\xFEa\x00b", "again", importer.ErrTruncated},
		{"too large", strings.Repeat("a", importer.MaxFileSize+1), "64 MB", importer.ErrTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := importer.Decode("x", []byte(c.raw))
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("Decode = %v, want %v that says %q", err, c.want, c.says)
			}
		})
	}
}

// "café" in Windows-1252 ends with a byte that starts a character in UTF-8.
func TestDecode_AnAccentAtTheEndIsNoCut(t *testing.T) {
	f, err := importer.Decode("x", []byte("caf\xE9"))
	if err != nil || f.Text != "café" {
		t.Errorf("Decode = %+v, %v; want café", f, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("a,b\n"))
	f.Add(utf16Bytes("a;ü\n", false, true))
	f.Add(utf16Bytes("a;ü\n", true, false))
	f.Add([]byte("caf\xE9"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		file, err := importer.Decode("x", raw)
		if err != nil {
			return
		}
		if !utf8.ValidString(file.Text) || strings.ContainsRune(file.Text, 0) {
			t.Errorf("Decode(%q) = %q, which is no text", raw, file.Text)
		}
	})
}
