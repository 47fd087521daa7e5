package edgar

import "unicode/utf8"

// isSpace reports whether r is a blank of some width.
func isSpace(r rune) bool {
	return r == 0xA0 || r >= 0x2000 && r <= 0x200A || r == 0x202F || r == 0x205F || r == 0x3000 || r == 0x2028 || r == 0x2029 || r == 0x85
}

// isInvisibleRune reports whether r has no width, or could steer a terminal.
func isInvisibleRune(r rune) bool {
	return r == 0xAD || r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F || r == 0xFEFF ||
		r >= 0x7F && r < 0xA0 || r >= 0xE0000 && r <= 0xE0FFF // the last spell whole sentences that nobody sees
}

// windows1252 is what a byte that is not UTF-8 means in older filings.
func windows1252(c byte) rune {
	const table = "€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ"
	if c >= 0xA0 {
		return rune(c)
	}
	n := int(c - 0x80)
	for _, r := range table {
		if n == 0 {
			return r
		}
		n--
	}
	return utf8.RuneError
}
