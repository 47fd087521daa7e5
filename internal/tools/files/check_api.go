package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const checkAPIDescription = `Requests a public URL once: status, time, redirects, certificate, rate-limit headers and whether JSON is valid. Use for "is this API up" or "why does it return 401"; to read a page use web_fetch. It sends no keys, so 401 or 403 means that the server is up.`

const checkAPIDetails = `The result has the status, time in milliseconds, redirects, content type, size in bytes, TLS version, the expiry date of the certificate, rate-limit headers, whether the JSON is valid, its top-level fields, and the beginning of a text body. Every status is a result, not an error. If there is no response, up is false and problem gives the reason.

Use GET, or HEAD if only the headers matter. Requests go only to the public internet, without keys and cookies. Private addresses, ports other than 80 and 443, and URLs that contain a key are refused.`

const checkAPIKeywords = "api check up down status endpoint server responds response latency ping http code reachable certificate tls ssl expires headers json health working online slow 401 接口 检查 可用 状态码 是否正常 证书 延迟 能访问吗 服务器"

var checkAPIPhrasings = []string{
	"is <url> up",
	"check whether the api at <url> responds",
	"why does <url> return <num>",
	"how fast is <url>",
	"when does the certificate of <url> expire",
	"<url> 能访问吗",
	"检查接口 <url> 是否正常",
}

type checkAPIInput struct {
	URL    string `json:"url" jsonschema:"Full address with https:// or http://."`
	Method string `json:"method,omitempty" jsonschema:"GET (default) or HEAD."`
}

type apiCheckResult struct {
	Up          bool       `json:"up"` // a server responded, with any status
	Problem     string     `json:"problem,omitempty"`
	URL         string     `json:"url"`
	Method      string     `json:"method"`
	Redirects   []Redirect `json:"redirects"`
	Status      int        `json:"status,omitempty"`
	StatusText  string     `json:"status_text,omitempty"`
	LatencyMS   int64      `json:"latency_ms"`
	Kind        string     `json:"content_type,omitempty"`
	Bytes       int        `json:"bytes"`
	Cut         bool       `json:"cut,omitempty"`
	TLS         string     `json:"tls,omitempty"`
	Certificate string     `json:"certificate_until,omitempty"`
	DaysLeft    *int       `json:"certificate_days_left,omitempty"`
	RetryAfter  string     `json:"retry_after,omitempty"`
	Limits      []string   `json:"rate_headers,omitempty"`
	JSON        string     `json:"json,omitempty"`
	Fields      []string   `json:"json_fields,omitempty"`
	Checked     string     `json:"checked_at"`
	OutsideNote string     `json:"note,omitempty"`
	Text        string     `json:"text,omitempty"`
}

// newCheckAPI returns the tool that tests whether a URL responds.
func newCheckAPI(d Deps) tool.Tool {
	t := tool.New("check_api", checkAPIDescription, tool.Reads, func(ctx context.Context, in checkAPIInput) (tool.Result, error) {
		method := strings.ToUpper(cmp.Or(strings.TrimSpace(in.Method), http.MethodGet))
		if blocked, result := d.blocked(in.URL); blocked {
			return result, nil
		}
		at := d.Now()
		probe, err := d.Web.Check(ctx, method, in.URL)
		switch {
		case ctx.Err() != nil:
			return tool.Result{}, context.Cause(ctx)
		case errors.Is(err, ErrURLRefused):
			return webFailure(ctx, err)
		}
		check := newAPICheckResult(probe, method, at)
		if err != nil {
			// The request was sent, so a failure is a valid result.
			check.Up, check.Problem = probe.Status != 0, err.Error()
			check.URL = cmp.Or(probe.URL, in.URL)
		}
		forModel, err := toolkit.EncodeResult(check)
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{
			Value: check, ForModel: forModel, ForUser: check.markdown(), Figures: check.figures(at),
			Title: toolkit.Abbreviate(check.URL), Summary: check.summary(),
			Headline: fmt.Sprintf("%s: %s.", toolkit.Abbreviate(check.URL), check.summary()), HeadlineZH: fmt.Sprintf("%s：%s。", toolkit.Abbreviate(check.URL), check.summary()),
		}, nil
	}).WithDetails(checkAPIDetails).Find("web", checkAPIKeywords, checkAPIPhrasings...)
	t.Timeout = webTimeout
	return t
}

func newAPICheckResult(p URLProbe, method string, at time.Time) apiCheckResult {
	c := apiCheckResult{
		Up: true, URL: p.URL, Method: method, Redirects: p.Redirects, Status: p.Status, StatusText: p.StatusText,
		LatencyMS: p.Latency.Milliseconds(), Kind: p.Kind, Bytes: p.Bytes, Cut: p.Cut, TLS: p.TLS, RetryAfter: p.RetryAfter,
		Limits: p.Limits, JSON: p.JSON, Fields: p.Fields, Checked: at.Format(time.RFC3339), Text: p.Beginning,
	}
	if c.Redirects == nil {
		c.Redirects = []Redirect{}
	}
	if c.Text != "" {
		c.OutsideNote = toolkit.OutsideTextNote
	}
	if !p.Certificate.IsZero() {
		days := int(p.Certificate.Sub(at).Hours() / 24)
		c.Certificate, c.DaysLeft = p.Certificate.UTC().Format(time.DateOnly), &days
	}
	return c
}

func (c apiCheckResult) summary() string {
	if c.Status == 0 {
		return "no response: " + toolkit.Abbreviate(c.Problem)
	}
	return fmt.Sprintf("%d %s · %d ms", c.Status, c.StatusText, c.LatencyMS)
}

func (c apiCheckResult) markdown() string {
	rows := [][]string{
		{"address", c.URL}, {"answer", c.summary()}, {"checked", c.Checked}, {"problem", c.Problem},
		{"content type", c.Kind}, {"bytes", strconv.Itoa(c.Bytes)}, {"TLS", c.TLS}, {"certificate expires", c.Certificate},
		{"retry after", c.RetryAfter}, {"rate limits", strings.Join(c.Limits, "; ")}, {"JSON", c.JSON}, {"fields", strings.Join(c.Fields, ", ")},
	}
	for _, hop := range c.Redirects {
		rows = append(rows, []string{"redirected from", fmt.Sprintf("%s (%d)", hop.URL, hop.Status)})
	}
	var filled [][]string
	for _, row := range rows {
		if row[1] != "" {
			filled = append(filled, row)
		}
	}
	text := toolkit.MarkdownTable([]string{"what", "found"}, filled)
	if c.Text != "" {
		text += "\nThe response begins:\n\n" + toolkit.QuoteOutsideText(c.Text)
	}
	return text
}

func (c apiCheckResult) figures(at time.Time) []tool.Figure {
	figure := func(id, label, unit string, value int64) tool.Figure {
		return tool.Figure{ID: id, Label: label, Value: decimal.NewFromInt(value), Unit: unit, AsOf: at, Source: c.URL}
	}
	out := []tool.Figure{figure("latency_ms", "response time", "ms", c.LatencyMS)}
	if c.Status != 0 {
		out = append(out, figure("status", "HTTP status", "status", int64(c.Status)), figure("bytes", "size of the response", "bytes", int64(c.Bytes)))
	}
	if c.DaysLeft != nil {
		out = append(out, figure("certificate_days_left", "days until the certificate expires", "days", int64(*c.DaysLeft)))
	}
	return out
}
