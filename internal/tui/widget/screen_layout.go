package widget

// LayoutRequest holds the size of the screen and the rows that its parts need.
type LayoutRequest struct {
	Width, Height int
	Input         int  // rows of the composer, form or question
	Notice        int  // rows of the notice above the composer
	Queue         int  // queued messages
	List          int  // rows of the list above the composer
	Activity      bool // something runs
}

// ScreenLayout holds the rows of each part. A short screen drops the header first, then the rules and
// the status.
type ScreenLayout struct {
	Margin                int
	Header, Rules         bool
	UpperRule, Status     bool
	Activity, Queue, List int
	Notice                int
	BlankRow              int // a blank row below the transcript
	Input                 int
	Top, Transcript       int // the transcript's first row and its height
}

// NewScreenLayout divides the rows. The input gets its rows first.
func NewScreenLayout(w LayoutRequest) ScreenLayout {
	p := ScreenLayout{
		Margin: ScreenMargin(w.Width),
		Header: w.Height >= 20, Rules: w.Height >= 16, UpperRule: w.Height >= 10, Status: w.Height >= 3,
	}
	left := w.Height
	take := func(n int) int {
		n = max(min(n, left), 0)
		left -= n
		return n
	}
	p.Input = take(w.Input)
	if p.Status {
		take(1)
	}
	if p.UpperRule {
		take(1)
	}
	if p.Header {
		p.Top = take(2)
	}
	if p.Rules {
		take(1)
	}
	if w.Activity && left > 2 {
		p.Activity = take(2)
	}
	p.Notice = take(w.Notice)
	p.Queue = take(min(w.Queue, left/3))
	p.List = take(w.List)
	if p.List > 0 && p.UpperRule {
		// The frame of the list replaces the rule.
		p.UpperRule = false
		left++
	}
	if w.Height >= 20 && p.Activity+p.Notice+p.Queue+p.List == 0 {
		p.BlankRow = take(1)
	}
	p.Transcript = left
	return p
}

// Below returns the number of rows under the input.
func (p ScreenLayout) Below() int {
	below := 0
	if p.Rules {
		below++
	}
	if p.Status {
		below++
	}
	return below
}

// ScreenMargin returns the empty columns at each side.
func ScreenMargin(width int) int {
	if width >= 20 {
		return 1
	}
	return 0
}
