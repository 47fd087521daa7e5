package widget

import (
	"slices"
	"strings"
)

// MessageHistory holds the sent messages, to be recalled while the user writes another. The zero
// value holds none.
type MessageHistory struct {
	sent  []string // oldest first, without repetitions in a row
	shown int      // index of the shown message; len(sent) if none is
}

// Remember adds a message.
func (h *MessageHistory) Remember(text string) {
	if n := len(h.sent); n == 0 || h.sent[n-1] != text {
		h.sent = append(h.sent, text)
	}
	h.StopRecall()
}

// Prepend adds older messages, oldest first, which other chats sent and which are loaded later.
// Messages that are there already keep their position.
func (h *MessageHistory) Prepend(older []string) {
	known := make(map[string]bool, len(h.sent))
	for _, text := range h.sent {
		known[text] = true
	}
	var before []string
	for _, text := range older {
		if n := len(before); !known[text] && (n == 0 || before[n-1] != text) {
			before = append(before, text)
		}
	}
	h.sent = append(before, h.sent...)
	h.shown += len(before)
}

// StopRecall ends the recall: the next recalled message is the latest.
func (h *MessageHistory) StopRecall() { h.shown = len(h.sent) }

// Recall moves through the messages, back with -1, and returns the text to show instead of
// written; at either end it returns written. Only an empty text or an unchanged recalled one may
// be replaced; ok is false for any other.
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

// MergeWith returns the kept messages of all chats, followed by the messages that only this chat
// has, oldest first. It does not change the history.
func (h *MessageHistory) MergeWith(kept []string) []string {
	known := make(map[string]bool, len(kept))
	for _, text := range kept {
		known[text] = true
	}
	all := slices.Clip(kept)
	for _, text := range h.sent {
		if !known[text] {
			all = append(all, text)
		}
	}
	return all
}

// FindMessages returns at most most of the messages that contain all words, ignoring case, newest
// first and each once. Without words it returns all. messages are ordered oldest first.
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
