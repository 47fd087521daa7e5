package market

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/humanize"
)

// Sentinels for the errors of sources.
var (
	ErrUnknownSymbol = errors.New("unknown symbol")
	ErrRateLimited   = errors.New("rate limited")
	ErrUnavailable   = errors.New("source unavailable")
	ErrNotConfigured = errors.New("source not configured")
	// ErrNoData means that the symbol is known but has no data in the range.
	ErrNoData = errors.New("no data in range")
	// ErrAuth means that a key is missing, wrong or not entitled to the data.
	ErrAuth = errors.New("access refused")
	// ErrMalformed means that a response does not match the request: another
	// symbol, a web page instead of data, impossible numbers.
	ErrMalformed = errors.New("malformed response")
	// ErrNotCovered means that a source does not offer this kind of data, such as
	// shares from a source of coins. The symbol may still exist.
	ErrNotCovered = errors.New("not covered")
	// ErrAmbiguous means that a name matches several instruments. The error lists
	// them so that the user can choose.
	ErrAmbiguous = errors.New("ambiguous name")
)

// Codes of errors, for scripts.
const (
	CodeUnknownSymbol = "unknown_symbol"
	CodeRateLimited   = "rate_limited"
	CodeUnauthorized  = "unauthorized" // a key or contact is missing, wrong or not entitled
	CodeMalformed     = "malformed"
	CodeUnavailable   = "unavailable"
	CodeNoData        = "no_data"
	CodeOffline       = "offline" // no source can be reached
)

// ErrorCode returns the code of an error that wraps one of the sentinels, or "".
func ErrorCode(err error) string {
	if coded, ok := errors.AsType[*ExhaustedError](err); ok {
		return coded.ErrorCode()
	}
	for _, c := range []struct {
		sentinel error
		code     string
	}{
		{ErrUnknownSymbol, CodeUnknownSymbol}, {ErrRateLimited, CodeRateLimited}, {ErrAuth, CodeUnauthorized}, {ErrNotConfigured, CodeUnauthorized},
		{ErrMalformed, CodeMalformed}, {ErrUnavailable, CodeUnavailable}, {ErrNoData, CodeNoData}, {ErrNotCovered, CodeNoData},
	} {
		if errors.Is(err, c.sentinel) {
			return c.code
		}
	}
	return ""
}

// ErrorCode returns the code of the error for scripts.
func (e *SourceError) ErrorCode() string {
	if e.Unreachable {
		return CodeOffline
	}
	return ErrorCode(e.Err)
}

// ErrorCode returns the code of the most promising attempt, or CodeOffline if none reached a source.
func (e *ExhaustedError) ErrorCode() string {
	if failed, unreachable := e.promising(); len(failed) > 0 && unreachable == len(failed) {
		return CodeOffline
	}
	return ErrorCode(e.sentinel())
}

// SourceError reports why one source did not deliver. It unwraps to a sentinel.
type SourceError struct {
	Source  string    // "yahoo"
	Op      string    // "quote of AAPL"
	Err     error     // one of the sentinels, or wraps one
	Status  int       // HTTP status; zero without a response
	RetryAt time.Time // when to try again, if the source or its limiter says so
	Detail  string    // more about the cause; text from the server is untrusted and quoted
	// Unreachable means that no connection was possible, which suggests that there
	// is no internet connection.
	Unreachable bool
	// Waited is the timeout, if the source did not respond within it.
	Waited   time.Duration
	NotAsked string // with Unreachable: why no source was asked, as a clause for people
	NeedsKey bool   // with ErrNotConfigured: the API key is missing
	URL      string // of the request, without keys
	// Offline lists what the source has without a network: "^GSPC and 8 companies". Only
	// sample data sets it, with ErrNotCovered.
	Offline string
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
	if e.Waited != 0 {
		parts = append(parts, "no response within "+e.Waited.String())
	}
	if e.Detail != "" {
		parts = append(parts, e.Detail)
	}
	text := strings.Join(parts, ": ")
	if !e.RetryAt.IsZero() {
		text += retryText(e.RetryAt)
	}
	return text
}

func (e *SourceError) Unwrap() error { return e.Err }

func retryText(at time.Time) string { return "; try again after " + at.UTC().Format("15:04:05 UTC") }

