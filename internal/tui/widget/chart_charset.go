package widget

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/chart"
)

// DetectCharset is the finest that the terminal of an environment is likely to have for
// charts, by its locale and what it says of itself. The console of Linux has a font of few
// characters, that of Windows one without braille.
func DetectCharset(env func(string) string, system string) chart.Charset {
	switch {
	case env("TERM") == "linux", HasNonUTF8Locale(env):
		return chart.CharsetASCII
	case system == "windows" && env("WT_SESSION") == "" && env("TERM_PROGRAM") == "":
		return chart.CharsetBlock
	}
	return chart.CharsetBraille
}

// HasNonUTF8Locale reports whether the locale, as the C library reads it, is of another
// encoding than UTF-8. One that is not set says nothing, and the rest of the screen
// needs UTF-8 as well.
func HasNonUTF8Locale(env func(string) string) bool {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = env(name); locale != "" {
			break
		}
	}
	return locale != "" && !strings.Contains(strings.ReplaceAll(strings.ToLower(locale), "-", ""), "utf8")
}
