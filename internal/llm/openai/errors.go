package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// errorOf returns the error for a refusal with this status and body.
func (m *Model) errorOf(status int, body []byte) *llm.Error {
	return m.errorWith(status, parseServerError(body))
}

func (m *Model) errorWith(status int, c serverError) *llm.Error {
	// An error inside a stream names the status it would have had.
	switch {
	case c.status != 0:
		status = c.status
	case status == 0 && hasAny(c.code, "overloaded", "unavailable"):
		status = http.StatusServiceUnavailable
	case status == 0 && hasAny(c.code, "server_error", "internal_error", "api_error"):
		status = http.StatusInternalServerError
	}
	e := &llm.Error{
		Kind:     kindOf(status, strings.ToLower(c.code+" "+c.message)),
		Provider: m.cfg.Provider,
		Status:   status,
		Message:  m.secrets.line(c.message),
	}
	switch {
	case m.cfg.Ended != "" && (status == http.StatusNotFound || e.Kind == llm.KindModelUnknown):
		e.Kind, e.Message = llm.KindModelUnknown, m.cfg.Ended
	case e.Message == "" && status == http.StatusNotFound && m.cfg.Wire == WireResponses:
		e.Message = "no Responses API at this address; check the base URL, or set wire: chat for this provider in the settings"
	case e.Message == "" && status == http.StatusNotFound:
		e.Message = "no chat completions at this address; check the base URL"
	case e.Message == "" && status != 0:
		e.Message = strings.ToLower(http.StatusText(status))
	}
	return e
}

// kindOf prefers the message to the status: servers report the same error as 400, 404, 413, 429 or
// 500.
func kindOf(status int, message string) llm.Kind {
	switch {
	case status == http.StatusUnauthorized || hasAny(message, "invalid_api_key", "api_key_invalid", "incorrect api key", "invalid api key", "api key not valid", "authentication_error", "no auth credentials"):
		return llm.KindAuth
	case status == http.StatusPaymentRequired || hasAny(message, "insufficient_quota", "insufficient balance", "insufficient credit", "insufficient funds", "credit balance is too low", "out of credits", "exceeded_current_quota", "billing_hard_limit"):
		return llm.KindQuota
	case status == http.StatusTooManyRequests || hasAny(message, "rate_limit", "rate limit", "too many requests", "resource_exhausted"):
		return llm.KindRateLimit
	case status == http.StatusRequestEntityTooLarge || hasAny(message, "context_length", "context length", "context window", "context size", "exceed_context", "maximum context", "prompt is too long", "input is too long", "input token count", "maximum prompt length"):
		return llm.KindContextLength
	case hasAny(message, "content_filter", "content_policy", "content policy", "content management policy", "moderation", "was flagged", "prohibited_content"):
		return llm.KindRefused
	case hasAny(message, "model_not_found", "no such model", "not a valid model", "unknown model", "invalid model") ||
		strings.Contains(message, "model") && hasAny(message, "not found", "does not exist"):
		return llm.KindModelUnknown
	case status == http.StatusForbidden:
		return llm.KindAuth
	case status == http.StatusRequestTimeout:
		return llm.KindTimeout
	case status >= 300 && status < 500:
		return llm.KindBadRequest
	default:
		return llm.KindServer
	}
}

func hasAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// serverError is the error in a response, in any of the known formats.
type serverError struct {
	status  int    // an HTTP status in the error object, or 0
	code    string // codes and types, for kindOf
	message string
}

// parseServerError parses {"error":{...}}, {"error":"..."}, {"message":...}, {"detail":...}, an
// array around any of them, a web page, and plain text.
func parseServerError(body []byte) serverError {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) == nil {
		inner, outer := serverErrorIn(object["error"]), serverErrorOf(object)
		return serverError{
			status:  cmp.Or(inner.status, outer.status),
			code:    inner.code + outer.code,
			message: cmp.Or(inner.message, outer.message),
		}
	}
	if bytes.HasPrefix(body, []byte("<")) {
		return serverError{message: pageTitle(body)}
	}
	return serverError{message: string(body)}
}

