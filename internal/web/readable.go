package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/nfa-cli/nfa/internal/pattern"
)

// ErrNotText means that there is nothing to read at an address.
var ErrNotText = errors.New("not a page or text")

// readable makes Markdown of a page: what a reader sees of its main part, with
// links that work from anywhere.
func readable(ctx context.Context, text string, from *url.URL) (string, Meta, error) {
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return "", Meta{}, fmt.Errorf("%w that can be parsed: %w", ErrNotText, err)
	}
	meta := metaOf(doc)
	if b := find(doc, isA(atom.Base)); b != nil {
		if u, err := from.Parse(attribute(b, "href")); err == nil {
			from = u
		}
	}
	content := mainPart(doc)
	prune(content, content.DataAtom == atom.Body)
	absolute(content, from)
	narrow(content)
	// Escaping takes a time that grows with the square of some pages, and is for
	// those who would make HTML of the text again.
	markdown, err := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled), converter.WithPlugins(
		base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin(),
	)).ConvertNode(content, converter.WithContext(ctx))
	if err != nil {
		return "", meta, fmt.Errorf("reading the page: %w", err)
	}
	return strings.TrimSpace(string(markdown)), meta, nil
}

// mainPart is the part of a page that it is about, the whole body where the page
// does not say. A main part that is empty says nothing.
func mainPart(doc *html.Node) *html.Node {
	body := find(doc, isA(atom.Body))
	if body == nil {
		return doc
	}
	for _, which := range []func(*html.Node) bool{
		isA(atom.Main),
		func(n *html.Node) bool { return attribute(n, "role") == "main" },
		isA(atom.Article),
	} {
		found := findAll(body, which)
		if len(found) == 1 && !isHidden(found[0]) && hasText(found[0]) {
			return found[0]
		}
	}
	return body
}

// dropped are the elements that hold no text of the page.
var dropped = []atom.Atom{
	atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Object, atom.Embed, atom.Svg, atom.Canvas, atom.Video, atom.Audio,
	atom.Form, atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Dialog, atom.Link, atom.Meta, atom.Head,
}

// around are those that surround it.
var around = []atom.Atom{atom.Nav, atom.Footer, atom.Aside}

// prune takes out what a reader does not see, where text for machines likes to
// hide, and from a whole body what every page of a site has.
func prune(n *html.Node, whole bool) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		gone := child.Type == html.CommentNode ||
			child.Type == html.ElementNode && (slices.Contains(dropped, child.DataAtom) || isHidden(child) || whole && slices.Contains(around, child.DataAtom))
		if gone {
			n.RemoveChild(child)
		} else {
			prune(child, whole)
		}
		child = next
	}
}

var unseen = pattern.Lazy(`(?i)(display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(\.0+)?\s*(;|!|$)|font-size\s*:\s*0[a-z%]*\s*(;|!|$))`)

func isHidden(n *html.Node) bool {
	for _, a := range n.Attr {
		switch {
		case a.Key == "hidden",
			a.Key == "aria-hidden" && strings.EqualFold(a.Val, "true"),
			a.Key == "style" && unseen().MatchString(a.Val):
			return true
		}
	}
	return false
}

// absolute makes links work from anywhere, drops those that lead nowhere, and
// leaves of pictures what they say: their addresses are of no use to a reader of
// text, and asking for one would tell a server who reads.
func absolute(n *html.Node, from *url.URL) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch child.DataAtom {
		case atom.A:
			retarget(child, from)
		case atom.Img:
			*child = html.Node{
				Type: html.TextNode, Data: attribute(child, "alt"),
				Parent: child.Parent, PrevSibling: child.PrevSibling, NextSibling: child.NextSibling,
			}
		}
		absolute(child, from)
	}
}

func retarget(a *html.Node, from *url.URL) {
	u, err := from.Parse(strings.TrimSpace(attribute(a, "href")))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		a.Attr = nil
		return
	}
	u.User = nil
	a.Attr = []html.Attribute{{Key: "href", Val: u.String()}}
}

// narrow keeps the spans of table cells to what tables for readers have: a cell
// may say that it is ten thousand wide and as high, and would be made so.
func narrow(n *html.Node) {
	const widest, most = 12, 2000
	seen := 0
	for d := range n.Descendants() {
		if d.DataAtom != atom.Td && d.DataAtom != atom.Th {
			continue
		}
		d.Attr = slices.DeleteFunc(d.Attr, func(a html.Attribute) bool {
			if a.Key != "colspan" {
				return a.Key == "rowspan"
			}
			seen++
			wide, err := strconv.Atoi(a.Val)
			return err != nil || wide < 1 || wide > widest || seen > most
		})
	}
}

func metaOf(doc *html.Node) Meta {
	var m Meta
	if n := find(doc, isA(atom.Title)); n != nil {
		m.Title = textOf(n)
	}
	if n := find(doc, isA(atom.Html)); n != nil {
		m.Language = oneLine(attribute(n, "lang"))
	}
	for _, n := range findAll(doc, isA(atom.Meta)) {
		value := oneLine(attribute(n, "content"))
		switch strings.ToLower(cmp.Or(attribute(n, "name"), attribute(n, "property"), attribute(n, "itemprop"))) {
		case "author", "article:author", "dc.creator":
			m.Author = cmp.Or(m.Author, value)
		case "article:published_time", "date", "datepublished", "dc.date", "pubdate":
			m.Published = cmp.Or(m.Published, value)
		case "og:title":
			m.Title = cmp.Or(m.Title, value)
		}
	}
	return m
}

func isA(a atom.Atom) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Type == html.ElementNode && n.DataAtom == a }
}

func find(n *html.Node, is func(*html.Node) bool) *html.Node {
	for d := range n.Descendants() {
		if is(d) {
			return d
		}
	}
	return nil
}

func findAll(n *html.Node, is func(*html.Node) bool) []*html.Node {
	var out []*html.Node
	for d := range n.Descendants() {
		if is(d) {
			out = append(out, d)
		}
	}
	return out
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasText(n *html.Node) bool { return textOf(n) != "" }

// textOf is the text of a node on one line, without what is not shown.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && !slices.Contains(dropped, d.Parent.DataAtom) {
			b.WriteString(d.Data + " ")
		}
	}
	return oneLine(b.String())
}

// oneLine is text of a page that stands in a line of ours.
func oneLine(s string) string {
	const most = 300
	runes := []rune(strings.Join(strings.Fields(s), " "))
	return string(runes[:min(len(runes), most)])
}
