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

func TestK14_HeadingsWithTheSizeOfTheirSections(t *testing.T) {
	var got []string
	for _, h := range skill.Outline(outlined) {
		got = append(got, strings.Repeat("#", h.Level)+" "+h.Title)
		if h.Title == "Detail" && h.Size != len("## Detail ##\n\nb\n\n") {
			t.Errorf("Detail has %d bytes", h.Size)
		}
	}
	if diff := cmp.Diff([]string{"# Steps *first*", "## Detail", "# Second", "## Steps first"}, got); diff != "" {
		t.Errorf("Outline (-want +got):\n%s", diff)
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
		}
	})
}
