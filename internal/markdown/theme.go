package markdown

// Style is a set of SGR attributes, written as the parameters of the sequence
// ("1", "38;5;75"). The zero Style draws in the terminal's default.
type Style string

const resetSGR = "\x1b[m"

// Apply wraps text, which must not contain escapes, in the style and a reset. An empty style returns text
// unchanged.
func (s Style) Apply(text string) string {
	if s == "" || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + resetSGR
}

// With returns a style with the attributes of both; those of t take precedence.
func (s Style) With(t Style) Style {
	switch {
	case s == "" || s == t:
		return t
	case t == "":
		return s
	}
	return s + ";" + t
}

// Theme holds the style of each role of text. Gain, Loss and Warning are for callers; Render does not use
// them. The zero Theme is [PlainTheme].
type Theme struct {
	Heading, Strong, Emphasis, Strike Style
	Code, CodeBlock                   Style
	CodeKeyword, CodeLiteral          Style // in a code block, over CodeBlock;
	CodeComment                       Style // all three empty: no highlighting
	Link, URL                         Style
	Quote, QuoteBar                   Style
	Marker                            Style // bullets, numbers, check boxes
	TableHeader, TableRule, Rule      Style
	Dim, Accent                       Style
	Gain, Loss, Warning               Style
	// Series are the styles of the chart series after the first, which has Accent.
	Series [5]Style
}

// PlainTheme returns the theme for pipes. It has no escapes: headings keep their #, code its backticks and
// struck text its tildes.
func PlainTheme() Theme { return Theme{} }

// MonochromeTheme returns the theme for terminals without color: bold and underlined text remain.
func MonochromeTheme() Theme {
	t := attributeTheme()
	t.Heading, t.Code, t.Link = "1", "3", "4"
	return t
}

// DarkTheme returns the theme for light text on a dark background.
func DarkTheme() Theme {
	t := attributeTheme()
	t.Heading = "1;38;5;117"
	t.Code, t.CodeBlock = "38;5;180", "38;5;252"
	t.CodeKeyword, t.CodeLiteral, t.CodeComment = "38;5;110", "38;5;150", "38;5;245"
	t.Link, t.URL = "4;38;5;75", "38;5;245"
	t.Quote, t.QuoteBar = "38;5;250", "38;5;241"
	t.Marker, t.Accent = "38;5;75", "38;5;75"
	t.TableRule, t.Rule, t.Dim = "38;5;241", "38;5;241", "38;5;245"
	t.Gain, t.Loss, t.Warning = "38;5;78", "38;5;203", "38;5;221"
	t.Series = [5]Style{"38;5;215", "38;5;177", "38;5;80", "38;5;229", "38;5;174"}
	return t
}

// LightTheme returns the theme for dark text on a light background.
func LightTheme() Theme {
	t := attributeTheme()
	t.Heading = "1;38;5;24"
	t.Code, t.CodeBlock = "38;5;94", "38;5;236"
	t.CodeKeyword, t.CodeLiteral, t.CodeComment = "38;5;24", "38;5;28", "38;5;242"
	t.Link, t.URL = "4;38;5;25", "38;5;242"
	t.Quote, t.QuoteBar = "38;5;239", "38;5;246"
	t.Marker, t.Accent = "38;5;25", "38;5;25"
	t.TableRule, t.Rule, t.Dim = "38;5;246", "38;5;246", "38;5;242"
	t.Gain, t.Loss, t.Warning = "38;5;28", "38;5;124", "38;5;130"
	t.Series = [5]Style{"38;5;130", "38;5;91", "38;5;23", "38;5;58", "38;5;162"}
	return t
}

func attributeTheme() Theme {
	return Theme{Strong: "1", Emphasis: "3", Strike: "9", TableHeader: "1"}
}

// plain reports whether the theme has no styles, so that marks must replace them.
func (t *Theme) plain() bool { return *t == Theme{} }
