package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// answer returns about n tokens of a typical model's answer, at four bytes per token.
func answer(n int) string {
	part := "## Returns since 2008\n\nFrom 2008-01-02 to 2020-04-17 the index rose **98.6%** in all¹, 5.7% a year², with " +
		"volatility of `21.2%` a year³. The worst fall was *53.3%*⁴, see [the method](https://example.com/method).\n\n" +
		"- **VTI** total market, 0.03% a year\n- **BND** bonds, `0.03%`\n  - nested with some words\n\n" +
		"| Symbol | Price | Change |\n|---|---|---|\n| AAPL | 184.25 | +0.69% |\n| MSFT | 402.10 | -0.12% |\n\n" +
		"```go\nfunc main() {\n\tprintln(\"not financial advice\")\n}\n```\n\n1. First, look at the fees.\n2. Then at the rest.\n\n> Past performance is no guide.\n\n"
	var b strings.Builder
	for b.Len() < 4*n {
		b.WriteString(part)
	}
	return b.String()
}

func repeated(line func(i int) string) func(tokens int) string {
	return func(tokens int) string {
		var b strings.Builder
		for i := 0; b.Len() < 4*tokens; i++ {
			b.WriteString(line(i))
		}
		return b.String()
	}
}

var shapes = []struct {
	name string
	text func(tokens int) string
}{
	{"answer", answer},
	{"list", repeated(func(i int) string { return fmt.Sprintf("- item %d with **some** words\n", i) })},
	{"nested", func(n int) string {
		return "- top\n" + repeated(func(i int) string { return fmt.Sprintf("  - item %d with **some** words\n", i) })(n)
	}},
	{"code", func(n int) string {
		return "```\n" + repeated(func(i int) string { return fmt.Sprintf("line(%d) = %d\n", i, i*i) })(n)
	}},
	{"table", func(n int) string {
		return "| Symbol | Price | Note |\n|---|---|---|\n" + repeated(func(i int) string { return fmt.Sprintf("| S%d | %d.25 | some note %d |\n", i, i*7%1000, i) })(n)
	}},
	{"paragraph", repeated(func(i int) string { return fmt.Sprintf("sentence %d goes on with **words**. ", i) })},
	{"lines", repeated(func(i int) string { return fmt.Sprintf("line %d goes on with `words`.\n", i) })},
	{"quote", repeated(func(i int) string { return fmt.Sprintf("> line %d goes on.\n", i) })},
	{"minified", func(n int) string { return "```json\n" + strings.Repeat(`{"a":1,`, n*4/7) }},
	{"go", func(n int) string {
		return "```go\n" + repeated(func(i int) string { return fmt.Sprintf("\tif s[%d] == \"text\" { return %d } // why\n", i, i) })(n)
	}},
	{"columns", func(n int) string {
		return strings.Repeat("|a", n/2) + "|\n" + strings.Repeat("|-", n/2) + "|\n" + strings.Repeat("|1", n)
	}},
	{"money", func(n int) string {
		return "| Symbol | Price |\n|---|---|\n" + repeated(func(i int) string { return fmt.Sprintf("| S%d | $%d.25 bn |\n", i, i*7%1000) })(n)
	}},
	{"definitions", repeated(func(i int) string { return fmt.Sprintf("[r%d]: https://example.com/%d\n\n", i, i) })},
	{"quotes", func(n int) string { return strings.Repeat(">", 4*n) }},
	{"chinese", repeated(func(i int) string {
		return fmt.Sprintf("第%d段：指数在此期间上涨，**波动率**为每年百分之二十一。最大回撤发生在二〇〇九年三月。\n\n", i)
	})},
}

func BenchmarkRender(b *testing.B) {
	for _, s := range shapes {
		src, o := s.text(20_000), markdown.Options{Width: 100, Theme: markdown.DarkTheme()}
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				markdown.Render(src, o)
			}
		})
	}
}

// BenchmarkStream writes an answer in pieces of 4 bytes and draws every 120 bytes, which is 30 times a second
// at 1,000 tokens per second.
func BenchmarkStream(b *testing.B) {
	for _, s := range shapes {
		for _, tokens := range []int{5_000, 10_000, 20_000, 40_000} {
			src := s.text(tokens)
			b.Run(fmt.Sprintf("%s/%d", s.name, tokens), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					stream(src, 120)
				}
			})
		}
	}
}

// stream writes src in pieces of 4 bytes and draws it every that many bytes.
func stream(src string, every int) {
	s := markdown.NewStream(markdown.Options{Width: 100, Theme: markdown.DarkTheme()})
	for i := 0; i < len(src); i += 4 {
		s.Write(src[i:min(i+4, len(src))])
		if i%every == 0 {
			s.Lines()
		}
	}
	s.Lines()
}

func BenchmarkSanitize(b *testing.B) {
	src := answer(20_000)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		markdown.Sanitize(src)
	}
}
