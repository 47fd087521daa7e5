package llm

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind classifies an Error for the caller.
type Kind string

// The kinds that callers branch on.
const (
	KindAuth          Kind = "auth"            // the key is missing, wrong or lacks permission
	KindQuota         Kind = "quota"           // the account has no credit left
	KindRateLimit     Kind = "rate_limit"      // too many requests; RetryAfter may say when
	KindContextLength Kind = "context_length"  // the conversation is longer than the window
	KindModelUnknown  Kind = "model_unknown"   // the server has no such model
	KindRefused       Kind = "content_refused" // the provider's filter refused the content
	KindBadRequest    Kind = "bad_request"     // any other 4xx
	KindServer        Kind = "server"          // 5xx, or an unusable answer
	KindNetwork       Kind = "network"         // the server was unreachable, or the connection broke
	KindTimeout       Kind = "timeout"         // the server did not respond in time
	KindTruncated     Kind = "truncated"       // the stream ended before the answer did
)

// ErrAnswerTooLong is the cause of a KindTruncated error if nfa cut the answer off because it did not end.
// A retry would not help.
var ErrAnswerTooLong = errors.New("the answer is too long")

// Error is a failed model call, classified by Kind.
type Error struct {
	Kind       Kind
	Provider   string        // as the user named it: "openai", "custom"
	Status     int           // HTTP status, or 0
	Message    string        // the provider's message, without secrets
	RetryAfter time.Duration // the wait that the server requested, or 0
	Err        error         // the cause, or nil
	// Sentence tells the user what failed and what to do, or is "". Error is for logs.
	Sentence string
}

// Error names the provider and the kind of failure, with the provider's message.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Provider != "" {
		b.WriteString(e.Provider + ": ")
	}
	if e.Status != 0 {
		fmt.Fprintf(&b, "%d ", e.Status)
	}
	b.WriteString(strings.ReplaceAll(string(e.Kind), "_", " "))
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	} else if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// SentenceOf returns the Sentence of the *Error in err's chain, or "".
func SentenceOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Sentence
	}
	return ""
}

// KindOf returns the Kind of the *Error in err's chain, or "".
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}
