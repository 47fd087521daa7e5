package agent

import (
	"math"
	"regexp"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
)

// FiguresReport counts the figures of an answer and names those that no tool
// result of the conversation gave.
type FiguresReport struct {
	Total    int      `json:"total"`
	Traced   int      `json:"traced"`
	Untraced []string `json:"untraced"` // as they stand in the answer
}

// number is a figure as people write it: sign, currency sign, digits with
// separators, decimals, per cent or a scale word.
var number = regexp.MustCompile(`([-+−–]?)\p{Sc}?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(\s?%|\s?(?:bn|billion|million|trillion|thousand|[kKM])\b)?`)

// notFigure is digits that are no figure.
var notFigure = regexp.MustCompile("(?m)" + strings.Join([]string{
	`\d{4}-\d{2}(?:-\d{2})?`,          // ISO dates
	`\d+\.\d+\.[\d.]+`,                // versions
	`\d{1,2}:\d{2}(?::\d{2})?`,        // times
	`^\s*\d+[.)]\s`,                   // list numbers
	`^\s*#+\s.*$`,                     // headings
	`\b(?:19|20)\d{2}s?\b`,            // years
	`\b(?:` + indexNames + `)[ -]\d+`, // S&P 500, Russell 2000
	`[A-Za-z^][\w&^-]*\d[\w.-]*`,      // words with digits in them: Q4, ISO3166, F-16
	`\b[\d.]+-[A-Za-z]+`,              // 10-K, 10-year, 365.25-day
	`\b\d+(?:st|nd|rd|th)\b`,          // 12th
}, "|"))

// indexNames are the families of indices that carry their size in their name.
const indexNames = `S&P|FTSE|DAX|STOXX|Nasdaq|NASDAQ|Russell|Nikkei|CAC|CSI|ASX|IBEX|SMI|Nifty|NIFTY`

// CheckFigures matches every number of an answer to the figures that tools gave,
// in the rounding the answer shows. Numbers that stand in known (the words of
// the user, the notes of the tools), and numbers in the names of things (S&P
// 500), need no source.
func CheckFigures(answer string, figures []tool.Figure, known string) FiguresReport {
	report := FiguresReport{Untraced: []string{}}
	known += namesIn(figures)
	sizes := sizesOf(figures)
	for _, m := range number.FindAllStringSubmatch(withoutNames(answer), -1) {
		shown, ok := parseShown(m)
		if !ok {
			continue
		}
		if matches(shown, sizes) {
			report.Total++
			report.Traced++
			continue
		}
		if containsNumber(known, m[2]+m[3]) {
			continue
		}
		report.Total++
		report.Untraced = append(report.Untraced, strings.TrimSpace(m[0]))
	}
	return report
}

// code is a code span. A command or an example question in one, told by its two
// words, holds no figures; a number alone is one, however it is set.
var (
	code    = regexp.MustCompile("`[^`\n]*`")
	twoWord = regexp.MustCompile(`[A-Za-z]{2,}[^A-Za-z]+[A-Za-z]{2,}`)
)

// withoutNames blanks what holds digits and is no figure.
func withoutNames(text string) string {
	text = code.ReplaceAllStringFunc(text, func(s string) string {
		if twoWord.MatchString(s) {
			return blank(s)
		}
		return s
	})
	return notFigure.ReplaceAllStringFunc(text, blank)
}

func blank(s string) string { return strings.Repeat(" ", len(s)) }

// namesIn is the text in which a number is part of a name or a convention.
func namesIn(figures []tool.Figure) string {
	var b strings.Builder
	for _, f := range figures {
		b.WriteString("\n" + f.Source + "\n" + f.Formula + "\n" + strings.Join(f.Inputs, "\n"))
	}
	return b.String()
}

// containsNumber looks for a number that stands alone: 5 is not in 12.5.
func containsNumber(text, digits string) bool {
	for rest, at := text, 0; ; {
		i := strings.Index(rest, digits)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(digits)
		if !joins(text[:start], true) && !joins(text[end:], false) {
			return true
		}
		at = end
		rest = text[at:]
	}
}

// joins reports whether the number goes on in what stands before or after it.
func joins(s string, before bool) bool {
	if s == "" {
		return false
	}
	if before {
		n := len(s)
		return isDigit(s[n-1]) || n > 1 && (s[n-1] == '.' || s[n-1] == ',') && isDigit(s[n-2])
	}
	return isDigit(s[0]) || len(s) > 1 && (s[0] == '.' || s[0] == ',') && isDigit(s[1])
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// shownNumber is a number as the answer shows it: its size, and how far the
// rounding of the digits shown lets it lie from the figure.
type shownNumber struct {
	value, tolerance decimal.Decimal
	percent          bool
}

var scales = map[string]int32{
	"k": 3, "K": 3, "thousand": 3, "M": 6, "million": 6, "bn": 9, "billion": 9, "trillion": 12,
}

func parseShown(m []string) (shownNumber, bool) {
	value, err := decimal.NewFromString(strings.ReplaceAll(m[2], ",", "") + m[3])
	if err != nil {
		return shownNumber{}, false
	}
	suffix := strings.TrimSpace(m[4])
	scale := scales[suffix]
	decimals := int32(max(len(m[3])-1, 0))
	return shownNumber{
		value:     value.Shift(scale),
		tolerance: decimal.New(5, scale-decimals-1),
		percent:   suffix == "%",
	}, true
}

// size is a figure without its sign: "fell 53.3%" is -53.25 %. The float finds
// the few that are worth an exact comparison.
type size struct {
	exact decimal.Decimal
	about float64
}

func sizesOf(figures []tool.Figure) []size {
	out := make([]size, 0, 2*len(figures))
	for _, f := range figures {
		v := f.Value.Abs()
		out = append(out, size{v, v.InexactFloat64()})
	}
	return out
}

func matches(shown shownNumber, sizes []size) bool {
	value, tolerance := shown.value.InexactFloat64(), shown.tolerance.InexactFloat64()
	for _, s := range sizes {
		if near(value, s.about, tolerance) && shown.covers(s.exact) {
			return true
		}
		// A tool may give a fraction where the answer shows per cent.
		if shown.percent && near(value, 100*s.about, tolerance) && shown.covers(s.exact.Shift(2)) {
			return true
		}
	}
	return false
}

// near leaves room for what a float cannot hold.
func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*1.01+math.Abs(b)*1e-12
}

func (n shownNumber) covers(exact decimal.Decimal) bool {
	return n.value.Sub(exact).Abs().LessThanOrEqual(n.tolerance)
}
