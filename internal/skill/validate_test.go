package skill_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

// problemsIn returns the problems of a SKILL.md in a directory, by line.
func problemsIn(t *testing.T, dir, content string) []string {
	t.Helper()
	var got []string
	for _, p := range skill.Validate(filepath.Join(skilltest.Files{dir + "/SKILL.md": content}.Write(t), dir)) {
		if filepath.Base(p.Path) != "SKILL.md" {
			t.Errorf("problem %q has path %q, want that of the SKILL.md", p.Message, p.Path)
		}
		p.Path = ""
		got = append(got, p.String())
	}
	return got
}

// wantProblem expects one problem that contains want.
func wantProblem(t *testing.T, got []string, want string) {
	t.Helper()
	if len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("problems = %q, want one with %q", got, want)
	}
}

func TestK7_ValidateAcceptsWhatTheFormatAllows(t *testing.T) {
	for name, tc := range map[string]struct{ dir, content string }{
		"the least there can be":       {"my-skill", "---\nname: my-skill\ndescription: A test\n---\nBody\n"},
		"every field of the format":    {"ab", "---\nname: ab\ndescription: d\nlicense: MIT\ncompatibility: Python 3.11+\nmetadata:\n  author: x\nallowed-tools: Bash(jq:*) Read\n---\n"},
		"tools as a list":              {"ab", "---\nname: ab\ndescription: d\nallowed-tools:\n  - Read\n  - Bash\n---\n"},
		"tools as a list in brackets":  {"ab", "---\nname: ab\ndescription: d\nallowed-tools: [Read, Write]\n---\n"},
		"every field of our own":       {"ab", knownFields},
		"Chinese":                      {"技能", "---\nname: 技能\ndescription: d\n---\n"},
		"Russian with a hyphen":        {"мой-навык", "---\nname: мой-навык\ndescription: d\n---\n"},
		"Japanese with Latin":          {"pdf変換ツール", "---\nname: pdf変換ツール\ndescription: d\n---\n"},
		"a word of another script":     {"pdf-навык", "---\nname: pdf-навык\ndescription: d\n---\n"},
		"a decomposed accent":          {"café", "---\nname: cafe\u0301\ndescription: d\n---\n"},
		"digits that YAML would count": {"2026", "---\nname: 2026\ndescription: 100\n---\n"},
		"64 characters":                {strings.Repeat("a", 64), skilltest.SkillFile(strings.Repeat("a", 64))},
		"1,024 characters of 3 bytes":  {"ab", "---\nname: ab\ndescription: " + strings.Repeat("語", 1024) + "\n---\n"},
		"500 characters of 2 bytes":    {"ab", "---\nname: ab\ndescription: d\ncompatibility: " + strings.Repeat("é", 500) + "\n---\n"},
		"CRLF and blanks after fences": {"ab", "--- \r\nname: ab\r\ndescription: d\r\n---\t\r\nBody\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := problemsIn(t, tc.dir, tc.content); len(got) > 0 {
				t.Errorf("problems = %q, want none", got)
			}
		})
	}
}

const knownFields = `---
name: ab
description: "Weighs two funds: cost first"
display_name: A and B
version: 1.0
category: finance
tools_required: [quote]
argument-hint: "[symbol]"
disable-model-invocation: true
user-invocable: false
disclaimer: Not advice
as_of: 2026-01-31
max_age: 90d
parameters:
  - {name: fee, type: percent, default: 0.5}
  - {name: side, type: enum, enum: [buy, sell], default: buy}
inputs: []
steps: []
---
`

