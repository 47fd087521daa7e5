package chart

// Charset says with which characters a chart is drawn.
type Charset uint8

const (
	// CharsetBraille draws lines with eight dots to a cell. It needs a font that has them.
	CharsetBraille Charset = iota
	// CharsetBlock draws lines with the quarters of a cell.
	CharsetBlock
	// CharsetASCII draws, and writes, nothing else; what is not ASCII in a name is a
	// question mark, unless Options say otherwise.
	CharsetASCII
)

// RenderOptions say how a chart is drawn. The zero Options are 80 by 20 cells of Braille.
type RenderOptions struct {
	// Width is how many cells a line takes at the most, up to 400. Below 10 there is
	// no room for more than a sparkline.
	Width int
	// Height is how many lines there are at the most, up to 200.
	Height  int
	Charset Charset
	// MarkLines marks lines with letters where there are several, for those who see no
	// colours. In ASCII they always are.
	MarkLines bool
	// UnicodeNames keep their letters in ASCII: the terminal has them, it is only its font
	// that lacks what charts are drawn with.
	UnicodeNames bool
}

const (
	defaultWidth, defaultHeight = 80, 20
	maxWidth, maxHeight         = 400, 200
	minAxesWidth                = 10 // of a chart with axes
)

func (o RenderOptions) withDefaults() RenderOptions {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	if o.Height == 0 {
		o.Height = defaultHeight
	}
	o.Width, o.Height = min(o.Width, maxWidth), min(o.Height, maxHeight)
	if o.Charset > CharsetASCII {
		o.Charset = CharsetASCII
	}
	return o
}
