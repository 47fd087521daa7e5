package skill_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// parse reads a SKILL.md that must be valid.
func parse(t *testing.T, content string) skill.Skill {
	t.Helper()
	s, _, err := skill.Parse([]byte(content))
	if err != nil {
		t.Fatalf("Parse(%q) = %v", content, err)
	}
	return s
}

func TestK6_EveryFieldIsRead(t *testing.T) {
	got := parse(t, `---
name: full
description: >
  Folded
  text
display_name: The Full One
version: 1.10
category: analysis
argument-hint: [symbol] [period]
license: MIT
compatibility: nfa 1
disclaimer: Not advice.
tools_required: [quote, calculate]
allowed-tools: quote, Bash(git log, git diff) Read
as_of: 2026-01-31
max_age: 90d
disable-model-invocation: true
user-invocable: false
parameters:
  - name: symbol
    required: true
    description: A ticker
  - name: years
    type: integer
    default: 5
    enum: [1, 5]
  - note
metadata:
  author: {name: A, years: [1, 2]}
steps:
  - {id: one, tool: quote, with: {symbols: ["{{symbol}}"]}}
Name: not the name
---
`)
	want := skill.Skill{
		Name: "full", Description: "Folded text", DisplayName: "The Full One", Version: "1.10", Category: "analysis",
		ArgumentHint: "[symbol] [period]", License: "MIT", Compatibility: "nfa 1", Disclaimer: "Not advice.",
		ToolsRequired: []string{"quote", "calculate"}, AllowedTools: []string{"quote", "Bash(git log, git diff)", "Read"},
		AsOf: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), MaxAge: 90 * 24 * time.Hour,
		DisableModelInvocation: true,
		Parameters: []workflow.Parameter{
			{Name: "symbol", Type: "string", Required: true, Description: "A ticker"},
			{Name: "years", Type: "integer", Default: json.Number("5"), Enum: []string{"1", "5"}},
			{Name: "note", Type: "string"},
		},
		Metadata: map[string]any{"author": map[string]any{"name": "A", "years": []any{json.Number("1"), json.Number("2")}}},
		Steps:    []workflow.Step{{ID: "one", Tool: "quote", With: map[string]any{"symbols": []any{"{{symbol}}"}}}},
		Extra:    map[string]any{"Name": "not the name"},
		Warnings: []string{"the value of argument-hint needs quotes in YAML; it was read as plain text"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
}

func TestK6_DefaultsOfWhatIsLeftOut(t *testing.T) {
	want := skill.Skill{Name: "get-my_price", DisplayName: "Get My Price", Description: "d", Version: "1.0", UserInvocable: true,
		Warnings: []string{`name "get-my_price" is not lower-case letters, digits and single hyphens`}}
	if diff := cmp.Diff(want, parse(t, "---\nname: get-my_price\ndescription: d\nversion:\n---\n")); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
}

func TestK5_FencesAreTakenAsPeopleWriteThem(t *testing.T) {
	for _, c := range []struct{ name, content, body string }{
		{"plain", "---\nname: a-b\ndescription: d\n---\nbody\n", "body\n"},
		{"byte order mark", "\ufeff---\nname: a-b\ndescription: d\n---\nbody", "body"},
		{"CRLF", "---\r\nname: a-b\r\ndescription: d\r\n---\r\nbody\r\n", "body\r\n"},
		{"leading blank lines", "\n \t\n\r\n---\nname: a-b\ndescription: d\n---\nbody", "body"},
		{"trailing blanks on fences", "--- \t\nname: a-b\ndescription: d\n---  \nbody", "body"},
		{"closing fence at the end", "---\nname: a-b\ndescription: d\n---", ""},
		{"dashes in a value", "---\nname: a-b\ndescription: d\nx: a --- b\n---\nbody", "body"},
		{"a rule in the body", "---\nname: a-b\ndescription: d\n---\nbody\n---\nmore", "body\n---\nmore"},
		{"a tab in the body", "---\nname: a-b\ndescription: d\n---\n\t---", "\t---"},
	} {
		s, body, err := skill.Parse([]byte(c.content))
		if err != nil || s.Name != "a-b" || s.Description != "d" || body != c.body {
			t.Errorf("%s: Parse = %q, %q, body %q, %v; want body %q", c.name, s.Name, s.Description, body, err, c.body)
		}
	}
}

func TestK5_DashesInABlockScalarAreText(t *testing.T) {
	s := parse(t, "---\nname: a-b\n# a comment\ndescription: |\n  above\n\n  ---\n  below: it\nmetadata:\n  list:\n    -\n      k: 1.50\n---\n")
	if want := "above\n\n---\nbelow: it"; s.Description != want {
		t.Errorf("description = %q, want %q", s.Description, want)
	}
	if diff := cmp.Diff(map[string]any{"list": []any{map[string]any{"k": json.Number("1.50")}}}, s.Metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
}

func TestK5_LinesOfDashesEndNothing(t *testing.T) {
	for _, c := range []struct {
		name, yaml string
		want       any
	}{
		{"one line block", "|-\n  ---", "---"},
		{"single quotes", "'a\n\n  ---\n\n  b'", "a\n---\nb"},
		{"double quotes", "\"a\n  ---\n  b\"", "a --- b"},
		{"plain", "a\n  ---\n  b", "a --- b"},
		{"empty items", "\n  -\n  -\n  - x", []any{nil, nil, "x"}},
	} {
		s := parse(t, skilltest.SkillFileWith("x: "+c.yaml, "last: true"))
		if diff := cmp.Diff(map[string]any{"x": c.want, "last": true}, s.Extra); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestK5_BlankLinesInABlockScalarStay(t *testing.T) {
	if s := parse(t, "---\nname: a-b\ndescription: |\n  one\n\n\n  two\n---\n"); s.Description != "one\n\n\ntwo" {
		t.Errorf("description = %q, want its blank lines", s.Description)
	}
}

func TestK5_UnquotedColonIsRecoveredWithAWarning(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"colon", "description: Reads a file. Use when: asked", "Reads a file. Use when: asked"},
		{"colon at the end", "description: Use when:", "Use when:"},
		{"colon in a continuation", "description: Reads\n  a file. Use when: asked \"so\"", `Reads a file. Use when: asked "so"`},
		{"brackets", "description: [beta] reads", "[beta] reads"},
	} {
		s, _, err := skill.Parse([]byte("---\nname: a-b\n" + c.line + "\ntools_required: [quote]\n---\n"))
		if err != nil || s.Description != c.want || len(s.Warnings) != 1 || len(s.ToolsRequired) != 1 {
			t.Errorf("%s: description = %q, tools %v, warnings %v, %v; want %q and one warning", c.name, s.Description, s.ToolsRequired, s.Warnings, err, c.want)
		}
	}
}

func TestK5_RefusalsAreDistinguished(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]"
	for _, c := range []struct {
		name, content string
		want          error
		part          string
	}{
		{"empty file", "", frontmatter.ErrMissing, ""},
		{"Markdown alone", "# Title\n\nname: a\n", frontmatter.ErrMissing, ""},
		{"four dashes", "----\nname: a-b\ndescription: d\n----\n", frontmatter.ErrMissing, ""},
		{"never closed", "\n---\nname: a-b\ndescription: d\n", frontmatter.ErrMissing, "line 2 is never closed"},
		{"empty front matter", "---\n---\nbody", skill.ErrMissingName, ""},
		{"comments alone", "---\n# nothing\n---\nbody", skill.ErrMissingName, ""},
		{"missing name", "---\ndescription: d\n---\n", skill.ErrMissingName, ""},
		{"name in capitals", "---\nName: a\ndescription: d\n---\n", skill.ErrMissingName, `found "Name"`},
		{"blank name", "---\nname: \" \"\ndescription: d\n---\n", skill.ErrMissingName, "has no text"},
		{"a list for a name", "---\nname: [a]\ndescription: d\n---\n", skill.ErrMissingName, "has no text"},
		{"a path for a name", "---\nname: ../a\ndescription: d\n---\n", skill.ErrInvalidName, ""},
		{"dots for a name", "---\nname: ..\ndescription: d\n---\n", skill.ErrInvalidName, ""},
		{"a line break in the name", "---\nname: \"a\\nb\"\ndescription: d\n---\n", skill.ErrInvalidName, ""},
		{"a bidirectional name", "---\nname: \"a\\u202eb\"\ndescription: d\n---\n", skill.ErrInvalidName, ""},
		{"markup in the name", "---\nname: a</skill>\ndescription: d\n---\n", skill.ErrInvalidName, ""},
		{"missing description", "---\nname: a\n---\n", skill.ErrMissingDescription, ""},
		{"null description", "---\nname: a\ndescription: ~\n---\n", skill.ErrMissingDescription, ""},
		{"unclosed list", "---\nname: a\ndescription: d\ntools_required: [a\n---\n", frontmatter.ErrMalformed, "line"},
		{"a tab for indentation", "---\nname: a\ndescription: d\nmetadata:\n\tk: v\n---\n", frontmatter.ErrMalformed, "line 5"},
		{"a key twice", "---\nname: a\nname: b\ndescription: d\n---\n", frontmatter.ErrMalformed, `line 3: key "name" appears twice`},
		{"no fields", "---\njust text\n---\n", frontmatter.ErrMalformed, "line 2"},
		{"a list", "---\n- name: a\n---\n", frontmatter.ErrMalformed, "line 2"},
		{"a control character", "---\nname: a\ndescription: d\x01\n---\n", frontmatter.ErrMalformed, ""},
		{"anchor", "---\nname: &n a\ndescription: d\n---\n", frontmatter.ErrAliases, "line 2"},
		{"unknown alias", skilltest.SkillFileWith("x: *nothing"), frontmatter.ErrAliases, "nothing"},
		{"emphasis unquoted", "---\nname: a\ndescription: *bold* text\n---\n", frontmatter.ErrMalformed, "line 3"},
		{"billion laughs", skilltest.SkillFileWith(bomb), frontmatter.ErrAliases, ""},
		{"nested too deep", skilltest.SkillFileWith("x: " + strings.Repeat("[", 20) + strings.Repeat("]", 20)), frontmatter.ErrNesting, "line 4"},
		{"nested absurdly deep", skilltest.SkillFileWith("metadata: " + strings.Repeat("[", 12_000)), frontmatter.ErrMalformed, ""},
		{"not UTF-8", skilltest.SkillFileWith("x: \xff"), skill.ErrNotUTF8, ""},
		{"body not UTF-8", skilltest.SkillFileWith() + "\xc3\x28", skill.ErrNotUTF8, ""},
		{"too large", skilltest.SkillFileWith() + strings.Repeat("x", skill.MaxSize), skill.ErrTooLarge, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := skill.Parse([]byte(c.content))
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.part) {
				t.Errorf("Parse = %v, want %v with %q", err, c.want, c.part)
			}
		})
	}
}

