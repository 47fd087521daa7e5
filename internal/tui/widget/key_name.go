package widget

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// namedKeys are the keys that have a name in the place of a letter, as Bubble Tea
// gives them, each with how people write it.
func namedKeys() map[string]string {
	return map[string]string{
		"enter": "Enter", "tab": "Tab", "esc": "Esc", "space": "Space", "backspace": "Backspace", "delete": "Delete", "insert": "Insert",
		"up": "Up", "down": "Down", "left": "Left", "right": "Right", "home": "Home", "end": "End", "pgup": "PgUp", "pgdown": "PgDn",
		"f1": "F1", "f2": "F2", "f3": "F3", "f4": "F4", "f5": "F5", "f6": "F6",
		"f7": "F7", "f8": "F8", "f9": "F9", "f10": "F10", "f11": "F11", "f12": "F12",
	}
}

// keyModifiers in the order in which Bubble Tea writes them.
func keyModifiers() []string { return []string{"ctrl", "alt", "shift", "meta", "hyper", "super"} }

// ParseKey parses a key as people write it ("Ctrl+R", "PgUp", "?", "alt+enter") and returns its
// name in Bubble Tea. Its error says what keys look like.
func ParseKey(text string) (string, error) {
	wrong := func(why string) (string, error) {
		return "", fmt.Errorf("%q is no key: %s; keys look like ctrl+r, alt+enter, pgup, f5 or ?", text, why)
	}
	rest := strings.TrimSpace(text)
	modified := map[string]bool{}
	for {
		// A plus sign can be the key itself: "+", "ctrl++".
		before, after, found := strings.Cut(rest, "+")
		if !found || before == "" || after == "" {
			break
		}
		name := strings.ToLower(before)
		if !slices.Contains(keyModifiers(), name) {
			return wrong(before + " cannot be held")
		}
		modified[name], rest = true, after
	}
	key := baseKey(rest, len(modified) > 0)
	if key == "" {
		return wrong("it has to end in a letter, a sign or the name of a key")
	}
	if modified["shift"] && len(modified) == 1 && utf8.RuneCountInString(key) == 1 {
		return wrong("with Shift a letter is another letter: write that")
	}
	var out strings.Builder
	for _, m := range keyModifiers() {
		if modified[m] {
			out.WriteString(m + "+")
		}
	}
	return out.String() + key, nil
}

// baseKey is the key that modifiers may stand before, or "".
func baseKey(text string, held bool) string {
	lower := strings.ToLower(text)
	if _, ok := namedKeys()[lower]; ok {
		return lower
	}
	for alias, name := range map[string]string{"pageup": "pgup", "pagedown": "pgdown", "pgdn": "pgdown", "escape": "esc", "return": "enter", "del": "delete", "ins": "insert"} {
		if lower == alias {
			return name
		}
	}
	r, size := utf8.DecodeRuneInString(text)
	if size != len(text) || size == 0 || r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
		return ""
	}
	if held {
		return lower
	}
	return text
}

// KeyLabel returns a key as people write it: "Ctrl+R", "PgDn", "e".
func KeyLabel(key string) string {
	out := ""
	for {
		before, after, found := strings.Cut(key, "+")
		if !found || before == "" || after == "" {
			break
		}
		out, key = out+strings.ToUpper(before[:1])+before[1:]+"+", after
	}
	if name, ok := namedKeys()[key]; ok {
		return out + name
	}
	// Some letters share the capital of another, and would be shown as that one.
	if upper := strings.ToUpper(key); out != "" && strings.ToLower(upper) == key {
		key = upper
	}
	return out + key
}
