package tui_test

import (
	"context"
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui"
)

// shownModel returns a model on a colored screen of 120x40.
func shownModel(cfg tui.Config) *tui.Model {
	cfg.Theme = tui.ThemeDark
	m := tui.New(context.Background(), complete(cfg))
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	return m
}

// BenchmarkView measures the cost of a frame, which must not depend on the length of the conversation.
func BenchmarkView(b *testing.B) {
	for _, n := range []int{2_500, 5_000, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := shownModel(long(n / 2)())
			b.ReportAllocs()
			for b.Loop() {
				m.View()
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{2_500, 5_000, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			cfg := long(n / 2)()
			b.ReportAllocs()
			for b.Loop() {
				shownModel(cfg).View()
			}
		})
	}
}

func BenchmarkKeystroke(b *testing.B) {
	for _, n := range []int{2_500, 5_000, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			m := shownModel(long(n / 2)())
			keys := []tea.KeyPressMsg{{Code: 'a', Text: "a"}, {Code: tea.KeyBackspace}}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m.Update(keys[i%2])
				m.View()
			}
		})
	}
}
