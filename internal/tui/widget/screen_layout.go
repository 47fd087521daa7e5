package widget

// LayoutRequest is what the parts of the screen ask for.
type LayoutRequest struct {
	Width, Height int
	Input         int  // rows of what is being written or asked
	Queue         int  // messages that wait
	List          int  // rows of the list over the line
	Activity      bool // something runs
}

// ScreenLayout is the rows that each part gets. What a small screen gives up first is
// what it needs least: rules, then the header, then the status.
type ScreenLayout struct {
	Margin                int
	Header, Rules         bool
	UpperRule, Status     bool
	Activity, Queue, List int
	BlankRow              int // a blank row below the transcript
	Input                 int
	Top, Transcript       int // the transcript's first row and its height
}

// NewScreenLayout makes the plan. The input comes first: where it leaves too little for
// the single lines around it, those at the top are to be cut.
func NewScreenLayout(w LayoutRequest) ScreenLayout {
	p := ScreenLayout{
		Margin: ScreenMargin(w.Width),
		Header: w.Height >= 10, Rules: w.Height >= 10, UpperRule: w.Height >= 6, Status: w.Height >= 3,
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
	p.Queue = take(min(w.Queue, left/3))
	p.List = take(w.List)
	if p.List > 0 && p.UpperRule {
		// The frame of the list stands for the rule.
		p.UpperRule = false
		left++
	}
	if w.Height >= 20 && p.Activity+p.Queue+p.List == 0 {
		p.BlankRow = take(1)
	}
	p.Transcript = left
	return p
}

// Below is the rows under the input.
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

// ScreenMargin is what stays free at both sides.
func ScreenMargin(width int) int {
	if width >= 20 {
		return 1
	}
	return 0
}
