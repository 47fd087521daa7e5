package search

import (
	"strings"
	"unicode"
)

// urlLength returns the length of the web address that text starts with, or 0.
func urlLength(text string) int {
	begin := text[:min(len(text), len("https://"))]
	lower := strings.ToLower(begin)
	if !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") && !strings.HasPrefix(lower, "www.") {
		return 0
	}
	if end := strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Han, r) || strings.ContainsRune("<>\"“”。，、", r)
	}); end >= 0 {
		return end
	}
	return len(text)
}

// isHost reports whether a chunk is an address without a scheme, such as "sec.gov/edgar".
func isHost(chunk string) bool {
	host, _, _ := strings.Cut(chunk, "/")
	labels := strings.Split(strings.ToLower(host), ".")
	if len(labels) < 2 || len(labels[0]) < 2 {
		return false
	}
	switch labels[len(labels)-1] {
	case "com", "org", "net", "gov", "edu", "info", "cn", "hk", "uk", "eu":
	default:
		return false
	}
	// 0700.HK is a symbol.
	return host == strings.ToLower(host) && strings.ContainsFunc(labels[0], unicode.IsLetter)
}

// isFile reports whether a chunk names a file, by its extension or by the folder it starts with.
func isFile(chunk string) bool {
	for _, begin := range [...]string{"/", "~/", "./", "../"} {
		if rest, ok := strings.CutPrefix(chunk, begin); ok && strings.ContainsFunc(rest, unicode.IsLetter) {
			return true
		}
	}
	return extension(chunk) != ""
}

func extension(chunk string) string {
	dot := strings.LastIndexByte(chunk, '.')
	if dot <= 0 {
		return ""
	}
	switch ending := strings.ToLower(chunk[dot+1:]); ending {
	case "csv", "tsv", "txt", "md", "pdf", "json", "xml", "html", "htm", "xlsx", "xls", "docx", "ofx", "qfx", "log", "yaml", "yml":
		return ending
	default:
		return ""
	}
}

// addExtension adds the extension of a file name, which hints at the content.
func (r *reader) addExtension(chunk string) {
	if ending := extension(chunk); ending != "" {
		r.addWord(stem(ending), ending)
	}
}

// isISIN reports whether a chunk has the shape of an ISIN. It does not verify the check digit.
func isISIN(chunk string) bool {
	if len(chunk) != 12 {
		return false
	}
	for i := range len(chunk) {
		c := chunk[i]
		letter, digit := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z', c >= '0' && c <= '9'
		if !letter && !digit || i < 2 && !letter || i == 11 && !digit {
			return false
		}
	}
	return true
}

// isQualifiedSymbol reports whether a chunk is a symbol with a sign that words do not have:
// ^GSPC, BRK.B, 0700.HK, BTC-USD, EURUSD=X.
func isQualifiedSymbol(chunk string) bool {
	chunk = strings.TrimSuffix(chunk, "'s")
	if index, ok := strings.CutPrefix(chunk, "^"); ok {
		return isCode(index)
	}
	sign := strings.LastIndexAny(chunk, ".-=")
	if sign < 2 || sign == len(chunk)-1 {
		return false
	}
	before, after := chunk[:sign], chunk[sign+1:]
	if len(after) > 4 || !isUpper(after) {
		return false
	}
	if chunk[sign] == '-' {
		return isUpper(before) && len(before) <= 5
	}
	return isCode(before)
}

// isCode reports whether a text has only upper-case letters and digits, at most ten.
func isCode(text string) bool {
	return text != "" && len(text) <= 10 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
}

// hasKnownParts reports whether documents contain both parts of a chunk such as "SEC-API".
func (r *reader) hasKnownParts(chunk string) bool {
	parts := strings.FieldsFunc(chunk, func(c rune) bool { return c == '-' || c == '.' || c == '=' })
	for _, p := range parts {
		if !r.known(stem(strings.ToLower(p))) {
			return false
		}
	}
	return len(parts) > 1
}
