package draft

// History is the messages of a conversation, to be called back while another
// one is being written. The zero value holds none.
type History struct {
	sent  []string // oldest first, never the same twice running
	shown int      // which of them is shown; len(sent) means none
}

// Remember keeps a message.
func (h *History) Remember(text string) {
	if n := len(h.sent); n == 0 || h.sent[n-1] != text {
		h.sent = append(h.sent, text)
	}
	h.Leave()
}

// Leave shows none of the messages: the next one called back is the latest.
func (h *History) Leave() { h.shown = len(h.sent) }

// Recall goes through the messages, back with -1, and gives the text to write in
// the place of what is written: that itself at an end. Only an untouched
// recalled text, or none, may be replaced; ok is false for any other.
func (h *History) Recall(step int, written string) (text string, ok bool) {
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
