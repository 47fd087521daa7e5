package skill_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
)

const outlined = `Intro

# Steps *first*

a

## Detail ##

b

Second
======

` + "```\n# not a heading\n```" + `

> # nor this

## Steps first
`

func TestOutline_HeadingsWithTheSizeOfTheirSections(t *testing.T) {
	var got []string
	for _, h := range skill.Outline(outlined) {
		got = append(got, strings.Repeat("#", h.Level)+" "+h.Title)
		if section, ok := skill.Section(outlined, h.Title); !ok || h.Title == "Detail" && len(section) != h.Size {
			t.Errorf("Section(%q) = %q, %v; want %d bytes", h.Title, section, ok, h.Size)
		}
	}
	if diff := cmp.Diff([]string{"# Steps *first*", "## Detail", "# Second", "## Steps first"}, got); diff != "" {
		t.Errorf("Outline (-want +got):\n%s", diff)
	}
}

func TestSection_RunsToTheNextHeadingOfItsRank(t *testing.T) {
	for title, want := range map[string]string{
		"Steps *first*": "# Steps *first*\n\na\n\n## Detail ##\n\nb\n\n",
		"detail":        "## Detail ##\n\nb\n\n",
		" ## DETAIL":    "## Detail ##\n\nb\n\n",
		"Steps first":   "## Steps first\n",
	} {
		if got, ok := skill.Section(outlined, title); !ok || got != want {
			t.Errorf("Section(%q) = %q, %v; want %q", title, got, ok, want)
		}
	}
	if got, ok := skill.Section(outlined, "not a heading"); ok {
		t.Errorf("Section of code = %q, want none", got)
	}
}

func FuzzOutline(f *testing.F) {
	for _, seed := range []string{outlined, "#", "# \n", "a\n=", "# a\r\n# b", "\t# a", "> # a\n# b\n", "#\ta\n\n#  b #", "\ufeff# a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, h := range skill.Outline(body) {
			if h.Size <= 0 || h.Size > len(body) || h.Level < 1 || h.Level > 6 {
				t.Errorf("heading %+v of %q", h, body)
			}
			skill.Section(body, h.Title)
		}
	})
}
