// Package channel sends alerts to the desktop, ntfy, Telegram, a mail address, a webhook or a file.
//
// Errors contain neither secrets nor URLs that contain one.
package channel

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gen2brain/beeep"
	"github.com/wneessen/go-mail"

	"github.com/nfa-cli/nfa/internal/alert"
)

// Kinds returns the kinds of channels.
func Kinds() []string { return []string{"desktop", "ntfy", "telegram", "mail", "webhook", "file"} }

// Config describes a channel.
type Config struct {
	Name string
	Kind string
	URL  string // of ntfy, Telegram or webhook
	To   string // ntfy topic, Telegram chat, mail address or file path
	From string // of mail
	Host string // of mail, with an optional port
	User string // of mail
	// Secret returns the token, password or key of the channel; "" if there is none.
	Secret func(ctx context.Context) (string, error)
	TLS    *tls.Config // for mail; nil uses the system's certificates
	// Timeout limits each try; 0 means 20 seconds.
	Timeout time.Duration
}

// Default addresses.
const (
	ntfyURL     = "https://ntfy.sh"
	telegramURL = "https://api.telegram.org"
)

const sendTimeout = 20 * time.Second

// Open returns the channel of a configuration, or an error that says what the configuration lacks.
func Open(c Config) (alert.Channel, error) {
	c.Timeout = cmp.Or(c.Timeout, sendTimeout)
	missing := func(fields ...string) error {
		return fmt.Errorf("channel %s: %s needs %s", c.Name, c.Kind, strings.Join(fields, " and "))
	}
	switch c.Kind {
	case "desktop":
		return desktop{}, nil
	case "file":
		if c.To == "" {
			return nil, missing("to: a path")
		}
		return file{c.To}, nil
	case "mail":
		if c.Host == "" || c.From == "" || c.To == "" {
			return nil, missing("host", "from", "to")
		}
		return mailer{c}, nil
	case "ntfy":
		if c.To == "" {
			return nil, missing("to: a topic")
		}
		c.URL = cmp.Or(c.URL, ntfyURL)
	case "telegram":
		if c.To == "" {
			return nil, missing("to: a chat")
		}
		c.URL = cmp.Or(c.URL, telegramURL)
	case "webhook":
		if c.URL == "" {
			return nil, missing("url")
		}
	default:
		return nil, fmt.Errorf("channel %s: unknown kind %.20q; known: %s", c.Name, c.Kind, strings.Join(Kinds(), ", "))
	}
	if err := checkURL(c.URL); err != nil {
		return nil, fmt.Errorf("channel %s: %w", c.Name, err)
	}
	return web{c}, nil
}

// checkURL accepts https, and http only to this computer.
func checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "":
		return errors.New("url is not a web address")
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()):
		return nil
	}
	return errors.New("url must begin with https://")
}

type desktop struct{}

func (desktop) Send(_ context.Context, m alert.Message) error {
	beeep.AppName = "nfa"
	return beeep.Notify(m.Title, m.Text, "")
}

// file appends a line of JSON for each alert.
type file struct{ path string }

func (f file) Send(_ context.Context, m alert.Message) (err error) {
	out, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	have, err := io.ReadAll(out)
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	if len(have) > 0 && have[len(have)-1] != '\n' {
		lines.WriteByte('\n') // ends a line truncated by a full disk
	}
	for _, a := range m.Alerts {
		if bytes.Contains(have, []byte(`{"id":"`+a.ID+`"`)) {
			continue
		}
		raw, err := json.Marshal(outside(a))
		if err != nil {
			return err
		}
		lines.Write(append(raw, '\n'))
	}
	_, err = out.Write(lines.Bytes())
	return err
}

