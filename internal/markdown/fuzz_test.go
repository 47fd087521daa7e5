package markdown_test

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// definition matches what may define a link for references above it, which a Stream, unlike Render, does not
// apply.
var definition = regexp.MustCompile(`\[[^\[\]]*(\\.[^\[\]]*)*\]:`)

func FuzzRender(f *testing.F) {
	for i, src := range fragments {
		f.Add(src, 1+i)
	}
	for i, p := range payloads {
		f.Add(p.in, 1+3*i)
	}
	f.Fuzz(func(t *testing.T, src string, width int) {
		width = max(1, min(width, 200))
		for _, o := range []markdown.Options{
			{Width: width},
			{Width: width, Theme: markdown.DarkTheme(), Hyperlinks: true, ScrollTables: true, TableOffset: len(src) % 4},
		} {
			checkLines(t, src, o, markdown.Render(src, o))
		}
	})
}

func FuzzStream(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		f.Add(randomDocument(r), uint64(1))
	}
	f.Fuzz(func(t *testing.T, src string, seed uint64) {
		src = markdown.Sanitize(src)
		if definition.MatchString(src) {
			t.Skip("defines links")
		}
		r := rand.New(rand.NewPCG(seed, 7))
		equalAtEveryCut(t, r, src, options(r))
	})
}
