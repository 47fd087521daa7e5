package widget

import (
	"slices"
	"strings"
)

// MessageHistory holds the sent messages for recall. The zero value holds none.
type MessageHistory struct {
	sent  []string // oldest first, without consecutive duplicates
	shown int      // index of the recalled message, or len(sent)
}

// Remember adds a message.
func (h *MessageHistory) Remember(text string) {
	if n := len(h.sent); n == 0 || h.sent[n-1] != text {
		h.sent = append(h.sent, text)
	}
	h.StopRecall()
}

// Prepend adds messages of other chats before the others, oldest first. It skips known messages.
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

// StopRecall ends the recall. The next recalled message is the latest.
func (h *MessageHistory) StopRecall() { h.shown = len(h.sent) }

// Recall moves through the messages, back with -1, and returns the text to show instead of written;
// at either end it returns written. ok is false if written is neither empty nor the recalled message.
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

// MergeWith returns the stored messages of all chats, followed by the messages that only this chat
// has, oldest first. It does not change the history.
func (h *MessageHistory) MergeWith(stored []string) []string {
	known := make(map[string]bool, len(stored))
	for _, text := range stored {
		known[text] = true
	}
	all := slices.Clip(stored)
	for _, text := range h.sent {
		if !known[text] {
			all = append(all, text)
		}
	}
	return all
}

// FindMessages returns the messages that contain all words of query, ignoring case: at most limit,
// newest first and each once. messages are ordered oldest first.
func FindMessages(messages []string, query string, limit int) []string {
	words := strings.Fields(strings.ToLower(query))
	seen := map[string]bool{}
	var found []string
	for _, text := range slices.Backward(messages) {
		if len(found) == limit {
			break
		}
		if !seen[text] && containsAll(strings.ToLower(text), words) {
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

// Latest returns at most n distinct single-line messages, latest first.
func (h *MessageHistory) Latest(n int) []string {
	var out []string
	for _, text := range slices.Backward(h.sent) {
		if text = strings.TrimSpace(text); len(out) < n && text != "" && !strings.Contains(text, "\n") && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// maxRecentCommands is the maximum number of messages that RecentCommands looks at.
const maxRecentCommands = 50

// RecentCommands returns the names of the latest commands, latest first.
func (h *MessageHistory) RecentCommands() []string {
	var names []string
	for _, text := range slices.Backward(h.sent[max(len(h.sent)-maxRecentCommands, 0):]) {
		if name, _, ok := ParseCommand(text); ok && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
