package widget

import (
	"slices"
	"strings"
)

// MessageHistory is the messages that were sent, to be called back while another one is
// being written. The zero value holds none.
type MessageHistory struct {
	sent  []string // oldest first, never the same twice running
	shown int      // which of them is shown; len(sent) means none
}

// Remember keeps a message.
func (h *MessageHistory) Remember(text string) {
	if n := len(h.sent); n == 0 || h.sent[n-1] != text {
		h.sent = append(h.sent, text)
	}
	h.StopRecall()
}

// Prepend puts messages before those there are, oldest first: what was sent in
// other chats comes when a file was read. Those that are there already are left
// where they are.
func (h *MessageHistory) Prepend(older []string) {
	there := make(map[string]bool, len(h.sent))
	for _, text := range h.sent {
		there[text] = true
	}
	var before []string
	for _, text := range older {
		if n := len(before); !there[text] && (n == 0 || before[n-1] != text) {
			before = append(before, text)
		}
	}
	h.sent = append(before, h.sent...)
	h.shown += len(before)
}

// StopRecall shows none of the messages: the next one called back is the latest.
func (h *MessageHistory) StopRecall() { h.shown = len(h.sent) }

// Recall goes through the messages, back with -1, and gives the text to write in
// the place of what is written: that itself at an end. Only an untouched
// recalled text, or none, may be replaced; ok is false for any other.
func (h *MessageHistory) Recall(step int, written string) (text string, ok bool) {
	untouched := h.shown < len(h.sent) && written == h.sent[h.shown]
	if written != "" && !untouched {
		return "", false
	}
	next := h.shown + step
	if next < 0 || next > len(h.sent) || written == "" && step > 0 {
		return written, untouched
	}
	h.shown = next
	if next == len(h.sent) {
		return "", true
	}
	return h.sent[next], true
}

// MergeWith are the kept messages of all chats with those that only this one knows
// behind them, oldest first. The history itself stays as it is.
func (h *MessageHistory) MergeWith(kept []string) []string {
	there := make(map[string]bool, len(kept))
	for _, text := range kept {
		there[text] = true
	}
	all := slices.Clip(kept)
	for _, text := range h.sent {
		if !there[text] {
			all = append(all, text)
		}
	}
	return all
}

// FindMessages gives the messages that hold all of words, whatever their case, the newest
// first and each once, at most so many. No words find all. The messages come with
// the oldest first.
func FindMessages(messages []string, words string, most int) []string {
	wanted := strings.Fields(strings.ToLower(words))
	seen := map[string]bool{}
	var found []string
	for _, text := range slices.Backward(messages) {
		if len(found) == most {
			break
		}
		if !seen[text] && containsAll(strings.ToLower(text), wanted) {
			found = append(found, text)
		}
		seen[text] = true
	}
	return found
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
