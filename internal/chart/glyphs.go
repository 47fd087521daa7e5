package chart

// glyphs are the characters of a charset, each one cell wide.
type glyphs struct {
	ascii        bool
	unicodeNames bool // keep the letters of names even with ascii
	// across and down are the numbers of dots in a cell. dots returns the character for a set of dots, which
	// are numbered row by row from the upper left.
	across, down int
	dots         func(mask uint8) rune
	// letters distinguish series if neither dots nor colors can, or "".
	letters string

	wall, wallTick         rune
	corner, rule, ruleTick rune
	reference              rune // the line of a reference value
	outer, inner           rune // the bands of a fan
	// columns fill a cell from below, bars from the left, in equal steps; leftward is the character
	// of a bar to the left of zero.
	columns, bars []rune
	leftward      rune
	spark         []rune

	ellipsis, pointer, stroke string
	mean, median              string
}

// seriesLetters are the signs of the series, in their order.
const seriesLetters = "*o+x#@"

func glyphsOf(c Charset) *glyphs {
	if c == CharsetASCII {
		return &glyphs{
			ascii: true, across: 1, down: 2,
			dots:    func(mask uint8) rune { return rune(" '.:"[mask&3]) },
			letters: seriesLetters,
			wall:    '|', wallTick: '+', corner: '+', rule: '-', ruleTick: '+',
			reference: '-', outer: '.', inner: ':',
			columns: []rune("_#"), bars: []rune("-#"), leftward: '#',
			spark:    []rune(".:-=+*%#"),
			ellipsis: "~", pointer: "<", stroke: "-", mean: "^", median: "v",
		}
	}
	g := &glyphs{
		across: 2, down: 4, dots: braille,
		wall: '│', wallTick: '┤', corner: '└', rule: '─', ruleTick: '┬',
		reference: '┈', outer: '░', inner: '▒',
		columns: []rune("▁▂▃▄▅▆▇█"), bars: []rune("▏▎▍▌▋▊▉█"), leftward: '█',
		spark:    []rune("▁▂▃▄▅▆▇█"),
		ellipsis: "…", pointer: "◂", stroke: "━", mean: "▲", median: "△",
	}
	if c == CharsetBlock {
		g.down, g.dots = 2, quarters
	}
	return g
}

// braille maps the dots of a cell to a Braille character, whose dots are numbered by column,
// except for the lowest row, which was added later.
func braille(mask uint8) rune {
	const order = "\x01\x08\x02\x10\x04\x20\x40\x80"
	var bits rune
	for i := range len(order) {
		if mask&(1<<i) != 0 {
			bits |= rune(order[i])
		}
	}
	return 0x2800 + bits
}

func quarters(mask uint8) rune {
	return [...]rune{
		' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
	}[mask&15]
}

// candlePart is the part of a candle in half a cell.
type candlePart uint8

const (
	candleNone candlePart = iota
	candleWick
	candleBody
)

// candle returns the character for the upper and lower half of a cell. Rising candles have a thin
// body and falling ones a full body, so that they differ without color.
func (g *glyphs) candle(upper, lower candlePart, rose bool) rune {
	if g.ascii {
		switch {
		case upper != candleBody && lower != candleBody:
			return '|'
		case rose:
			return 'o'
		}
		return '#'
	}
	kind := 3*upper + lower
	if !rose {
		switch kind {
		case 3*candleBody + candleBody:
			return '█'
		case 3*candleBody + candleNone:
			return '▀'
		case 3*candleNone + candleBody:
			return '▄'
		}
	}
	return [...]rune{' ', '╷', '╻', '╵', '│', '╽', '╹', '╿', '┃'}[kind]
}
