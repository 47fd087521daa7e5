package files

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// WebPage is the contents of a URL.
type WebPage struct {
	URL       string // after redirects
	Redirects []Redirect
	Kind      string // media type
	Text      string // Markdown of an HTML page, else the unchanged text
	Bytes     int    // read from the server, decompressed
	Cut       bool   // the page is longer than MaxPageBytes
	PageMeta
}

// PageMeta is what an HTML page states about itself. Fields may be empty.
type PageMeta struct {
	Title, Author, Published, Language string
}

// HTTPStatusError is a response without a page.
type HTTPStatusError struct {
	Code       int
	RetryAfter string // as sent by the server, on one line
}

// Error describes the status.
func (e *HTTPStatusError) Error() string {
	text := fmt.Sprintf("the server answered %d %s", e.Code, http.StatusText(e.Code))
	if e.RetryAfter != "" {
		text += ", retry after " + e.RetryAfter
	}
	return text
}

// Get reads a page: HTML as Markdown; text, JSON and CSV unchanged. The errors are
// *HTTPStatusError, those that wrap ErrURLRefused, ErrWebTimeout or ErrNotTextPage, and network
// errors.
func (c *WebClient) Get(ctx context.Context, address string) (WebPage, error) {
	res, hops, err := c.do(ctx, http.MethodGet, address, "text/html, text/plain, application/json, text/csv, */*;q=0.1")
	if err != nil {
		return WebPage{}, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return WebPage{}, &HTTPStatusError{Code: res.StatusCode, RetryAfter: clipToLine(res.Header.Get("Retry-After"))}
	}
	if kind := mediaType(res, nil); res.Header.Get("Content-Type") != "" && !isText(kind) && !isHTML(kind) {
		return WebPage{}, fmt.Errorf("%w: %s", ErrNotTextPage, kind)
	}
	b, err := readBody(res)
	if err != nil {
		return WebPage{}, requestError(ctx, err)
	}
	page := WebPage{URL: res.Request.URL.Redacted(), Redirects: hops, Kind: b.kind, Bytes: len(b.data), Cut: b.cut}
	if !isText(b.kind) && !isHTML(b.kind) {
		return WebPage{}, fmt.Errorf("%w: %s", ErrNotTextPage, b.kind)
	}
	page.Text, err = decodeText(b.data, res.Header.Get("Content-Type"))
	if err != nil {
		return WebPage{}, err
	}
	if isHTML(b.kind) {
		page.Text, page.PageMeta, err = htmlToMarkdown(ctx, page.Text, res.Request.URL)
	} else if strings.ContainsRune(page.Text, 0) {
		err = fmt.Errorf("%w, although its declared type says so", ErrNotTextPage)
	}
	return page, err
}
