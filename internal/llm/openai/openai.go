package openai

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Doer sends a request; *http.Client is one. A Doer must not follow redirects to other hosts, which would
// then receive the key.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Config describes the server and the timeouts. BaseURL and Model are required; all other fields
// have defaults.
type Config struct {
	Provider string // as the user named it; empty means the host
	BaseURL  string // "https://api.openai.com/v1"
	APIKey   string // empty for servers that need none
	Model    string
	// Wire is the format of requests: WireChat, which is the default, or WireResponses.
	Wire string
	// Reasoning reports that the model thinks before it answers.
	Reasoning bool
	// Ended is the error message for a retired model, if the server no longer has it.
	Ended string

	// AllowInsecure permits http:// to other machines, which sends the key and the conversation unencrypted.
	AllowInsecure bool

	Header http.Header // further request headers
	// ExtraBody holds additional fields of the request body. A JSON null removes a field that is
	// otherwise sent, for servers without stream_options.
	ExtraBody map[string]json.RawMessage

	HTTPClient Doer // default: a new client without compression and redirects
	Timeouts   Timeouts
	Retry      Retry
	Log        zerolog.Logger
}

// The formats of requests.
const (
	WireChat      = "chat"      // chat completions, which most servers speak
	WireResponses = "responses" // the Responses API of OpenAI
)

// Timeouts limit the server's silence, never the length of an answer. Zero means the default, a negative
// value no limit.
type Timeouts struct {
	Connect   time.Duration // for the default HTTPClient; 10 s
	FirstByte time.Duration // from the request to the response's headers; 60 s
	Idle      time.Duration // between two reads of the stream, including comments; 90 s
}

// Defaults of Timeouts.
const (
	DefaultConnect   = 10 * time.Second
	DefaultFirstByte = 60 * time.Second
	DefaultIdle      = 90 * time.Second
)

func (t Timeouts) withDefaults() Timeouts {
	return Timeouts{
		Connect:   orDefault(t.Connect, DefaultConnect),
		FirstByte: orDefault(t.FirstByte, DefaultFirstByte),
		Idle:      orDefault(t.Idle, DefaultIdle),
	}
}

func orDefault(d, standard time.Duration) time.Duration {
	if d == 0 {
		return standard
	}
	return d
}

// Model is one model of one server. It is safe for concurrent use.
type Model struct {
	cfg     Config
	host    string
	secrets redactor
	quirk   quirk
}

var _ llm.Model = (*Model)(nil)

// New checks cfg and makes the Model; nothing is sent yet.
func New(cfg Config) (*Model, error) {
	base, err := parseBaseURL(cfg.BaseURL, cfg.AllowInsecure)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(cfg.Model) == "" {
		return nil, fmt.Errorf("no model set for %s; set NFA_MODEL or --model to a model ID of the server", base.Host)
	}
	cfg.APIKey = strings.TrimSpace(cfg.APIKey)
	if strings.ContainsFunc(cfg.APIKey, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, fmt.Errorf("the API key for %s contains a space, line break or special character; copy it again", base.Host)
	}
	if cfg.Wire != "" && cfg.Wire != WireChat && cfg.Wire != WireResponses {
		return nil, fmt.Errorf("unknown wire format %q; use %s or %s", cfg.Wire, WireChat, WireResponses)
	}
	if err := checkExtraBody(cfg.ExtraBody); err != nil {
		return nil, err
	}
	cfg.BaseURL = base.String()
	if cfg.Provider == "" {
		cfg.Provider = base.Host
	}
	cfg.Timeouts = cfg.Timeouts.withDefaults()
	cfg.Retry = cfg.Retry.withDefaults()
	if cfg.HTTPClient == nil {
		cfg.HTTPClient = newHTTPClient(cfg.Timeouts.Connect)
	}
	return &Model{cfg: cfg, host: base.Hostname(), secrets: newRedactor(cfg.APIKey, cfg.Header), quirk: quirkOf(base.Hostname(), cfg.Model)}, nil
}

// parseBaseURL never puts raw into an error: people paste keys into URLs.
func parseBaseURL(raw string, allowInsecure bool) (*url.URL, error) {
	if strings.TrimSpace(raw) == "" {
		return nil, fmt.Errorf("no base URL; set NFA_BASE_URL to the server's URL including the version, such as https://api.openai.com/v1")
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http"):
		return nil, fmt.Errorf("invalid base URL; use one such as https://api.openai.com/v1 or http://localhost:11434/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("the base URL for %s contains a user, query or fragment; remove it and set the key as NFA_API_KEY", u.Host)
	case u.Scheme == "http" && !allowInsecure && !IsLoopback(u.Hostname()):
		return nil, fmt.Errorf("http://%s would send the key and the conversation unencrypted; use https", u.Host)
	}
	// People paste the whole endpoint from a server's documentation.
	u.Path = strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions"), "/responses")
	u.RawPath = ""
	return u, nil
}

// IsLoopback reports whether a host is this machine, by its name or address.
func IsLoopback(host string) bool {
	host = strings.ToLower(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

func checkExtraBody(extra map[string]json.RawMessage) error {
	for name, value := range extra {
		if name == "messages" || name == "stream" || name == "model" {
			return fmt.Errorf("extra body field %q cannot be set; nfa sets it", name)
		}
		if !json.Valid(value) {
			return fmt.Errorf("extra body field %q is not JSON; put strings in quotes", name)
		}
	}
	return nil
}

func newHTTPClient(connect time.Duration) *http.Client {
	connect = max(connect, 0) // the dialer takes zero as no limit
	dialer := &net.Dialer{Timeout: connect, KeepAlive: 30 * time.Second}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         dialer.DialContext,
			TLSHandshakeTimeout: connect,
			ForceAttemptHTTP2:   true,
			MaxIdleConnsPerHost: 2,
			IdleConnTimeout:     90 * time.Second,
			// A compressing proxy buffers tokens until its window is full.
			DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
