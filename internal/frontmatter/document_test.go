package frontmatter_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nfa-cli/nfa/internal/frontmatter"
)

func openDocument(t testing.TB, content string) *frontmatter.Document {
	t.Helper()
	d, err := frontmatter.Open([]byte(content))
	if err != nil {
		t.Fatalf("Open(%q) = %v", content, err)
	}
	return d
}

func TestDocument_AFieldIsSetAndEveryOtherByteStays(t *testing.T) {
	for _, row := range []struct{ name, content, key, value, want string }{
		{"in its place", "---\na: 1 # one\nb: x\n---\nbody $1,000\n", "b", "y", "---\na: 1 # one\nb: \"y\"\n---\nbody $1,000\n"},
		{"at the end", "---\na: 1\n---\n", "b", "z", "---\na: 1\nb: z\n---\n"},
		{"with its continuation", "---\nb: >\n  one\n\n  two\nc: 3\n---\n", "b", "z", "---\nb: z\nc: 3\n---\n"},
		{"in the line ends of the file", "---\r\na: 1\r\n---\r\nx", "a", "q", "---\r\na: q\r\n---\r\nx"},
		{"quoted where it must be", "---\na: 1\n---\n", "b", "Use when: asked", "---\na: 1\nb: 'Use when: asked'\n---\n"},
		{"after lines that come first", "\n\n---\na: 1\n---\n", "a", "w", "\n\n---\na: w\n---\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := frontmatter.SetField([]byte(row.content), row.key, row.value)
			if err != nil || string(got) != row.want {
				t.Errorf("SetField = %q, %v, want %q", got, err, row.want)
			}
		})
	}
}

func TestDocument_AFieldThatCannotBeSetIsRefused(t *testing.T) {
	for content, want := range map[string]error{
		"no fence":                    frontmatter.ErrMissing,
		"---\na: 1\n":                 frontmatter.ErrMissing,
		"---\n{a: 1}\n---\n":          frontmatter.ErrMalformed,
		"---\na: [1\nb: 2\n---\n":     frontmatter.ErrMalformed,
		"---\nb: &x 1\nc: *x\n---\n":  frontmatter.ErrAliases,
		"---\n? b\n: 2\n---\nbody\n":  frontmatter.ErrMalformed,
		"---\n\"b\": 1\nb: 2\n---\n ": frontmatter.ErrMalformed,
	} {
		if got, err := frontmatter.SetField([]byte(content), "b", "3"); !errors.Is(err, want) {
			t.Errorf("SetField(%q) = %q, %v, want %v", content, got, err, want)
		}
	}
}

func TestDocument_FrontMatterIsMadeForAFileWithoutAny(t *testing.T) {
	d := frontmatter.NewDocument([]byte("# Title\r\ntext\r\n"))
	d.Set("b", "2 x")
	d.Prepend("a", "first")
	if got := string(d.Bytes()); got != "---\r\na: first\r\nb: 2 x\r\n---\r\n\r\n# Title\r\ntext\r\n" {
		t.Errorf("Bytes = %q", got)
	}
	if text, found, err := openDocument(t, string(d.Bytes())).Text("b"); text != "2 x" || !found || err != nil {
		t.Errorf("Text(b) = %q, %v, %v", text, found, err)
	}
}

func TestFields_AValueOfAnotherTypeIsAWarning(t *testing.T) {
	src, line, _, err := frontmatter.Split([]byte("---\nversion: 1.10\nlist: a, b(c, d)\nmap: 3\nflag: maybe\nday: tomorrow\nage: 3x\nhint: [file]\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := frontmatter.Read(src, line)
	if err != nil {
		t.Fatal(err)
	}
	f := frontmatter.Fields{Matter: m}
	if got := f.Text("version"); got != "1.10" {
		t.Errorf("version = %q, want it as written", got)
	}
	if got := f.List("list"); len(got) != 2 || got[1] != "b(c, d)" {
		t.Errorf("list = %q", got)
	}
	f.Mapping("map")
	f.Boolean("flag", true)
	f.Date("day")
	f.Age("age")
	f.Text("hint")
	if len(f.Warnings) != 5 {
		t.Errorf("warnings = %q, want one each for map, flag, day, age and hint", f.Warnings)
	}
	if f.Unread() != nil {
		t.Errorf("rest = %v, want nothing", f.Unread())
	}
}

func FuzzDocument(f *testing.F) {
	for _, seed := range []string{"---\na: 1\n---\nbody", "---\r\na: |\r\n  x\r\n---", "\n---\n\"a\": [b]\nc: *d\n---\n", "---\nA: x\n  y: z\n---\n"} {
		f.Add([]byte(seed), "a", "value: x")
	}
	f.Fuzz(func(t *testing.T, content []byte, key, value string) {
		set, err := frontmatter.SetField(content, key, value)
		if err != nil {
			return
		}
		before, after := openDocument(t, string(content)), openDocument(t, string(set))
		if string(before.Body) != string(after.Body) {
			t.Errorf("the body %q became %q", before.Body, after.Body)
		}
		if text, _, err := after.Text(key); err != nil || text != strings.TrimSpace(value) {
			t.Errorf("%s was set to %q and reads %q, %v", key, value, text, err)
		}
	})
}

func TestRead_TemplatesWithoutQuotesAreText(t *testing.T) {
	const unquoted = "steps:\n  - id: a\n    tool: quote\n    with:\n      symbol: {{symbol}}\n      text: {{a}} and {{b}}\n      other: \"{{kept}}\"\n"
	m, err := frontmatter.Read([]byte(unquoted), 2)
	if err != nil {
		t.Fatal(err)
	}
	with := m.Values["steps"].([]any)[0].(map[string]any)["with"].(map[string]any)
	want := map[string]any{"symbol": "{{symbol}}", "text": "{{a}} and {{b}}", "other": "{{kept}}"}
	if diff := cmp.Diff(want, with); diff != "" {
		t.Errorf("with (-want +got):\n%s", diff)
	}
	if len(m.Warnings) != 2 || !strings.Contains(m.Warnings[0], "symbol needs quotes") {
		t.Errorf("warnings = %q, want one for each value that was quoted", m.Warnings)
	}
}

func TestRead_FrontMatterBeyondAnyRealOneIsNotParsed(t *testing.T) {
	long := strings.Repeat("key: value\n", 4000)
	if _, err := frontmatter.Read([]byte(long), 2); !errors.Is(err, frontmatter.ErrTooLong) {
		t.Errorf("Read of %d KB = %v, want ErrTooLong", len(long)>>10, err)
	}
}
