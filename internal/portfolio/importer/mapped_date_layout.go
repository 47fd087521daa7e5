package importer

import (
	"fmt"
	"strings"
)

// parseDateLayout makes a layout of package time of the words that people know: YYYY, MM,
// DD, MMM for Jan, HH, mm, ss, and Z for a zone. Days and months may have one digit
// or two where something stands between them.
func parseDateLayout(pattern string) (string, error) {
	if len(pattern) > 40 {
		return "", fmt.Errorf("date and time: %q is too long", Shorten(pattern))
	}
	month, day := "1", "2"
	for _, joined := range []string{"YYYYMM", "MMDD", "DDMM", "MMYYYY"} {
		if strings.Contains(pattern, joined) {
			month, day = "01", "02"
		}
	}
	var b strings.Builder
	for rest := pattern; rest != ""; {
		token, layout := "", ""
		for _, t := range [][2]string{
			{"YYYY", "2006"}, {"MMM", "Jan"}, {"MM", month}, {"DD", day}, {"HH", "15"}, {"mm", "04"}, {"ss", "05"}, {"Z", "Z07:00"}, {"T", "T"},
		} {
			if strings.HasPrefix(rest, t[0]) {
				token, layout = t[0], t[1]
				break
			}
		}
		if token == "" {
			if !strings.ContainsRune(" .-/:,;", rune(rest[0])) {
				return "", fmt.Errorf("date and time: %q is not made of YYYY, MM, DD, HH, mm, ss and the marks between them", Shorten(pattern))
			}
			token, layout = rest[:1], rest[:1]
		}
		b.WriteString(layout)
		rest = rest[len(token):]
	}
	return b.String(), nil
}

// formatDateLayout is a layout of GuessDayOrder in the words that people know.
func formatDateLayout(layout string) string {
	if layout == "20060102" {
		return "YYYYMMDD"
	}
	return strings.NewReplacer("2006", "YYYY", "1", "MM", "2", "DD").Replace(layout)
}