// serverErrorIn reads the value of an "error" field.
func serverErrorIn(raw json.RawMessage) serverError {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) == nil {
		return serverErrorOf(object)
	}
	return serverError{message: scalar(raw)}
}

func serverErrorOf(object map[string]json.RawMessage) serverError {
	c := serverError{message: messageText(object["message"])}
	if c.message == "" {
		c.message = messageText(object["detail"])
	}
	for _, name := range []string{"code", "type", "status"} {
		value := scalar(object[name])
		if n, err := strconv.Atoi(value); err == nil && n >= 400 && n < 600 {
			c.status = n
		}
		c.code += " " + value
	}
	// A gateway reports only that its provider failed, with the provider's message in a separate
	// field.
	var meta struct {
		Raw json.RawMessage `json:"raw"`
	}
	if json.Unmarshal(object["metadata"], &meta) == nil && isPresent(meta.Raw) {
		c.message = strings.TrimPrefix(c.message+": "+messageText(meta.Raw), ": ")
	}
	return c
}

// messageText returns a message that may be a string, a list, or an object.
func messageText(raw json.RawMessage) string {
	if !isPresent(raw) {
		return ""
	}
	if s := scalar(raw); s != "" {
		return s
	}
	return string(raw)
}

func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

func isPresent(raw json.RawMessage) bool {
	return len(raw) > 0 && string(raw) != "null"
}

// pageTitle reduces a web page to a line.
func pageTitle(page []byte) string {
	lower := bytes.ToLower(page)
	if _, after, ok := bytes.Cut(lower, []byte("<title")); ok {
		from := len(page) - len(after)
		if open := bytes.IndexByte(page[from:], '>'); open >= 0 {
			title, _, _ := bytes.Cut(page[from+open+1:], []byte("<"))
			if title = bytes.TrimSpace(title); len(title) > 0 {
				return "the server returned a web page instead of an answer: " + string(title)
			}
		}
	}
	return "the server returned a web page instead of an answer"
}

// explain converts the cause that ended an attempt into the returned error: ctx's own if ctx ended,
// else an *llm.Error.
func (m *Model) explain(ctx, attempt context.Context, err error) error {
	var silence *silenceError
	var llmErr *llm.Error
	var foreign *notStreamError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(context.Cause(attempt), &silence):
		return &llm.Error{Kind: llm.KindTimeout, Provider: m.cfg.Provider, Message: silence.Error(), Err: silence}
	case errors.As(err, &llmErr):
		return llmErr
	case errors.As(err, &foreign):
		message := parseServerError(foreign.preview).message
		if !bytes.HasPrefix(bytes.TrimSpace(foreign.preview), []byte("<")) {
			message = foreign.Error() + ": " + message
		}
		return &llm.Error{
			Kind: llm.KindServer, Provider: m.cfg.Provider, Status: http.StatusOK, Err: foreign,
			Message: m.secrets.line(message + "; check the base URL"),
		}
	case errors.Is(err, errEventTooLarge):
		return &llm.Error{Kind: llm.KindServer, Provider: m.cfg.Provider, Message: err.Error(), Err: err}
	}
	return m.networkError(err)
}

// networkError leaves out the URL that net/http puts before its errors.
func (m *Model) networkError(err error) *llm.Error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	kind := llm.KindNetwork
	var slow interface{ Timeout() bool }
	if errors.As(err, &slow) && slow.Timeout() {
		kind = llm.KindTimeout
	}
	message := "the connection to " + m.host + " broke: "
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		message += "closed before the response"
	} else {
		message += err.Error()
	}
	if neverConnected(err) {
		message = m.host + " could not be reached: " + err.Error()
	}
	return &llm.Error{
		Kind: kind, Provider: m.cfg.Provider,
		Message: m.secrets.line(message), Err: m.secrets.cause(err),
	}
}
