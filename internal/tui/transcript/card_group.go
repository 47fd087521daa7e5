package transcript

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// cardGroup is many cards of one answer, drawn as one line until it is expanded. A failed card remains
// visible if no later call of the same tool succeeded, because the answer then lacks its data.
type cardGroup struct {
	cards []*card
	open  bool
}

func (b *cardGroup) compact() bool { return true }
func (b *cardGroup) isOpen() bool  { return b.open }

// source implements block.
func (b *cardGroup) source() string {
	lines := make([]string, len(b.cards))
	for i, c := range b.cards {
		lines[i] = strings.TrimSpace(c.displayName() + "  " + c.result.Title)
	}
	return strings.Join(lines, "\n")
}

func (b *cardGroup) setOpen(open bool) { b.open = open }

func (b *cardGroup) lines(st *widget.Styles, width int) []string {
	mark := st.Good.Apply("✓")
	if b.open {
		mark = st.Good.Apply("▾")
	}
	rows := []string{mark + " " + widget.FitLine(b.summary(), width-2)}
	for i, c := range b.cards {
		if b.open || b.isMissing(i) {
			rows = append(rows, c.lines(st, width)...)
		}
	}
	return rows
}

// summary counts the lookups: "7 lookups, 1 failed · 1.4 s".
func (b *cardGroup) summary() string {
	text, failed := humanize.Count(len(b.cards), "lookup", "lookups"), 0
	var took time.Duration
	for _, c := range b.cards {
		took = max(took, c.took) // most of them ran at the same time
		if c.state == cardFailed {
			failed++
		}
	}
	if failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	if took > 0 {
		text += " · " + widget.FormatDuration(took)
	}
	return text
}

// isMissing reports whether card i failed or was interrupted and no later call of its tool succeeded.
func (b *cardGroup) isMissing(i int) bool {
	return b.cards[i].state != cardDone && !slices.ContainsFunc(b.cards[i+1:], func(later *card) bool {
		return later.name == b.cards[i].name && later.state == cardDone
	})
}

// fold replaces cards by one block in the place of the first.
func (t *Transcript) fold(cards []*card) {
	group := &cardGroup{cards: slices.Clone(cards)}
	t.keepTop(func() {
		for i, b := range t.blocks {
			if b == block(cards[0]) {
				t.blocks[i] = group
			}
		}
		t.blocks = slices.DeleteFunc(t.blocks, func(b block) bool {
			c, ok := b.(*card)
			return ok && slices.Contains(cards, c)
		})
	})
	for _, c := range cards {
		c.change(func(c *card) { c.asFigures = false })
		if t.focused == block(c) {
			t.focused = group
		}
		if t.pinned == block(c) {
			t.pinned = nil
		}
	}
	group.setOpen(t.allOpen)
}

// insertBefore adds a block before the first of these cards, or at the end if there are none.
func (t *Transcript) insertBefore(cards []*card, b block) {
	if len(cards) == 0 {
		t.add(b)
		return
	}
	t.keepTop(func() { t.blocks = slices.Insert(t.blocks, max(t.indexOf(cards[0]), 0), b) })
}

// keepTop changes the blocks and keeps the one at the top of the screen there, if it is still there.
func (t *Transcript) keepTop(change func()) {
	if !t.scrolled || t.top.block >= len(t.blocks) {
		change()
		return
	}
	top, at := t.blocks[t.top.block], t.top.block
	change()
	if t.top.block = t.indexOf(top); t.top.block == len(t.blocks) {
		t.top = position{block: min(at, len(t.blocks)-1)}
	}
}
