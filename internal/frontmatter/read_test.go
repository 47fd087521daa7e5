package frontmatter_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

func TestSplit_AFenceIsThreeDashesInTheFirstColumn(t *testing.T) {
	for _, row := range []struct {
		name, content, src, body string
		line                     int
	}{
		{"the common form", "---\na: 1\n---\nbody\n", "a: 1\n", "body\n", 2},
		{"a mark of the byte order before it", "\xef\xbb\xbf---\na: 1\n---\n", "a: 1\n", "", 2},
		{"blank lines before it", " \n\n---\na: 1\n---\nb", "a: 1\n", "b", 4},
		{"blanks after it", "--- \t\r\na: 1\r\n---  \r\nb", "a: 1\r\n", "b", 2},
		{"nothing in it", "---\n---\nb", "", "b", 2},
		{"no line end at the end", "---\na: 1\n---", "a: 1\n", "", 2},
		{"dashes within a value", "---\na: |\n  ---\nb: --- x\n---\nbody\n---\n", "a: |\n  ---\nb: --- x\n", "body\n---\n", 2},
	} {
		src, line, body, err := frontmatter.Split([]byte(row.content))
		if string(src) != row.src || string(body) != row.body || line != row.line || err != nil {
			t.Errorf("%s: Split = %q from line %d, %q, %v; want %q from line %d, %q", row.name, src, line, body, err, row.src, row.line, row.body)
		}
	}
	for _, content := range []string{"", "\n\n", "# Title\n---\na: 1\n---\n", "----\na: 1\n----\n", " ---\na: 1\n---\n", "---\na: 1\n ---\n"} {
		if _, _, _, err := frontmatter.Split([]byte(content)); !errors.Is(err, frontmatter.ErrMissing) {
			t.Errorf("Split(%q) = %v, want ErrMissing", content, err)
		}
	}
	if _, _, _, err := frontmatter.Split([]byte("\n---\na: 1\n")); err == nil || !strings.Contains(err.Error(), "the fence on line 2 is never closed") {
		t.Errorf("Split of one never closed = %v, want its line", err)
	}
}

func TestRead_RefusesWhatASmallFileCouldGrowBy(t *testing.T) {
	for _, row := range []struct {
		name, src string
		want      error
		says      string
	}{
		{"an anchor", "a: 1\nb: &x [1]\n", frontmatter.ErrAliases, "line 11"},
		{"an anchor on a key", "&x b: 1\n", frontmatter.ErrAliases, "line 10"},
		{"an alias of nothing", "b: *x\n", frontmatter.ErrAliases, "unknown anchor"},
		{"seventeen lists", "a: " + strings.Repeat("[", 17) + strings.Repeat("]", 17) + "\n", frontmatter.ErrNesting, "line 10"},
		{"a key twice", "a: 1\nb: 2\na: 3\n", frontmatter.ErrMalformed, `line 12: key "a" appears twice`},
		{"a list", "- a\n", frontmatter.ErrMalformed, "line 10: expected `key: value` lines"},
		{"a word", "a\n", frontmatter.ErrMalformed, "expected `key: value` lines"},
		{"a list never closed", "tools: [a\nb: 1\n", frontmatter.ErrMalformed, "line 10"},
	} {
		if _, err := frontmatter.Read([]byte(row.src), 10); !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: Read = %v; want %v that says %q", row.name, err, row.want, row.says)
		}
	}
	deep := "a: " + strings.Repeat("[", 16) + strings.Repeat("]", 16) + "\n"
	if _, err := frontmatter.Read([]byte(deep), 2); err != nil {
		t.Errorf("sixteen lists = %v, want them read", err)
	}
	for _, nothing := range []string{"", "\n", "# a comment\n", "null\n", "~"} {
		if m, err := frontmatter.Read([]byte(nothing), 2); err != nil || len(m.Values) != 0 {
			t.Errorf("Read(%q) = %v, %v; want nothing", nothing, m.Values, err)
		}
	}
}