func TestK7_ValidateRefusesNames(t *testing.T) {
	long := strings.Repeat("a", 65)
	for name, tc := range map[string]struct{ name, want string }{
		"too long":                  {long, "has 65 characters; use at most 64"},
		"too short":                 {"a", "at least 2 characters"},
		"upper case":                {"MySkill", "not in lower case"},
		"upper case in Russian":     {"НАВЫК", "not in lower case"},
		"leading hyphen":            {"-my-skill", "must not begin or end"},
		"trailing hyphen":           {"my-skill-", "must not begin or end"},
		"two hyphens":               {"my--skill", "two hyphens in a row"},
		"underscore":                {"my_skill", `'_' is not a letter`},
		"blank":                     {"my skill", `' ' is not a letter`},
		"bidirectional mark":        {"my\u202eskill", `'\u202e' is not a letter`},
		"zero width joiner":         {"my\u200dskill", `'\u200d' is not a letter`},
		"invisible letter":          {"my\u3164skill", `is not a letter`},
		"slash of another name":     {"my\u2215skill", "is not a letter"},
		"Cyrillic among Latin":      {"p\u0430ypal", `looks like "paypal"`},
		"Cyrillic throughout":       {"\u0441\u043e\u0440\u0443", `looks like "copy"`},
		"Greek o":                   {"rebal\u03bfnce", `looks like "rebalonce"`},
		"alphabets mixed in a word": {"p\u0430y\u043fal", "mixes the alphabets Cyrillic and Latin"},
	} {
		t.Run(name, func(t *testing.T) {
			wantProblem(t, problemsIn(t, tc.name, fmt.Sprintf("---\nname: %q\ndescription: d\n---\n", tc.name)), tc.want)
		})
	}
	t.Run("slash", func(t *testing.T) {
		got := skill.ValidateContent([]byte("---\nname: a/b\ndescription: d\n---\n"), "")
		if len(got) != 1 || got[0].Line != 2 || got[0].Field != "name" {
			t.Errorf("problems = %v, want one of the name on line 2", got)
		}
	})
	t.Run("unlike its directory", func(t *testing.T) {
		wantProblem(t, problemsIn(t, "wrong-name", skilltest.SkillFile("right-name")), `the name is "right-name", but the folder is named "wrong-name"`)
	})
}

func TestK7_ValidateRefusesTheFile(t *testing.T) {
	for name, tc := range map[string]struct{ content, want string }{
		"nothing in it":          {"", "no front matter"},
		"no fence":               {"# Title\n", "no front matter"},
		"raw JSON":               {`{"name": "ab"}`, "no front matter"},
		"a fence never closed":   {"---\nname: ab\n", "line 1: no front matter: the fence on line 1 is never closed"},
		"text before the fence":  {"\n" + skilltest.SkillFile("ab"), "must start the file"},
		"byte order mark":        {"\ufeff" + skilltest.SkillFile("ab"), "must start the file"},
		"a list":                 {"---\n- name\n---\n", "line 2"},
		"text":                   {"---\nname\n---\n", "expected `key: value` lines"},
		"malformed":              {"---\nname: ab\ndescription: \"d\n---\n", "invalid YAML"},
		"a colon without quotes": {"---\nname: ab\ndescription: Use when: asked\n---\n", "line 3: invalid YAML"},
		"an alias":               {"---\nname: &n ab\ndescription: *n\n---\n", "aliases are not accepted"},
		"a tag":                  {"---\nname: ab\ndescription: !!str 7\n---\n", "line 3: YAML tag !!str"},
		"a key twice":            {"---\nname: ab\nname: ab\ndescription: d\n---\n", `line 3: invalid YAML in front matter: line 3: key "name" appears twice`},
		"a key twice, deeper":    {"---\nname: ab\ndescription: d\nmetadata:\n  a: 1\n  a: 2\n---\n", `line 6: key "a" appears twice`},
		"not UTF-8":              {"---\nname: ab\ndescription: caf\xe9\n---\n", "line 3: not UTF-8"},
		"over 100 KB":            {skilltest.SkillFile("ab") + strings.Repeat("x", skill.MaxSize), "larger than 100 KB"},
	} {
		t.Run(name, func(t *testing.T) {
			wantProblem(t, problemsIn(t, "ab", tc.content), tc.want)
		})
	}
}