// payload is an alert without the inputs of its figure, which may be amounts in the portfolio.
type payload struct {
	ID      string    `json:"id"`
	RuleID  string    `json:"rule_id"`
	Rule    string    `json:"rule"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	Value   string    `json:"value,omitempty"`
	Unit    string    `json:"unit,omitempty"`
	AsOf    string    `json:"as_of,omitempty"`
	Source  string    `json:"source,omitempty"`
	At      time.Time `json:"at"`
}

func outside(a alert.Alert) payload {
	p := payload{ID: a.ID, RuleID: a.RuleID, Rule: a.Rule, Subject: a.Subject, Text: a.Text, At: a.At}
	if f := a.Figure; f.Source != "" {
		p.Value, p.Unit, p.Source, p.AsOf = f.Value.String(), f.Unit, f.Source, f.AsOf.Format(time.DateOnly)
	}
	return p
}

// web sends to ntfy, Telegram or a webhook.
type web struct{ Config }

func (w web) Send(ctx context.Context, m alert.Message) error {
	secret, err := w.Secret(ctx)
	if err != nil {
		return err
	}
	request, err := w.request(m, secret)
	if err != nil {
		return &alert.SendError{Err: err, Permanent: true}
	}
	client := http.Client{Timeout: w.Timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request.WithContext(ctx))
	if err != nil {
		if failed := (*url.Error)(nil); errors.As(err, &failed) {
			err = failed.Err // without the URL, which may contain a token
		}
		return fmt.Errorf("%s: %w", w.Kind, err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20)); err != nil {
		return fmt.Errorf("%s: %w", w.Kind, err)
	}
	return statusError(w.Kind, response)
}

// statusError returns the error of a response, or nil.
func statusError(kind string, r *http.Response) error {
	if r.StatusCode >= 200 && r.StatusCode < 300 {
		return nil
	}
	e := &alert.SendError{Err: fmt.Errorf("%s answered %s", kind, http.StatusText(r.StatusCode))}
	if http.StatusText(r.StatusCode) == "" {
		e.Err = fmt.Errorf("%s answered with status %d", kind, r.StatusCode)
	}
	switch retry := r.Header.Get("Retry-After"); {
	case r.StatusCode == http.StatusTooManyRequests || r.StatusCode == http.StatusServiceUnavailable:
		if seconds, err := strconv.Atoi(retry); err == nil && seconds > 0 {
			e.After = time.Duration(min(seconds, 24*3600)) * time.Second
		} else if at, err := http.ParseTime(retry); err == nil {
			e.After = min(time.Until(at), 24*time.Hour)
		}
	case r.StatusCode < 500 && r.StatusCode != http.StatusRequestTimeout:
		e.Permanent = true
	}
	return e
}

func (w web) request(m alert.Message, secret string) (*http.Request, error) {
	base := strings.TrimRight(w.URL, "/")
	post := func(address, contentType string, body []byte) (*http.Request, error) {
		r, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return nil, errors.New("url is not a web address")
		}
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("User-Agent", "nfa")
		return r, nil
	}
	switch w.Kind {
	case "ntfy":
		// Send JSON, because a header can contain only ASCII.
		raw, err := json.Marshal(map[string]any{"topic": w.To, "title": m.Title, "message": m.Text, "priority": 3})
		if err != nil {
			return nil, err
		}
		r, err := post(base, "application/json", raw)
		if err == nil && secret != "" {
			r.Header.Set("Authorization", "Bearer "+secret)
		}
		return r, err
	case "telegram":
		if secret == "" {
			return nil, errors.New("no token; run: nfa auth set " + w.Name)
		}
		raw, err := json.Marshal(map[string]any{"chat_id": w.To, "text": m.Title + "\n" + m.Text, "link_preview_options": map[string]any{"is_disabled": true}})
		if err != nil {
			return nil, err
		}
		return post(base+"/bot"+secret+"/sendMessage", "application/json", raw)
	}
	body := struct {
		ID     string    `json:"id"`
		Title  string    `json:"title"`
		Text   string    `json:"text"`
		Alerts []payload `json:"alerts"`
	}{ID: m.ID, Title: m.Title, Text: m.Text}
	for _, a := range m.Alerts {
		body.Alerts = append(body.Alerts, outside(a))
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := post(w.URL, "application/json", raw)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Idempotency-Key", m.ID)
	if secret != "" {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(raw)
		r.Header.Set("X-Nfa-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	return r, nil
}

// mailer sends mail, and only over an encrypted connection.
type mailer struct{ Config }

const (
	submissionPort = 587
	tlsPort        = 465
)

func (m mailer) Send(ctx context.Context, message alert.Message) error {
	secret, err := m.Secret(ctx)
	if err != nil {
		return err
	}
	permanent := func(err error) error {
		return &alert.SendError{Err: fmt.Errorf("mail: %w", err), Permanent: true}
	}
	letter := mail.NewMsg()
	if err := errors.Join(letter.From(m.From), letter.To(m.To)); err != nil {
		return permanent(err)
	}
	letter.Subject(message.Title)
	letter.SetBodyString(mail.TypeTextPlain, message.Text)
	letter.SetMessageIDWithValue(message.ID + "@nfa")
	letter.SetDate()
	host, port := m.Host, submissionPort
	if name, number, err := net.SplitHostPort(m.Host); err == nil {
		if host = name; number != "" {
			if port, err = strconv.Atoi(number); err != nil {
				return permanent(fmt.Errorf("invalid port %.10q", number))
			}
		}
	}
	options := []mail.Option{mail.WithPort(port), mail.WithTLSPolicy(mail.TLSMandatory), mail.WithTimeout(m.Timeout), mail.WithoutNoop()}
	if port == tlsPort {
		options = append(options, mail.WithSSL())
	}
	if m.TLS != nil {
		options = append(options, mail.WithTLSConfig(m.TLS))
	}
	if m.User != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(m.User), mail.WithPassword(secret))
	}
	client, err := mail.NewClient(host, options...)
	if err != nil {
		return permanent(err)
	}
	if err := client.DialAndSendWithContext(ctx, letter); err != nil {
		text := err.Error()
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "***")
		}
		e := &alert.SendError{Err: errors.New("mail: " + text)}
		if refused := (*mail.SendError)(nil); errors.As(err, &refused) {
			e.Permanent = !refused.IsTemp() && refused.ErrorCode() >= 500
		}
		return e
	}
	return nil
}
