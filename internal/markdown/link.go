package markdown

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxLinkTarget is what terminals take for the target of a hyperlink.
const maxLinkTarget = 2048

// hyperlink returns dest as the target of an OSC 8 sequence, or "" for a
// scheme that a click must not reach or a target the sequence cannot hold.
func hyperlink(dest string) string {
	u, err := url.Parse(dest)
	if err != nil {
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		if u.Hostname() == "" {
			return ""
		}
	case "mailto":
	default:
		return ""
	}
	target := u.String()
	if len(target) > maxLinkTarget || !isASCII([]byte(u.Host)) {
		return ""
	}
	for i := range len(target) {
		if b := target[i]; b <= ' ' || b >= 0x7f {
			return ""
		}
	}
	return target
}

// hostOf names where a link leads: its host without user or port, or the
// whole destination where there is none that can be shown. A host can spell
// any character in per cents, those that the sanitiser takes out too.
func hostOf(dest string) string {
	u, err := url.Parse(dest)
	if err != nil || u.Hostname() == "" || !isASCII([]byte(u.Host)) {
		return dest
	}
	return u.Hostname()
}

// unambiguousURL returns dest in a form that cannot be mistaken for another URL: without the user
// before the host, whose only use in a text is to imitate another host, and with the host in
// ASCII, because letters of other scripts look like Latin ones.
func unambiguousURL(dest string) string {
	u, err := url.Parse(dest)
	if err != nil || u.User == nil && isASCII([]byte(u.Host)) {
		return dest
	}
	u.User = nil
	if name := u.Hostname(); !isASCII([]byte(name)) {
		ascii, err := idna.Lookup.ToASCII(name)
		if err != nil {
			return dest
		}
		u.Host = ascii + u.Host[strings.Index(u.Host, name)+len(name):]
	}
	return u.String()
}

func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
