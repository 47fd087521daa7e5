package markdown_test

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
)

func ExampleRender() {
	src := "The index rose **98.6%**¹.\n\n| Symbol | Price |\n|---|---|\n| AAPL | 184.25 |\n| GE | 6.7 |\n"
	for _, line := range markdown.Render(src, markdown.Options{Width: 60, Theme: markdown.PlainTheme()}) {
		fmt.Println(line)
	}
	// Output:
	// The index rose 98.6%¹.
	//
	// Symbol   Price
	// ──────  ──────
	// AAPL    184.25
	// GE         6.7
}

func ExampleStream() {
	s := markdown.NewStream(markdown.Options{Width: 60})
	for _, delta := range []string{"- fe", "es\n- ta", "xes\n\nBoth **coun", "t**."} {
		s.Write(delta)
		fmt.Printf("%q\n", s.Lines())
	}
	// Output:
	// ["• fe"]
	// ["• fees" "• ta"]
	// ["• fees" "• taxes" "" "Both **coun"]
	// ["• fees" "• taxes" "" "Both count."]
}

func ExampleTableScroll() {
	src := "|Fund|2017|2018|2019|2020|\n|-|-|-|-|-|\n|VTI|1,234,567.89|−234,567.89|1,834,567.89|2,234,567.89|\n"
	o := markdown.Options{Width: 48, ScrollTables: true}
	o.TableOffset = min(o.TableOffset+1, markdown.TableScroll(src, o)) // the reader asks for the columns on the right
	for _, line := range markdown.Render(src, o) {
		fmt.Println(line)
	}
	// Output:
	// ← → 1 more column
	// Fund         2018          2019          2020
	// ────  ───────────  ────────────  ────────────
	// VTI   −234,567.89  1,834,567.89  2,234,567.89
}

func ExampleSanitize() {
	fmt.Println(markdown.Sanitize("price \x1b]0;pwned\x07184.25\x1b[2J"))
	// Output: price 184.25
}

func ExampleStyle_Apply() {
	gain := markdown.DarkTheme().Gain.Apply("+0.69%")
	fmt.Println(strings.ReplaceAll(gain, "\x1b", "ESC"), markdown.PlainTheme().Gain.Apply("+0.69%"))
	// Output: ESC[38;5;78m+0.69%ESC[m +0.69%
}
