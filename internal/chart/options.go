package chart

// Charset is the set of characters that a chart is drawn with.
type Charset uint8

const (
	// CharsetBraille draws lines with eight dots to a cell. It needs a font that has them.
	CharsetBraille Charset = iota
	// CharsetBlock draws lines with the quarters of a cell.
	CharsetBlock
	// CharsetASCII draws only ASCII. Other characters in a name become question marks, unless
	// RenderOptions.UnicodeNames is set.
	CharsetASCII
)

// RenderOptions say how a chart is drawn. The zero RenderOptions are 80 by 20 cells of Braille.
type RenderOptions struct {
	// Width is the maximum number of cells in a line, up to 400. Below 10 only a sparkline is
	// drawn.
	Width int
	// Height is the maximum number of lines, up to 200.
	Height  int
	Charset Charset
	// MarkLines marks lines with letters if there are several, for users who see no colors. ASCII
	// charts always have them.
	MarkLines bool
	// UnicodeNames keeps the letters of names in ASCII: the terminal has them, only its font lacks
	// the characters of charts.
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
