package widget

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/chart"
)

// DetectCharset returns the finest charset for charts that the terminal is likely to support,
// judged by its locale and environment. The Linux console has a font of few characters, the
// Windows console one without braille.
func DetectCharset(env func(string) string, system string) chart.Charset {
	switch {
	case env("TERM") == "linux", HasNonUTF8Locale(env):
		return chart.CharsetASCII
	case system == "windows" && env("WT_SESSION") == "" && env("TERM_PROGRAM") == "":
		return chart.CharsetBlock
	}
	return chart.CharsetBraille
}

// HasNonUTF8Locale reports whether the locale, as the C library reads it, has an encoding other
// than UTF-8. It is false if no locale is set, because the rest of the screen needs UTF-8 as well.
func HasNonUTF8Locale(env func(string) string) bool {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = env(name); locale != "" {
			break
		}
	}
	return locale != "" && !strings.Contains(strings.ReplaceAll(strings.ToLower(locale), "-", ""), "utf8")
}
