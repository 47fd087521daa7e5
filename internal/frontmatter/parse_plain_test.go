package frontmatter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParsePlain_ReadsWhatIsTextBeyondDoubtAndNothingElse(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		ok        bool
	}{
		{"two lines", "name: a\ndescription: Does it, at once (or not); see A:B, 50% & more!\n", true},
		{"no end of line", "name: a", true},
		{"quotes", "name: \"a: b # c\"\ndescription: 'x, y'\n", true},
		{"nothing in quotes", "name: \"\"", true},
		{"other letters", "name: a\ndescription: Größe 中文\n", true},
		{"spaces around", "name:    a   \n", true},
		{"nothing", "", false},
		{"a number", "version: 1.10\n", false},
		{"a word with a meaning", "always: yes\n", false},
		{"a key with a meaning", "on: it\n", false},
		{"a list", "tools: [a, b]\n", false},
		{"an alias", "name: *a\n", false},
		{"a second colon", "name: a: b\n", false},
		{"a colon at the end", "name: a:\n", false},
		{"a comment", "name: a # b\n", false},
		{"an escape", `name: "a\n"`, false},
		{"a quote in quotes", `name: 'it''s'`, false},
		{"an open quote", "name: \"a\n", false},
		{"a lone quote", "name: \"\n", false},
		{"a block", "name: |\n  a\n", false},
		{"more on the next line", "name: a\n  b\n", false},
		{"an empty line", "name: a\n\ndescription: b\n", false},
		{"a key twice", "name: a\nname: b\n", false},
		{"no value", "name:\n", false},
		{"a tab", "name: a\tb\n", false},
		{"a line of Unicode", "name: a\u2028b\n", false},
		{"an emoji", "name: a 🏳\n", false},
		{"bytes", "name: a\xff\n", false},
		{"a carriage return", "name: a\rb\n", false},
		{"a key without end", strings.Repeat("k", 1100) + ": a\n", false},
	} {
		if _, ok := parsePlain([]byte(tt.src)); ok != tt.ok {
			t.Errorf("%s: plain(%q) is %t, want %t", tt.name, tt.src, ok, tt.ok)
		}
	}
}

// FuzzParsePlain checks that YAML reads everything that parsePlain reads, with the same result.
func FuzzParsePlain(f *testing.F) {
	for _, src := range []string{
		"name: a\ndescription: Does it, at once (or not); see A:B, 50% & more!\n", "name: \"a: b # c\"\nx: 'y z'\n", "a: Größe 中文\n",
		"name: e1\n", "a: infinity\nb: y2\nc: Nul\nd: o\n", "k: a  b --- c\n", "a-b_c: \" x \"\n", "a: ~\n", "a: b\n---\n", "merge: <<\n",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, ok := parsePlain(src)
		if !ok {
			return
		}
		want, err := readYAML(src, 2)
		if err != nil {
			t.Fatalf("plain(%q) = %+v, but YAML says %v", src, got, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-YAML +plain):\n%s", src, diff)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	src := []byte("name: my-skill\ndescription: Looks at a matter and says what it means for a portfolio of shares and bonds. Use when asked about it.\n")
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Read(src, 2); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("yaml", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := readYAML(src, 2); err != nil {
				b.Fatal(err)
			}
		}
	})
}
