package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// Page is what an address showed.
type Page struct {
	URL       string // after redirects
	Redirects []Hop
	Kind      string // media type
	Text      string // Markdown of an HTML page, else the text as it came
	Bytes     int    // read from the server, unpacked
	Cut       bool   // the server had more than MaxBytes
	Meta
}

// Meta is what an HTML page says of itself; empty where it says nothing.
type Meta struct {
	Title, Author, Published, Language string
}

// StatusError is an answer that is no page.
type StatusError struct {
	Code       int
	RetryAfter string // as the server said it, in a line
}

// Error names the status in words.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("the server answered %d %s", e.Code, http.StatusText(e.Code))
	if e.RetryAfter != "" {
		text += ", ask again after " + e.RetryAfter
	}
	return text
}

// Get reads a page: HTML as Markdown, text, JSON and CSV as they are. The errors
// are *StatusError, those that wrap ErrRefused, ErrTimeout or ErrNotText, and
// those of the network.
func (c *Client) Get(ctx context.Context, address string) (Page, error) {
	res, hops, err := c.do(ctx, http.MethodGet, address, "text/html, text/plain, application/json, text/csv, */*;q=0.1")
	if err != nil {
		return Page{}, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return Page{}, &StatusError{Code: res.StatusCode, RetryAfter: oneLine(res.Header.Get("Retry-After"))}
	}
	if kind := mediaType(res, nil); res.Header.Get("Content-Type") != "" && !isText(kind) && !isHTML(kind) {
		return Page{}, fmt.Errorf("%w but %s", ErrNotText, kind)
	}
	b, err := readBody(res)
	if err != nil {
		return Page{}, plain(ctx, err)
	}
	page := Page{URL: res.Request.URL.Redacted(), Redirects: hops, Kind: b.kind, Bytes: len(b.data), Cut: b.cut}
	if !isText(b.kind) && !isHTML(b.kind) {
		return Page{}, fmt.Errorf("%w but %s", ErrNotText, b.kind)
	}
	page.Text, err = utf8Text(b.data, res.Header.Get("Content-Type"))
	if err != nil {
		return Page{}, err
	}
	if isHTML(b.kind) {
		page.Text, page.Meta, err = readable(ctx, page.Text, res.Request.URL)
	} else if strings.ContainsRune(page.Text, 0) {
		err = fmt.Errorf("%w, whatever it is called", ErrNotText)
	}
	return page, err
}
