package skill_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
)

// outlined is too short to be given as an outline; tests put prose behind it.
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
	body := outlined + longProse(skill.MaxExcerpt)
	outline := readExcerpt(t, body, "").Outline
	want := []string{"0 (the beginning)", "1 Steps *first*", "1.1 Detail", "2 Second", "2.1 Steps first"}
	if diff := cmp.Diff(want, titles(outline)); diff != "" {
		t.Fatalf("outline (-want +got):\n%s", diff)
	}
	if got, want := outline[2].Size, len("## Detail ##\n\nb\n\n"); got != want {
		t.Errorf("Detail has %d bytes, want %d", got, want)
	}
}

// However headings are written, the sections of an outline are pieces of the body.
func FuzzNewExcerpt_Outline(f *testing.F) {
	for _, seed := range []string{outlined, "#", "# \n", "a\n=", "# a\r\n# b", "\t# a", "> # a\n# b\n", "#\ta\n\n#  b #", "\ufeff# a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, head string) {
		body := head + "\n\n" + longProse(skill.MaxExcerpt)
		outline := readExcerpt(t, body, "").Outline
		if len(outline) == 0 {
			t.Fatalf("no outline of a body of %d bytes", len(body))
		}
		for _, p := range outline {
			if p.Size <= 0 || p.Size > len(body) || p.Section == "" {
				t.Errorf("part %+v of %q", p, head)
			}
		}
	})
}
