package markdown

import (
	"bytes"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/idna"
)

// inliner turns inline nodes into rich text.
type inliner struct {
	src   []byte
	marks []Mark
	opt   *Options
	plain bool
	out   *rich
}

func (in *inliner) children(n ast.Node, a attr) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		in.node(c, a)
	}
}

func (in *inliner) node(n ast.Node, a attr) {
	theme := &in.opt.Theme
	switch n := n.(type) {
	case *ast.Text:
		in.textNode(n, a)
	case *ast.String:
		in.text(n.Value, a)
	case *ast.Emphasis:
		style := theme.Emphasis
		if n.Level > 1 {
			style = theme.Strong
		}
		in.children(n, a.with(style))
	case *east.Strikethrough:
		in.marked("~~", n, a.with(theme.Strike))
	case *ast.CodeSpan:
		in.codeSpan(n, a.with(theme.Code))
	case *ast.Link:
		in.link(n, a)
	case *ast.AutoLink:
		in.autoLink(n, a)
	case *ast.Image:
		in.image(n, a)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			seg := n.Segments.At(i)
			in.raw(seg.Value(in.src), a)
		}
	case *east.TaskCheckBox:
		// The list item draws it instead of its bullet.
	default:
		in.children(n, a)
	}
}

func (a attr) with(s Style) attr {
	a.style = a.style.With(s)
	return a
}

// marked writes the children between marks if the theme has no style for them.
func (in *inliner) marked(mark string, n ast.Node, a attr) {
	if in.plain {
		in.out.writeString(mark, a)
		defer in.out.writeString(mark, a)
	}
	in.children(n, a)
}

func (in *inliner) textNode(n *ast.Text, a attr) {
	if n.IsRaw() {
		in.segment(n, a, in.raw)
	} else {
		in.segment(n, a, in.text)
	}
	switch {
	case n.HardLineBreak():
		in.out.writeByte('\n', a)
	case n.SoftLineBreak() && !in.joinsIdeographs(n):
		in.out.writeByte(' ', a)
	}
}

// segment writes the text of a node with the marks in it.
func (in *inliner) segment(n *ast.Text, a attr, write func([]byte, attr)) {
	at, stop := n.Segment.Start, n.Segment.Stop
	marks := in.marks
	first := sort.Search(len(marks), func(i int) bool { return marks[i].End >= at })
	for _, m := range marks[first:] {
		if m.Start > stop || m.End > stop || m.Start < at {
			break
		}
		write(in.src[at:m.Start], a)
		write(in.src[m.Start:m.End], a.with(m.Style))
		in.out.writeString(m.Suffix, a.with(m.Style))
		at = m.End
	}
	write(in.src[at:stop], a)
}

// joinsIdeographs reports whether a line break is between two ideographs, whose script has no spaces.
func (in *inliner) joinsIdeographs(n *ast.Text) bool {
	next, ok := n.NextSibling().(*ast.Text)
	return ok && isIdeograph(lastRune(in.out.text)) && isIdeograph(firstRune(next.Segment.Value(in.src)))
}

// raw writes text without resolving escapes.
func (in *inliner) raw(text []byte, a attr) {
	for {
		i := bytes.IndexAny(text, "\n\t")
		if i < 0 {
			in.out.write(text, a)
			return
		}
		in.out.write(text[:i], a)
		in.out.writeByte(' ', a)
		text = text[i+1:]
	}
}

// text writes text with its backslash escapes and entities resolved.
func (in *inliner) text(text []byte, a attr) {
	for {
		i := bytes.IndexAny(text, "\\&\n\t")
		if i < 0 {
			in.out.write(text, a)
			return
		}
		in.out.write(text[:i], a)
		rest := text[i:]
		n := 1
		switch rest[0] {
		case '\n', '\t':
			in.out.writeByte(' ', a)
		case '&':
			decoded, size := decodeEntity(rest)
			in.out.writeString(decoded, a)
			n = size
		default:
			if len(rest) > 1 && util.IsPunct(rest[1]) {
				n = 2
			}
			in.out.writeByte(rest[n-1], a)
		}
		text = rest[n:]
	}
}

// decodeEntity returns the text and the length of the character reference at the start of b, or only the
// ampersand. It sanitizes the text, because references can encode any control character.
func decodeEntity(b []byte) (string, int) {
	end := bytes.IndexByte(b[:min(len(b), 34)], ';')
	if end < 2 {
		return "&", 1
	}
	name := string(b[1:end])
	if name[0] != '#' {
		if e, ok := util.LookUpHTML5EntityByName(name); ok {
			return SanitizeLine(string(e.Characters)), end + 1
		}
		return "&", 1
	}
	digits, base := name[1:], 10
	if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if err != nil || len(digits) > 7 {
		return "&", 1
	}
	r := rune(code)
	if code == 0 || code > utf8.MaxRune || !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	return SanitizeLine(string(r)), end + 1
}

func (in *inliner) codeSpan(n *ast.CodeSpan, a attr) {
	if in.plain {
		in.out.writeByte('`', a)
		defer in.out.writeByte('`', a)
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			in.segment(t, a, in.raw)
		}
	}
}

// link writes the label, and then the destination unless the label already names it: only the host if the
// label is clickable, else all of it.
func (in *inliner) link(n *ast.Link, a attr) {
	dest := unambiguousURL(in.destination(n.Destination))
	la := a.with(in.opt.Theme.Link)
	if in.opt.Hyperlinks {
		la.href = hyperlink(dest)
	}
	from := len(in.out.text)
	in.children(n, la)
	label := string(in.out.text[from:])
	if dest == "" || label == dest || "mailto:"+label == dest {
		return
	}
	shown := dest
	if la.href != "" {
		shown = hostOf(dest)
	}
	if strings.TrimSpace(label) == "" {
		in.out.writeString(shown, la)
		return
	}
	in.out.writeString(" ("+shown+")", a.with(in.opt.Theme.URL))
}

