package files

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// URLProbe is the response to one request.
type URLProbe struct {
	URL         string // after redirects
	Redirects   []Redirect
	Status      int // 0 without a response
	StatusText  string
	Latency     time.Duration // to the last byte read, including redirects
	Kind        string        // media type
	Bytes       int           // of the decompressed body, as far as read
	Cut         bool          // the body is longer than MaxPageBytes
	Certificate time.Time     // expiry of the server's certificate; zero without TLS
	TLS         string        // version
	RetryAfter  string        // as sent by the server
	Limits      []string      // rate limit headers, as sent
	JSON        string        // "valid", "invalid", or empty for other types
	Fields      []string      // top-level names of a JSON object
	Beginning   string        // of a text body
}

// bodyPreviewLength is the number of bytes of a body in a URLProbe.
const bodyPreviewLength = 500

// Check sends one GET or HEAD request and describes the response, with any status. The errors are
// those of Get.
func (c *WebClient) Check(ctx context.Context, method, address string) (URLProbe, error) {
	if method != http.MethodGet && method != http.MethodHead {
		return URLProbe{}, refuseURL("method %s can change data; use GET or HEAD", method)
	}
	start := time.Now()
	res, hops, err := c.do(ctx, method, address, "*/*")
	if err != nil {
		return URLProbe{Redirects: hops, Latency: time.Since(start)}, err
	}
	defer func() { _ = res.Body.Close() }()
	p := URLProbe{
		URL: res.Request.URL.Redacted(), Redirects: hops, Status: res.StatusCode, StatusText: http.StatusText(res.StatusCode),
		RetryAfter: clipToLine(res.Header.Get("Retry-After")), Limits: rateHeaders(res.Header),
	}
	if res.TLS != nil && len(res.TLS.PeerCertificates) > 0 {
		p.TLS, p.Certificate = tlsName(res.TLS.Version), res.TLS.PeerCertificates[0].NotAfter
	}
	b, err := readBody(res)
	p.Latency = time.Since(start)
	if err != nil {
		return p, requestError(ctx, err)
	}
	p.Kind, p.Bytes, p.Cut = b.kind, len(b.data), b.cut
	p.inspectBody(b, res.Header.Get("Content-Type"))
	return p, nil
}

func (p *URLProbe) inspectBody(b responseBody, contentType string) {
	if strings.Contains(b.kind, "json") && len(b.data) > 0 && !b.cut {
		var object map[string]json.RawMessage
		p.JSON = "invalid"
		if json.Valid(b.data) {
			p.JSON = "valid"
		}
		if json.Unmarshal(b.data, &object) == nil {
			for name := range object {
				p.Fields = append(p.Fields, clipToLine(name))
			}
			slices.Sort(p.Fields)
			p.Fields = p.Fields[:min(len(p.Fields), 30)]
		}
	}
	if !isText(b.kind) && !isHTML(b.kind) {
		return
	}
	if text, err := decodeText(b.data[:min(len(b.data), 4*bodyPreviewLength)], contentType); err == nil {
		runes := []rune(strings.TrimSpace(text))
		p.Beginning = string(runes[:min(len(runes), bodyPreviewLength)])
	}
}

// rateHeaders returns the headers about rate limits.
func rateHeaders(h http.Header) []string {
	var out []string
	for name, values := range h {
		if lower := strings.ToLower(name); strings.Contains(lower, "ratelimit") || strings.Contains(lower, "rate-limit") {
			out = append(out, fmt.Sprintf("%s: %s", name, clipToLine(strings.Join(values, ", "))))
		}
	}
	slices.Sort(out)
	return out[:min(len(out), 10)]
}

func tlsName(version uint16) string {
	return map[uint16]string{0x0303: "1.2", 0x0304: "1.3"}[version]
}
