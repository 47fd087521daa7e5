package markdown_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/markdown"
)

func TestCode_MayContainBackticks(t *testing.T) {
	if got, want := markdown.QuoteCode("a `b` c"), "`a 'b' c`"; got != want {
		t.Errorf("Code = %q, want %q", got, want)
	}
}

func TestQuote_SaysInMarkdownWhatTheTextSays(t *testing.T) {
	if got, want := markdown.Escape("*a* [b] `c` <d>|\n_e_"), `\*a\* \[b] 'c' \<d>\| \_e\_`; got != want {
		t.Errorf("Quote = %q, want %q", got, want)
	}
}