// TestRead_DashesOfAValueEndNothing checks a line of dashes within a value, where goldmark-meta
// ends the front matter and YAML does not.
func TestRead_DashesOfAValueEndNothing(t *testing.T) {
	for _, src := range []string{
		"a: |\n  one\n  ---\n  two\nb: 1\n", "a: \"one\\n---\\ntwo\"\nb: 1\n", "# -\na: |-\n  one\n  ---\n  two\n# ---\nb: 1\n",
		"a: \"one\n\n  ---\n\n  two\"\nb: 1\n",
	} {
		m, err := frontmatter.Read([]byte(src), 2)
		got, _ := m.Values["a"].(string)
		if err != nil || !strings.HasPrefix(got, "one") || !strings.Contains(got, "---") || !strings.HasSuffix(strings.TrimSpace(got), "two") || m.Values["b"] == nil {
			t.Errorf("Read(%q) = %q, %v; want all of it", src, m.Values, err)
		}
	}
	m, err := frontmatter.Read([]byte("a:\n  -\n  - x\n  - -\n  -\n    -\nb: 1\n"), 2)
	if err != nil || m.Values["b"] == nil || len(m.Values["a"].([]any)) != 4 {
		t.Errorf("a list with empty items = %v, %v; want its four", m.Values, err)
	}
}

func TestRead_TextThatNeedsQuotesIsReadWithAWarning(t *testing.T) {
	m, err := frontmatter.Read([]byte("description: Use when: the user asks\n  for it: now\nargument-hint: [file] [language]\nname: x\n"), 2)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"description": "Use when: the user asks for it: now", "argument-hint": "[file] [language]", "name": "x"}
	if diff := cmp.Diff(want, m.Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if len(m.Warnings) != 2 || m.Warnings[0] != "the value of description needs quotes in YAML; it was read as plain text" || !strings.Contains(m.Warnings[1], "argument-hint") {
		t.Errorf("warnings = %q, want one for each of the two", m.Warnings)
	}
	for _, broken := range []string{"tools: [a, b\nname: x: y\n", "steps: [a\n", "description: 'never closed\nname: x: y\n", "description: a: \x01b\n", "a b: c: d\n"} {
		if m, err := frontmatter.Read([]byte(broken), 2); err == nil {
			t.Errorf("Read(%q) = %v, want that it is broken", broken, m.Values)
		}
	}
}

func TestIsKey(t *testing.T) {
	for key, want := range map[string]bool{"name": true, "argument-hint": true, "a_1": true, "größe": true, "": false, "-a": false, "a b": false, "a:": false, "a.b": false} {
		if got := frontmatter.IsKey(key); got != want {
			t.Errorf("IsKey(%q) = %v", key, got)
		}
	}
}

func TestDocument_IsFixedWhereAPersonWouldFixIt(t *testing.T) {
	const lead = "\xef\xbb\xbf\n\n"
	d := openDocument(t, lead+"---\nname: x\ndescription: Use when: asked\n---\nbody\n")
	if warnings := d.QuoteValues(); len(warnings) != 1 || !strings.Contains(warnings[0], "description") {
		t.Errorf("Quote = %q, want the description", warnings)
	}
	if !d.TrimLeading() || d.TrimLeading() {
		t.Error("DropLead did not say, once, that there was something before the fence")
	}
	if got, want := string(d.Bytes()), "---\nname: x\ndescription: \"Use when: asked\"\n---\nbody\n"; got != want {
		t.Errorf("Bytes = %q, want %q", got, want)
	}
	if warnings := d.QuoteValues(); warnings != nil {
		t.Errorf("Quote of what is mended = %q", warnings)
	}
	if text, found, err := d.Text("description"); text != "Use when: asked" || !found || err != nil {
		t.Errorf("Text = %q, %v, %v", text, found, err)
	}
	if text, found, err := d.Text("version"); text != "" || found || err != nil {
		t.Errorf("Text of what is not there = %q, %v, %v", text, found, err)
	}
}

func TestDocument_WhatIsAlreadySaidStaysWhereNothingFollows(t *testing.T) {
	for content, want := range map[string]string{
		"---\n---\nbody":         "---\nb: x\n---\nbody",
		"---\nb: 1":              "",
		"---\nb:\n\n# c\n---\n":  "---\nb: x\n\n# c\n---\n",
		"---\n'b': 1\na: 2\n---": "---\nb: x\na: 2\n---",
		"---\na:\n  b: 1\n---\n": "---\na:\n  b: 1\nb: x\n---\n",
	} {
		got, err := frontmatter.SetField([]byte(content), "b", "x")
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("SetField(%q) = %q, %v; want %q", content, got, err, want)
		}
	}
}
