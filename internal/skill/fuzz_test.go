package skill_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		skilltest.SkillFile("a-b"), skilltest.SkillFileWith("x: [a, {b: c}]", "parameters: [{name: x}, y, 3]"), skilltest.SkillFileWith("metadata:\n  -\n  ---\n"),
		"\ufeff\r\n---\r\nname: x\r\ndescription: a: b\r\n---", skilltest.SkillFileWith("? [a]\n: b"), skilltest.SkillFileWith("<<: {name: z}"), skilltest.SkillFileWith("y: !!binary aGk="),
		"---\nname: a\ndescription: |\n  ---\n---\n", skilltest.SkillFileWith("x: &a 1\ny: *a"), skilltest.SkillFileWith("argument-hint: [a] [b]", "when: a: b"),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		s, body, err := skill.Parse(content)
		if err != nil {
			return
		}
		if s.Name == "" || s.Description == "" || strings.ContainsAny(s.Name, "\n/\\\"<>") || !utf8.ValidString(s.Name) {
			t.Errorf("Parse accepted name %q, description %q", s.Name, s.Description)
		}
		if !strings.HasSuffix(string(content), body) {
			t.Errorf("body %q is not the end of the file", body)
		}
		again, _, err := skill.Parse(content)
		if err != nil || again.Description != s.Description {
			t.Errorf("parsing twice = %q then %q, %v", s.Description, again.Description, err)
		}
	})
}