func (in *inliner) autoLink(n *ast.AutoLink, a attr) {
	dest, label := string(n.URL(in.src)), n.Label(in.src)
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(dest, "mailto:") {
		dest = "mailto:" + dest
	}
	target := unambiguousURL(dest)
	la := a.with(in.opt.Theme.Link)
	if in.opt.Hyperlinks {
		la.href = hyperlink(target)
	}
	in.raw(label, la)
	if target != dest {
		in.out.writeString(" ("+hostOf(target)+")", a.with(in.opt.Theme.URL))
	}
}

func (in *inliner) image(n *ast.Image, a attr) {
	from := len(in.out.text)
	in.children(n, a.with(in.opt.Theme.Emphasis))
	if len(in.out.text) == from {
		in.out.writeString(hostOf(unambiguousURL(in.destination(n.Destination))), a.with(in.opt.Theme.URL))
	}
}

// destination returns a link's target as text on one line, with escapes resolved.
func (in *inliner) destination(raw []byte) string {
	var plain rich
	sub := inliner{src: in.src, opt: in.opt, out: &plain}
	sub.text(raw, attr{})
	return string(plain.text)
}

// maxLinkTarget is the maximum length of a hyperlink target that terminals accept.
const maxLinkTarget = 2048

// hyperlink returns dest as the target of an OSC 8 sequence, or "" if its scheme must not be clickable or
// the sequence cannot contain it.
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

// hostOf returns the host of a link without user and port, or the whole destination if there is no host to
// show. It sanitizes the host, because percent encoding can contain any character.
func hostOf(dest string) string {
	u, err := url.Parse(dest)
	if err != nil || u.Hostname() == "" || !isASCII([]byte(u.Host)) {
		return dest
	}
	return u.Hostname()
}

// unambiguousURL returns dest in a form that cannot be mistaken for another URL: without the user part,
// which can imitate a host, and with the host in ASCII, because letters of other scripts can look like
// Latin ones.
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

// attr holds the attributes of a piece of text.
type attr struct {
	style Style
	href  string // target of an OSC 8 hyperlink, or ""
}

// span gives an attr to the text from the end of the previous span to end.
type span struct {
	end  int
	attr attr
}

// rich is text with attributes, made from inline Markdown before it is wrapped. A newline is a hard
// break.
type rich struct {
	text  []byte
	spans []span
}

func (r *rich) reset() { r.text, r.spans = r.text[:0], r.spans[:0] }

func (r *rich) write(text []byte, a attr) {
	r.text = append(r.text, text...)
	r.extend(a)
}

func (r *rich) writeString(text string, a attr) {
	r.text = append(r.text, text...)
	r.extend(a)
}

func (r *rich) writeByte(b byte, a attr) {
	r.text = append(r.text, b)
	r.extend(a)
}

func (r *rich) extend(a attr) {
	end := len(r.text)
	n := len(r.spans)
	switch {
	case n > 0 && r.spans[n-1].attr == a:
		r.spans[n-1].end = end
	case n == 0 && end > 0, n > 0 && r.spans[n-1].end < end:
		r.spans = append(r.spans, span{end, a})
	}
}

// appendRange appends text[from:to] with its escapes to buf. It also returns the span in which the range
// ended, for the start of the next range. Styles are closed at the end of the range.
func (r *rich) appendRange(buf []byte, from, to, at int) ([]byte, int) {
	for from < to {
		for at < len(r.spans)-1 && r.spans[at].end <= from {
			at++
		}
		end := min(to, r.spans[at].end)
		buf = r.spans[at].attr.append(buf, r.text[from:end])
		from = end
	}
	return buf, at
}

func (a attr) append(buf, text []byte) []byte {
	if a.href != "" {
		buf = append(buf, "\x1b]8;;"...)
		buf = append(buf, a.href...)
		buf = append(buf, "\x1b\\"...)
	}
	if a.style != "" {
		buf = append(buf, "\x1b["...)
		buf = append(buf, a.style...)
		buf = append(buf, 'm')
	}
	buf = append(buf, text...)
	if a.style != "" {
		buf = append(buf, resetSGR...)
	}
	if a.href != "" {
		buf = append(buf, "\x1b]8;;\x1b\\"...)
	}
	return buf
}

// isIdeograph reports whether a rune belongs to a script without spaces, whose lines can break between any
// two characters.
func isIdeograph(r rune) bool {
	return r >= 0x2e80 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xff00 && r <= 0xffef ||
		r >= 0x20000 && r <= 0x3ffff
}

// breaksBetween reports whether a line may end between two clusters that have
// no space between them, given the last rune of one and the first of the next.
func breaksBetween(prev, next rune) bool {
	if prev < 0x2e80 && next < 0x2e80 {
		return false
	}
	if !isIdeograph(prev) && !isIdeograph(next) {
		return false
	}
	// Keep closing marks with the text before them and opening marks with the text after them.
	return !strings.ContainsRune("、。，．：；！？）］｝〕〉》」』】〗〙・ーゝゞ々％,.:;!?)]}%’”…", next) &&
		!strings.ContainsRune("（［｛〔〈《「『【〖〘＄￥([{$‘“", prev)
}

func firstRune(b []byte) rune {
	r, _ := utf8.DecodeRune(b)
	return r
}

func lastRune(b []byte) rune {
	r, _ := utf8.DecodeLastRune(b)
	return r
}