// attemptFor returns err without its operation, which the list of attempts states once.
func attemptFor(err error) Attempt {
	var sourceErr *SourceError
	if !errors.As(err, &sourceErr) {
		return Attempt{Source: unnamedSource, Reason: err.Error()}
	}
	bare := *sourceErr
	bare.Op = ""
	return Attempt{Source: sourceErr.Source, Reason: strings.TrimPrefix(bare.Error(), sourceErr.Source+": ")}
}

// unnamedSource is the source of an attempt whose error does not name one.
const unnamedSource = "source"

// ExhaustedError means that no source delivered. Its message is one short line; Tried lists what each source
// answered. It unwraps to the sentinel of the most promising attempt: a symbol is unknown only if every
// source that responded says so.
type ExhaustedError struct {
	Op    string // what was requested: "prices for VTI"
	Tried []Attempt
	// Unset lists the sources that were skipped because they are not set up.
	Unset []Attempt

	errs    []error
	unset   []error
	offline string // SourceError.Offline of the source that does not cover the request
}

// Error returns one sentence for people.
func (e *ExhaustedError) Error() string {
	if len(e.errs) == 0 && len(e.unset) == 1 && !needsKey(e.unset[0]) {
		return e.setupHint() // already a whole sentence
	}
	return "no " + e.Op + ": " + e.reason()
}