func TestK6_ABadOptionCostsAWarningNotTheSkill(t *testing.T) {
	for _, line := range []string{
		"category: [a, b]", "tools_required: {a: b}", "user-invocable: perhaps", "metadata: text", "as_of: yesterday",
		"max_age: soon", "max_age: 99999999999d", "parameters: text", "parameters: [{type: string}]", "parameters: [{name: x, required: maybe}]",
	} {
		if s := parse(t, skilltest.SkillFileWith(line)); len(s.Warnings) != 1 || !s.UserInvocable || s.MaxAge != 0 {
			t.Errorf("%s: warnings = %q, want one and the default", line, s.Warnings)
		}
	}
}

// YAML 1.1 reads some words as booleans, numbers and dates.
func TestK6_TextStaysAsWritten(t *testing.T) {
	s := parse(t, "---\nname: 401\ndescription: yes\nversion: 2.0\ncategory: 2026-01-31\n---\n")
	if s.Name != "401" || s.Description != "yes" || s.Version != "2.0" || s.Category != "2026-01-31" {
		t.Errorf("Parse = %q %q %q %q, want 401, yes, 2.0, 2026-01-31", s.Name, s.Description, s.Version, s.Category)
	}
}

// A name that looks like another skill's name has a warning, when listed and when loaded.
func TestK7_ANameInDisguiseLoadsWithAWarning(t *testing.T) {
	for name, want := range map[string]string{
		"get-pr\u0456ce": `looks like "get-price"`, "\u0441\u043e\u0440\u0443": `looks like "copy"`, "p\u0430y\u043fal": "mixes the alphabets Cyrillic and Latin",
		"get-price": "", "цена-акций": "", "größe": "", "株価チェック": "",
	} {
		s := parse(t, "---\nname: "+name+"\ndescription: d\n---\n")
		if got := strings.Join(s.Warnings, "; "); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("name %q: warnings = %q, want %q", name, got, want)
		}
	}
}

func TestK7_OddNamesAndLengthsLoadWithAWarning(t *testing.T) {
	for _, c := range []struct {
		name, description string
		warnings          int
	}{
		{"größe-2", "d", 0}, {"ａｂ", "d", 0}, // full-width letters become a and b
		{"Get Price", "d", 1}, {"a--b", "d", 1}, {"x", "d", 1}, {"-a", "d", 1},
		{strings.Repeat("n", 51), "d", 1}, {"a-b", strings.Repeat("é", 1024), 0}, {"a-b", strings.Repeat("é", 1025), 1},
	} {
		s := parse(t, "---\nname: "+c.name+"\ndescription: "+c.description+"\n---\n")
		if len(s.Warnings) != c.warnings {
			t.Errorf("name %.20q, description of %d: warnings = %q, want %d", c.name, len(c.description), s.Warnings, c.warnings)
		}
	}
	if s := parse(t, "---\nname: ａｂ\ndescription: d\n---\n"); s.Name != "ab" {
		t.Errorf("name = %q, want it normalised to ab", s.Name)
	}
}
