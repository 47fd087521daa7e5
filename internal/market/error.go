package market

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// What the errors of a source mean.
var (
	ErrUnknownSymbol = errors.New("unknown symbol")
	ErrRateLimited   = errors.New("rate limited")
	ErrUnavailable   = errors.New("source unavailable")
	ErrNotConfigured = errors.New("source not configured")
	// ErrNoData means that the symbol is known but nothing lies in the range.
	ErrNoData = errors.New("no data in range")
	// ErrAuth means that a key is missing, wrong or not entitled to the data.
	ErrAuth = errors.New("access refused")
	// ErrMalformed means that an answer is not what was asked for: another
	// symbol, a page in place of data, numbers that cannot be.
	ErrMalformed = errors.New("malformed answer")
	// ErrAmbiguous means that a name fits several instruments; the error names
	// them, and the user chooses.
	ErrAmbiguous = errors.New("ambiguous name")
)

// SourceError is why one source gave no answer. It unwraps to the sentinel that
// says what it means.
type SourceError struct {
	Source  string    // "yahoo"
	Doing   string    // "quote of AAPL"
	Err     error     // one of the sentinels, or wraps one
	Status  int       // of HTTP; zero where there was none
	RetryAt time.Time // when to ask again, where the source or its limiter says so
	Detail  string    // in the source's own words; outside text
}

func (e *SourceError) Error() string {
	parts := []string{e.Doing + " from " + e.Source, e.Err.Error()}
	if e.Doing == "" {
		parts[0] = e.Source
	}
	if e.Status != 0 {
		parts = append(parts, fmt.Sprintf("status %d", e.Status))
	}
	if e.Detail != "" {
		parts = append(parts, e.Detail)
	}
	text := strings.Join(parts, ": ")
	if !e.RetryAt.IsZero() {
		text += ", ask again after " + e.RetryAt.UTC().Format("15:04:05 UTC")
	}
	return text
}

func (e *SourceError) Unwrap() error { return e.Err }

// reason is the error without what was being done: the list of attempts says
// that once.
func reason(err error) Attempt {
	var from *SourceError
	if !errors.As(err, &from) {
		return Attempt{Source: "source", Reason: err.Error()}
	}
	bare := *from
	bare.Doing = ""
	return Attempt{Source: from.Source, Reason: strings.TrimPrefix(bare.Error(), from.Source+": ")}
}

// ExhaustedError means that no source answered. It says which were asked and why
// each did not, and means what the most hopeful of them means: a symbol is
// unknown only where every source that answered says so.
type ExhaustedError struct {
	Doing string
	Tried []Attempt

	errs []error
}

func (e *ExhaustedError) Error() string {
	if len(e.errs) == 1 {
		return e.errs[0].Error()
	}
	said := make([]string, len(e.Tried))
	for i, a := range e.Tried {
		said[i] = a.Source + ": " + a.Reason
	}
	return fmt.Sprintf("%s: %s (tried %s)", e.Doing, e.meaning(), strings.Join(said, "; "))
}

// Unwrap gives the sentinel that all attempts together mean, so that errors.Is
// does not find "unknown symbol" where one of several sources was down.
func (e *ExhaustedError) Unwrap() []error {
	if len(e.errs) == 1 {
		return e.errs
	}
	return []error{e.meaning()}
}

// meaning weighs the attempts: what a source could not be asked outweighs what
// another did not know, since the first might have known it. A source that is not
// set up says nothing of the symbol.
func (e *ExhaustedError) meaning() error {
	for _, sentinel := range []error{ErrRateLimited, ErrUnavailable, ErrMalformed, ErrAuth, ErrAmbiguous, ErrNoData, ErrUnknownSymbol, ErrNotConfigured} {
		for _, err := range e.errs {
			if errors.Is(err, sentinel) {
				return sentinel
			}
		}
	}
	return ErrUnavailable
}