// Details returns what each source answered, one line per source.
func (e *ExhaustedError) Details() []string {
	var lines []string
	for _, err := range e.errs {
		sourceErr, ok := errors.AsType[*SourceError](err)
		if !ok {
			continue
		}
		line := SourceTitle(sourceErr.Source) + ": " + attemptFor(err).Reason
		if sourceErr.URL != "" {
			line += " (" + sourceErr.URL + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

const (
	liveDetails = " (details: nfa doctor --live)"
	noNetwork   = "cannot reach the internet"
)

// reason explains in one line why no source delivered. Sources that are not set up are
// mentioned only if they might have known more than the sources that responded.
func (e *ExhaustedError) reason() string {
	sentinel := e.sentinel()
	failed, unreachable := e.promising()
	var names []string
	var retryAt time.Time
	notAsked := ""
	waited := time.Duration(-1) // how long the sources were waited for, or 0 if one did respond
	for _, err := range failed {
		sourceErr, ok := errors.AsType[*SourceError](err)
		if !ok {
			continue
		}
		if name := SourceTitle(sourceErr.Source); !slices.Contains(names, name) {
			names = append(names, name)
		}
		notAsked = sourceErr.NotAsked
		if at := sourceErr.RetryAt; !at.IsZero() && (retryAt.IsZero() || at.Before(retryAt)) {
			retryAt = at
		}
		if waited != 0 {
			waited = sourceErr.Waited
		}
	}
	if len(names) == 0 && len(failed) > 0 {
		return failed[0].Error()
	}
	who, plural := humanize.JoinAnd(names), len(names) > 1
	verb := func(one, many string) string {
		if plural {
			return who + " " + many
		}
		return who + " " + one
	}
	text := ""
	switch sentinel {
	case ErrNotConfigured:
		if len(e.unset) == 0 {
			return sentinel.Error()
		}
		titles := make([]string, len(e.Unset))
		for i, a := range e.Unset {
			titles[i] = SourceTitle(a.Source)
		}
		return "it needs a key for " + strings.Join(titles, " or ") + ": /setup"
	case ErrRateLimited:
		text = verb("limits requests", "limit requests")
		if !retryAt.IsZero() {
			text += " until " + retryAt.UTC().Format("15:04 UTC")
		}
		return text + ". Another source: /setup"
	case ErrUnavailable, ErrMalformed:
		switch {
		case unreachable > 1 && unreachable == len(failed) && e.offline != "":
			return noNetwork + ". Offline data covers " + e.offline + " (/symbols)"
		case unreachable > 1 && unreachable == len(failed):
			return noNetwork + liveDetails
		case unreachable == 1 && len(failed) == 1 && notAsked != "":
			return notAsked
		case unreachable == 1 && len(failed) == 1:
			return "cannot reach " + who + "; check the internet connection"
		case waited > 0 && !plural:
			return who + " did not answer within " + fmt.Sprintf("%g s", waited.Seconds())
		case waited > 0:
			return who + " did not answer in time" + liveDetails
		case sentinel == ErrMalformed:
			return who + " returned data that nfa cannot read" + liveDetails
		}
		return verb("is unavailable", "are unavailable") + liveDetails
	case ErrUnknownSymbol:
		switch {
		case len(names) == 0:
			text = "no source lists it"
		case plural:
			text = fmt.Sprintf("none of the %d sources lists it", len(names))
		default:
			text = who + " does not list it"
		}
	case ErrAuth:
		text = withDetail(verb("refuses", "refuse")+" access", failed)
	default:
		text = withDetail(sentinel.Error(), failed)
	}
	if hint := e.setupHint(); hint != "" {
		text += ". " + strings.ToUpper(hint[:1]) + hint[1:]
	}
	return text
}

// withDetail adds the detail of the first error to a text.
func withDetail(text string, failed []error) string {
	if len(failed) == 0 {
		return text
	}
	sourceErr, ok := errors.AsType[*SourceError](failed[0])
	if !ok {
		return text
	}
	detail := sourceErr.Detail
	if detail == "" {
		_, detail, _ = strings.Cut(sourceErr.Err.Error(), ": ") // "unknown symbol: no coin has the ticker X"
	}
	if detail == "" {
		return text
	}
	return text + ": " + detail
}

// promising returns the attempts that failed with the sentinel, and how many of them reached no
// source.
func (e *ExhaustedError) promising() (failed []error, unreachable int) {
	sentinel := e.sentinel()
	for _, err := range e.errs {
		if !errors.Is(err, sentinel) && (sentinel != ErrUnavailable || rankOf(err) < len(sentinelsByRank)) {
			continue
		}
		failed = append(failed, err)
		if sourceErr, ok := errors.AsType[*SourceError](err); ok && sourceErr.Unreachable {
			unreachable++
		}
	}
	return failed, unreachable
}

func needsKey(err error) bool {
	sourceErr, ok := errors.AsType[*SourceError](err)
	return ok && sourceErr.NeedsKey
}

// setupHint returns how the first source that is not set up would help, or "".
func (e *ExhaustedError) setupHint() string {
	if len(e.unset) == 0 {
		return ""
	}
	sourceErr, ok := errors.AsType[*SourceError](e.unset[0])
	switch {
	case !ok:
		return ""
	case sourceErr.NeedsKey:
		return "a " + SourceTitle(sourceErr.Source) + " key adds more: /setup"
	}
	return sourceErr.Detail
}

// Unwrap returns the sentinel that sums up all attempts, so that errors.Is does not report
// "unknown symbol" when one of several sources was down.
func (e *ExhaustedError) Unwrap() []error {
	if len(e.errs) == 1 && len(e.unset) == 0 {
		return e.errs
	}
	return []error{e.sentinel()}
}

// sentinelsByRank lists the sentinels from the most to the least promising: a source that was
// down might have known the symbol that another source did not.
var sentinelsByRank = []error{ErrRateLimited, ErrUnavailable, ErrMalformed, ErrAuth, ErrAmbiguous, ErrNoData, ErrUnknownSymbol, ErrNotConfigured}

// rankOf returns the index of an error's sentinel, or len(sentinelsByRank) if it has none.
func rankOf(err error) int {
	rank := slices.IndexFunc(sentinelsByRank, func(s error) bool { return errors.Is(err, s) })
	if rank < 0 {
		return len(sentinelsByRank)
	}
	return rank
}

// sentinel sums up the attempts. An error without a sentinel counts as ErrUnavailable.
func (e *ExhaustedError) sentinel() error {
	if len(e.errs) == 0 {
		if len(e.unset) > 0 {
			return ErrNotConfigured
		}
		return ErrUnknownSymbol // no source covers it
	}
	lowest := len(sentinelsByRank)
	for _, err := range e.errs {
		rank := rankOf(err)
		if rank == len(sentinelsByRank) {
			rank = slices.Index(sentinelsByRank, ErrUnavailable)
		}
		lowest = min(lowest, rank)
	}
	return sentinelsByRank[lowest]
}
