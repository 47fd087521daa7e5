package widget_test

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// keyOf returns the press of a key by its name: "ctrl+r", "esc", "é".
func keyOf(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	}
	var k tea.KeyPressMsg
	base := name
	for {
		before, after, held := strings.Cut(base, "+")
		mod, ok := map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[before]
		if !held || !ok || after == "" {
			break
		}
		base, k.Mod = after, k.Mod|mod
	}
	code, named := codes[base]
	if k.Code = code; !named {
		k.Code, _ = utf8.DecodeRuneInString(base)
		if k.Mod == 0 {
			k.Text = base
		}
	}
	return k
}
