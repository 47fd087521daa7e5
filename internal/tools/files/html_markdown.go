package files

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

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// ErrNotTextPage means that a URL has no readable text.
var ErrNotTextPage = errors.New("not a page or text")

// htmlToMarkdown converts the visible main part of a page to Markdown, with absolute links.
func htmlToMarkdown(ctx context.Context, text string, from *url.URL) (string, PageMeta, error) {
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return "", PageMeta{}, fmt.Errorf("%w that can be parsed: %w", ErrNotTextPage, err)
	}
	meta := readMeta(doc)
	if b := findNode(doc, isElement(atom.Base)); b != nil {
		if u, err := from.Parse(attribute(b, "href")); err == nil {
			from = u
		}
	}
	content := mainContent(doc)
	pruneElements(content, content.DataAtom == atom.Body)
	resolveReferences(content, from)
	limitSpans(content)
	// Escaping takes quadratic time for some pages, and is needed only to convert the text back to
	// HTML.
	markdown, err := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled), converter.WithPlugins(
		base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin(),
	)).ConvertNode(content, converter.WithContext(ctx))
	if err != nil {
		return "", meta, fmt.Errorf("convert page: %w", err)
	}
	return strings.TrimSpace(string(markdown)), meta, nil
}

// mainContent returns the main part of a page, or the whole body if none is marked or it is empty.
func mainContent(doc *html.Node) *html.Node {
	body := findNode(doc, isElement(atom.Body))
	if body == nil {
		return doc
	}
	for _, match := range []func(*html.Node) bool{
		isElement(atom.Main),
		func(n *html.Node) bool { return attribute(n, "role") == "main" },
		isElement(atom.Article),
	} {
		found := findNodes(body, match)
		if len(found) == 1 && !isHiddenElement(found[0]) && hasVisibleText(found[0]) {
			return found[0]
		}
	}
	return body
}

// removedElements are elements without page text.
var removedElements = []atom.Atom{
	atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Object, atom.Embed, atom.Svg, atom.Canvas, atom.Video, atom.Audio,
	atom.Form, atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Dialog, atom.Link, atom.Meta, atom.Head,
}

// boilerplateElements are elements around the page text.
var boilerplateElements = []atom.Atom{atom.Nav, atom.Footer, atom.Aside}

// pruneElements removes what a reader does not see, because instructions for machines may hide
// there. From a whole body it also removes navigation and footers.
func pruneElements(n *html.Node, wholeBody bool) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		drop := child.Type == html.CommentNode ||
			child.Type == html.ElementNode && (slices.Contains(removedElements, child.DataAtom) || isHiddenElement(child) || wholeBody && slices.Contains(boilerplateElements, child.DataAtom))
		if drop {
			n.RemoveChild(child)
		} else {
			pruneElements(child, wholeBody)
		}
		child = next
	}
}

var hiddenStyle = lazyregexp.New(`(?i)(display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(\.0+)?\s*(;|!|$)|font-size\s*:\s*0[a-z%]*\s*(;|!|$))`)

func isHiddenElement(n *html.Node) bool {
	for _, a := range n.Attr {
		switch {
		case a.Key == "hidden",
			a.Key == "aria-hidden" && strings.EqualFold(a.Val, "true"),
			a.Key == "style" && hiddenStyle().MatchString(a.Val):
			return true
		}
	}
	return false
}

// resolveReferences makes links absolute, drops links without a target, and replaces pictures by
// their descriptions. Picture addresses are useless in text, and requesting one would reveal the
// reader to a server.
func resolveReferences(n *html.Node, from *url.URL) {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch child.DataAtom {
		case atom.A:
			resolveLink(child, from)
		case atom.Img:
			*child = html.Node{
				Type: html.TextNode, Data: attribute(child, "alt"),
				Parent: child.Parent, PrevSibling: child.PrevSibling, NextSibling: child.NextSibling,
			}
		}
		resolveReferences(child, from)
	}
}

func resolveLink(a *html.Node, from *url.URL) {
	u, err := from.Parse(strings.TrimSpace(attribute(a, "href")))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		a.Attr = nil
		return
	}
	u.User = nil
	a.Attr = []html.Attribute{{Key: "href", Val: u.String()}}
}

// limitSpans limits the spans of table cells, because a page may declare cells of any size.
func limitSpans(n *html.Node) {
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

func readMeta(doc *html.Node) PageMeta {
	var m PageMeta
	if n := findNode(doc, isElement(atom.Title)); n != nil {
		m.Title = visibleText(n)
	}
	if n := findNode(doc, isElement(atom.Html)); n != nil {
		m.Language = clipToLine(attribute(n, "lang"))
	}
	for _, n := range findNodes(doc, isElement(atom.Meta)) {
		value := clipToLine(attribute(n, "content"))
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

func isElement(a atom.Atom) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Type == html.ElementNode && n.DataAtom == a }
}

func findNode(n *html.Node, match func(*html.Node) bool) *html.Node {
	for d := range n.Descendants() {
		if match(d) {
			return d
		}
	}
	return nil
}

func findNodes(n *html.Node, match func(*html.Node) bool) []*html.Node {
	var nodes []*html.Node
	for d := range n.Descendants() {
		if match(d) {
			nodes = append(nodes, d)
		}
	}
	return nodes
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasVisibleText(n *html.Node) bool { return visibleText(n) != "" }

// visibleText returns the visible text of a node on one line.
func visibleText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && !slices.Contains(removedElements, d.Parent.DataAtom) {
			b.WriteString(d.Data + " ")
		}
	}
	return clipToLine(b.String())
}

// clipToLine shortens text of a page to part of a line.
func clipToLine(s string) string {
	const most = 300
	runes := []rune(strings.Join(strings.Fields(s), " "))
	return string(runes[:min(len(runes), most)])
}
