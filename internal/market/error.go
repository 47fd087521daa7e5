package market

import (
	"errors"
	"fmt"
	"slices"
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
	// ErrNotCovered means that a source does not deal in what was asked for at all:
	// a source of coins, asked for a share. It says nothing of whether there is one.
	ErrNotCovered = errors.New("not covered")
	// ErrAmbiguous means that a name fits several instruments; the error names
	// them, and the user chooses.
	ErrAmbiguous = errors.New("ambiguous name")
)

// SourceError is why one source gave no answer. It unwraps to the sentinel that
// says what it means.
type SourceError struct {
	Source  string    // "yahoo"
	Op      string    // "quote of AAPL"
	Err     error     // one of the sentinels, or wraps one
	Status  int       // of HTTP; zero where there was none
	RetryAt time.Time // when to ask again, where the source or its limiter says so
	Detail  string    // what else is known; the server's own words, which are outside text, are in quotes
}

func (e *SourceError) Error() string {
	parts := []string{e.Op + " from " + e.Source, e.Err.Error()}
	switch {
	case e.Op == "" && e.Source == "":
		parts = parts[1:]
	case e.Op == "":
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

// attemptFor is the error without what was being done: the list of attempts says
// that once.
func attemptFor(err error) Attempt {
	var sourceErr *SourceError
	if !errors.As(err, &sourceErr) {
		return Attempt{Source: "source", Reason: err.Error()}
	}
	bare := *sourceErr
	bare.Op = ""
	return Attempt{Source: sourceErr.Source, Reason: strings.TrimPrefix(bare.Error(), sourceErr.Source+": ")}
}

// ExhaustedError means that no source answered. It says which were asked and why
// each did not, and means what the most hopeful of them means: a symbol is
// unknown only where every source that answered says so.
type ExhaustedError struct {
	Op    string
	Tried []Attempt
	// Unset are the sources that could not be asked because they are not set up.
	Unset []Attempt

	errs  []error
	unset []error
}

func (e *ExhaustedError) Error() string {
	if len(e.errs) == 1 {
		return e.errs[0].Error() + e.unsetText()
	}
	if len(e.errs) == 0 {
		return fmt.Sprintf("%s: %s%s", e.Op, e.sentinel(), e.unsetText())
	}
	tried := make([]string, len(e.Tried))
	for i, a := range e.Tried {
		tried[i] = a.Source + ": " + a.Reason
	}
	return fmt.Sprintf("%s: %s (tried %s)%s", e.Op, e.sentinel(), strings.Join(tried, "; "), e.unsetText())
}

// unsetText names what was not set up: how, where it is one source, since that is
// what the user may want to do.
func (e *ExhaustedError) unsetText() string {
	if len(e.Unset) == 1 {
		return fmt.Sprintf("; %s was not asked: %s", e.Unset[0].Source, e.Unset[0].Reason)
	}
	names := make([]string, len(e.Unset))
	for i, a := range e.Unset {
		names[i] = a.Source
	}
	if len(names) == 0 {
		return ""
	}
	return "; not set up: " + strings.Join(names, ", ")
}

// Unwrap gives the sentinel that all attempts together mean, so that errors.Is
// does not find "unknown symbol" where one of several sources was down.
func (e *ExhaustedError) Unwrap() []error {
	if len(e.errs) == 1 && len(e.unset) == 0 {
		return e.errs
	}
	return []error{e.sentinel()}
}

// sentinel weighs the attempts: what a source could not be asked outweighs what
// another did not know, since the first might have known it. So does an error of
// no sentinel. A source that is not set up says nothing of the symbol, and where a
// single one could be asked, what that did not know proves little.
func (e *ExhaustedError) sentinel() error {
	if len(e.errs) == 0 {
		if len(e.unset) > 0 {
			return ErrNotConfigured
		}
		return ErrUnknownSymbol // nobody deals in it
	}
	sentinels := []error{ErrRateLimited, ErrUnavailable, ErrMalformed, ErrAuth, ErrAmbiguous, ErrNoData, ErrUnknownSymbol, ErrNotConfigured}
	heaviest := len(sentinels)
	for _, err := range e.errs {
		rank := slices.IndexFunc(sentinels, func(s error) bool { return errors.Is(err, s) })
		if rank < 0 {
			rank = slices.Index(sentinels, ErrUnavailable)
		}
		heaviest = min(heaviest, rank)
	}
	if heaviest == len(sentinels) {
		return ErrUnavailable
	}
	return sentinels[heaviest]
}
