package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

// WriteJSON writes v as indented JSON.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(controlEscaper{w})
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// controlEscaper writes text with EscapeControls. Each Write must hold whole characters.
type controlEscaper struct{ w io.Writer }

func (e controlEscaper) Write(text []byte) (int, error) {
	if _, err := e.w.Write(EscapeControls(text)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// EscapeControls escapes characters that a terminal would interpret as \\u sequences, so that JSON
// is safe to display. encoding/json escapes only those below space.
func EscapeControls(text []byte) []byte {
	var out []byte
	copied := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if size > 1 && isTerminalControl(r) || r == 0x7f {
			out = append(out, text[copied:i]...)
			out = fmt.Appendf(out, "\\u%04x", r)
			copied = i + size
		}
		i += size
	}
	if copied == 0 {
		return text
	}
	return append(out, text[copied:]...)
}

// isTerminalControl reports whether r is a C1 control or changes the text direction.
func isTerminalControl(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f, r == 0x200e, r == 0x200f, r == 0x061c,
		r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}