func TestK7_ValidateRefusesFields(t *testing.T) {
	for name, tc := range map[string]struct{ field, want string }{
		"unexpected":              {"author: me", "line 4: author: unexpected field"},
		"unexpected by its case":  {"License: MIT", "License: unexpected field; keys are case-sensitive: write license"},
		"compatibility too long":  {"compatibility: " + strings.Repeat("x", 501), "has 501 characters; use at most 500"},
		"compatibility no text":   {"compatibility: [a]", "compatibility: must be text"},
		"tools as a number":       {"allowed-tools: 123", "allowed-tools"},
		"tools with a number":     {"allowed-tools: [Read, 123]", "not 123"},
		"metadata as text":        {"metadata: me", "metadata is not a map"},
		"an age that is none":     {"max_age: soon", "max_age is not an age"},
		"a switch that is none":   {"user-invocable: perhaps", "user-invocable is not true or false"},
		"hidden text":             {`license: "MIT\u202e"`, "license: contains the invisible character U+202E"},
		"an escape sequence":      {`disclaimer: "\x1b[2J"`, "invisible character U+001B"},
		"unknown parameter type":  {"parameters: [{name: a, type: widget}]", `parameter a: unknown type "widget"`},
		"a parameter twice":       {"parameters: [{name: a}, {name: a}]", "a is declared twice"},
		"an enum without values":  {"parameters: [{name: a, type: enum}]", "a is an enum without values"},
		"a default out of bounds": {"parameters: [{name: a, enum: [x, y], default: z}]", "the default of a"},
		"a parameter's bad name":  {"parameters: [{name: a b}]", `invalid parameter name "a b"`},
	} {
		t.Run(name, func(t *testing.T) {
			wantProblem(t, problemsIn(t, "ab", "---\nname: ab\ndescription: d\n"+tc.field+"\n---\n"), tc.want)
		})
	}
	t.Run("description too long", func(t *testing.T) {
		wantProblem(t, problemsIn(t, "ab", "---\nname: ab\ndescription: "+strings.Repeat("é", 1025)+"\n---\n"), "line 3: description: has 1025 characters; use at most 1024")
	})
	t.Run("description a list", func(t *testing.T) {
		wantProblem(t, problemsIn(t, "ab", "---\nname: ab\ndescription: [a, b]\n---\n"), "description: must be text")
	})
}

func TestK24_ValidateGivesAllProblemsAtOnceByLine(t *testing.T) {
	content := "\n---\nname: My_Skill\nauthor: me\ncompatibility: " + strings.Repeat("x", 501) + "\nallowed-tools: [1]\nversion:\n  a: b\n---\n"
	want := []string{
		"description: required field is missing",
		"line 1: the front matter must start the file: remove everything before the first ---",
		`line 3: name: "My_Skill" is not in lower case`,
		`line 3: name: '_' is not a letter, digit or hyphen`,
		`line 3: name: the name is "My_Skill", but the folder is named "dir"; they must be equal: write name: dir, or rename the folder to My_Skill`,
		"line 4: author: unexpected field; put custom fields under metadata",
		"line 5: compatibility: has 501 characters; use at most 500",
		"line 6: allowed-tools: must be text or a list of text items, not 1",
		"line 7: version: version is not text",
	}
	if diff := cmp.Diff(want, problemsIn(t, "dir", content)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	both := problemsIn(t, "ab", "---\ndescription: Use when: asked\nNAME: x\n---\n")
	if len(both) != 3 {
		t.Errorf("problems = %q, want the colon, the missing name and the key in the wrong case", both)
	}
}

func TestK24_ValidateTakesAPathAsItIs(t *testing.T) {
	dir := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "cd/skill.md": skilltest.SkillFile("cd"), "ef/notes.txt": "", "notes.md": skilltest.SkillFile("anything")}.Write(t)
	for path, want := range map[string]string{
		"ab": "", "ab/SKILL.md": "", "notes.md": "",
		"cd": "must be named SKILL.md", "cd/skill.md": "must be named SKILL.md",
		"ef": "no SKILL.md found", "nowhere": "cannot be read", "ab/SKILL.md/x": "cannot be read",
	} {
		got := skill.Validate(filepath.Join(dir, path))
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.Contains(got[0].Message, want)) {
			t.Errorf("Validate(%s) = %v, want %q", path, got, want)
		}
	}
	t.Chdir(filepath.Join(dir, "ab"))
	if got := skill.Validate("."); len(got) > 0 {
		t.Errorf("Validate(.) in the skill's directory = %v, want none", got)
	}
	if err := os.Mkdir("references", 0o755); err != nil {
		t.Fatal(err)
	}
	if got := skill.Validate("references"); len(got) != 1 {
		t.Errorf("Validate(references) = %v, want one problem", got)
	}
}
