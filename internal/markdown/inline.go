package markdown

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// inliner turns inline nodes into rich text.
type inliner struct {
	src   []byte
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
		// The list item draws it in the place of its bullet.
	default:
		in.children(n, a)
	}
}

func (a attr) with(s Style) attr {
	a.style = a.style.With(s)
	return a
}

// marked writes the children between marks where no style can say the same.
func (in *inliner) marked(mark string, n ast.Node, a attr) {
	if in.plain {
		in.out.writeString(mark, a)
		defer in.out.writeString(mark, a)
	}
	in.children(n, a)
}

func (in *inliner) textNode(n *ast.Text, a attr) {
	value := n.Segment.Value(in.src)
	if n.IsRaw() {
		in.raw(value, a)
	} else {
		in.text(value, a)
	}
	switch {
	case n.HardLineBreak():
		in.out.writeByte('\n', a)
	case n.SoftLineBreak() && !in.joinsIdeographs(n):
		in.out.writeByte(' ', a)
	}
}

// joinsIdeographs reports a line break between two ideographs, where the
// script has no space to put.
func (in *inliner) joinsIdeographs(n *ast.Text) bool {
	next, ok := n.NextSibling().(*ast.Text)
	return ok && isIdeograph(lastRune(in.out.text)) && isIdeograph(firstRune(next.Segment.Value(in.src)))
}

// raw writes text in which nothing is an escape.
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

// decodeEntity returns the text of the character reference b begins with and
// its length, or the ampersand alone. References can spell any control
// character, so their text passes the sanitiser like any other.
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
			in.raw(t.Segment.Value(in.src), a)
		}
	}
}

// link writes the label, then where it leads unless the label already says so:
// all of it, or the host alone when the label itself can be followed.
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

// destination is a link's target as text: escapes resolved, on one line.
func (in *inliner) destination(raw []byte) string {
	var plain rich
	sub := inliner{src: in.src, opt: in.opt, out: &plain}
	sub.text(raw, attr{})
	return string(plain.text)
}
