package plot

// Charset says with which characters a chart is drawn.
type Charset uint8

const (
	// Braille draws lines with eight dots to a cell. It needs a font that has them.
	Braille Charset = iota
	// Block draws lines with the quarters of a cell.
	Block
	// ASCII draws, and writes, nothing else; what is not ASCII in a name is a
	// question mark, unless Options say otherwise.
	ASCII
)

// Options say how a chart is drawn. The zero Options are 80 by 20 cells of Braille.
type Options struct {
	// Width is how many cells a line takes at the most, up to 400. Below 10 there is
	// no room for more than a sparkline.
	Width int
	// Height is how many lines there are at the most, up to 200.
	Height  int
	Charset Charset
	// Letters marks lines with letters where there are several, for those who see no
	// colours. In ASCII they always are.
	Letters bool
	// Names keep their letters in ASCII: the terminal has them, it is only its font
	// that lacks what charts are drawn with.
	Names bool
}

const (
	defaultWidth, defaultHeight = 80, 20
	mostWidth, mostHeight       = 400, 200
	leastWidth                  = 10 // of a chart with axes
)

func (o Options) normal() Options {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	if o.Height == 0 {
		o.Height = defaultHeight
	}
	o.Width, o.Height = min(o.Width, mostWidth), min(o.Height, mostHeight)
	if o.Charset > ASCII {
		o.Charset = ASCII
	}
	return o
}
