package files

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// WebPage is what an address showed.
type WebPage struct {
	URL       string // after redirects
	Redirects []Redirect
	Kind      string // media type
	Text      string // Markdown of an HTML page, else the text as it came
	Bytes     int    // read from the server, unpacked
	Cut       bool   // the server had more than MaxPageBytes
	PageMeta
}

// PageMeta is what an HTML page says of itself; empty where it says nothing.
type PageMeta struct {
	Title, Author, Published, Language string
}

// HTTPStatusError is an answer that is no page.
type HTTPStatusError struct {
	Code       int
	RetryAfter string // as the server said it, in a line
}

// Error names the status in words.
func (e *HTTPStatusError) Error() string {
	text := fmt.Sprintf("the server answered %d %s", e.Code, http.StatusText(e.Code))
	if e.RetryAfter != "" {
		text += ", ask again after " + e.RetryAfter
	}
	return text
}

// Get reads a page: HTML as Markdown, text, JSON and CSV as they are. The errors
// are *HTTPStatusError, those that wrap ErrURLRefused, ErrWebTimeout or ErrNotTextPage, and
// those of the network.
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
		return WebPage{}, fmt.Errorf("%w but %s", ErrNotTextPage, kind)
	}
	b, err := readBody(res)
	if err != nil {
		return WebPage{}, requestError(ctx, err)
	}
	page := WebPage{URL: res.Request.URL.Redacted(), Redirects: hops, Kind: b.kind, Bytes: len(b.data), Cut: b.cut}
	if !isText(b.kind) && !isHTML(b.kind) {
		return WebPage{}, fmt.Errorf("%w but %s", ErrNotTextPage, b.kind)
	}
	page.Text, err = decodeText(b.data, res.Header.Get("Content-Type"))
	if err != nil {
		return WebPage{}, err
	}
	if isHTML(b.kind) {
		page.Text, page.PageMeta, err = htmlToMarkdown(ctx, page.Text, res.Request.URL)
	} else if strings.ContainsRune(page.Text, 0) {
		err = fmt.Errorf("%w, whatever it is called", ErrNotTextPage)
	}
	return page, err
}
