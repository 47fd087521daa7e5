package yahoo

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// apiRequest is a request with its cache ages.
type apiRequest struct {
	op           string
	url          string
	kind         client.BodyKind
	cookie       string
	fresh, stale time.Duration
}

// get requests q without a crumb and parses the response. In some regions Yahoo requires a crumb even for
// services that need none elsewhere, so a refused request is repeated once with one.
func get[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	found, answer, err := send(ctx, s, q, parse)
	if !crumbRejected(err) {
		return found, answer, err
	}
	p, sessionErr := s.getSession(ctx, q.op, "")
	if sessionErr != nil {
		return found, answer, err
	}
	authorized, renewed, retryErr := send(ctx, s, s.authorize(q, p), parse)
	if retryErr != nil {
		return found, answer, err
	}
	return authorized, renewed, nil
}

// send requests q and parses the response. A response that does not parse is not cached.
func send[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	r := client.Request{Op: q.op, URL: q.url, Kind: q.kind, Fresh: q.fresh, Stale: q.stale, Check: responseError}
	if q.cookie != "" {
		r.Header = http.Header{"Cookie": {q.cookie}}
	}
	return client.GetParsed(ctx, rotatingAgents{s}, r, parse)
}

// rotatingAgents is a client.Getter that rotates the user agents of s.
type rotatingAgents struct{ s *Source }

func (n rotatingAgents) Get(ctx context.Context, r client.Request) (client.Response, error) {
	return n.s.getRotating(ctx, n.s.dataClients, r)
}

func (n rotatingAgents) NewError(op string, err error, detail string) error {
	return n.s.dataClients[0].NewError(op, err, detail)
}

// getRotating sends r with the user agent that worked last, and with the next one if Yahoo refuses
// it.
func (s *Source) getRotating(ctx context.Context, clients []*client.Source, r client.Request) (client.Response, error) {
	var stale client.Response
	var firstErr error
	first := s.session.agent()
	for step := range clients {
		i := (first + step) % len(clients)
		answer, err := clients[i].Get(ctx, r)
		switch {
		case err == nil && answer.Cache == market.CacheStale:
			stale = answer // acceptable if no other user agent does better
		case err == nil || !isBlocked(err):
			if err == nil && step > 0 {
				s.session.preferAgent(i)
			}
			if err != nil && stale.Status != 0 {
				return stale, nil
			}
			return answer, err
		case firstErr == nil:
			firstErr = err
		}
	}
	if stale.Status != 0 {
		return stale, nil
	}
	return client.Response{}, firstErr
}

// isBlocked reports whether Yahoo refused the client, whatever the request.
func isBlocked(err error) bool {
	var sourceErr *market.SourceError
	return errors.Is(err, market.ErrRateLimited) || errors.As(err, &sourceErr) && sourceErr.Status == http.StatusForbidden
}

// maxErrorBody is larger than any refusal. Larger responses are data.
const maxErrorBody = 4 << 10

// responseError returns the error in a response, or nil if there is none or the status alone decides.
func responseError(answer client.Response) error {
	if answer.Status == http.StatusTooManyRequests || answer.Status >= 500 || answer.Status == http.StatusNotModified {
		return nil // package client handles rate limits and retries
	}
	if answer.Status == http.StatusOK && len(answer.Body) > maxErrorBody {
		return nil
	}
	if strings.Contains(string(answer.Body[:min(len(answer.Body), 64)]), "Too Many Requests") {
		return market.ErrRateLimited
	}
	serviceErr, ok := parseServiceError(answer.Body)
	if !ok {
		return nil
	}
	return serviceErr.Sentinel(answer.Status)
}

func parseServiceError(body []byte) (ServiceError, bool) {
	var services map[string]struct {
		Error *ServiceError `json:"error"`
	}
	if json.Unmarshal(body, &services) != nil {
		return ServiceError{}, false
	}
	for _, service := range services {
		if service.Error != nil {
			return *service.Error, true
		}
	}
	return ServiceError{}, false
}

// ServiceError is an error in a response; its field name differs by service.
type ServiceError struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

// Sentinel returns the sentinel of market for the error. A status of zero leaves only the text.
func (c ServiceError) Sentinel(status int) error {
	sentinel := market.ErrUnavailable
	text := strings.ToLower(c.Code + " " + c.Description)
	contains := func(words string) bool { return strings.Contains(text, words) }
	switch {
	case status == http.StatusUnauthorized || contains("unauthorized") || contains("invalid crumb") || contains("unable to access this feature"):
		sentinel = market.ErrAuth
	case contains("no fundamentals data") || contains("data not available") || contains("data doesn't exist") || status == http.StatusUnprocessableEntity:
		sentinel = market.ErrNoData
	case status == http.StatusNotFound || contains("not found"):
		sentinel = market.ErrUnknownSymbol
	case contains("too many requests"):
		sentinel = market.ErrRateLimited
	}
	if description := client.SingleLine(c.Description, 200); description != "" {
		return client.RefusalError(sentinel, description)
	}
	return sentinel
}

// decodeService decodes {"SERVICE": {"result": ..., "error": ...}}, the format of most services. For a
// refusal it returns the corresponding error.
func decodeService[T any](body []byte, service string) (result T, err error) {
	var services map[string]*struct {
		Result T
		Error  *ServiceError
	}
	if err := client.DecodeJSON(body, &services); err != nil {
		return result, err
	}
	switch answer := services[service]; {
	case answer == nil:
		return result, client.Malformedf("no %s", service)
	case answer.Error != nil:
		return result, answer.Error.Sentinel(0)
	default:
		return answer.Result, nil
	}
}

// checkAnswered returns an error if the response is for another symbol; both are in Yahoo's spelling.
func checkAnswered(requested, answered string) error {
	if !SameYahooSymbol(requested, answered) {
		return client.Malformedf("response is for %q", client.SingleLine(answered, 30))
	}
	return nil
}

// ParseUnix converts Unix seconds to UTC. It reports false for times that cannot be trading times:
// before 1800 or after 2200.
func ParseUnix(unix int64) (time.Time, bool) { return time.Unix(unix, 0).UTC(), isPlausibleTime(unix) }

func isPlausibleTime(unix int64) bool { return unix > -5_364_662_400 && unix < 7_258_118_400 }

// Number is a number as Yahoo writes it: a JSON number, an object with the number in "raw", or nothing.
type Number struct{ decimal.NullDecimal }

// Bounds of a Number. They prevent a hostile exponent from expanding to a million digits.
const (
	maxNumberLen    = 40
	maxNumber       = 1e18
	singlePrecision = 1e-14 // maximum relative difference from a single-precision number
	maxSingleDigits = 9     // more than single precision has
)

// UnmarshalJSON treats null, strings that are not numbers ("Infinity") and objects without a number as
// absent.
func (n *Number) UnmarshalJSON(text []byte) error {
	n.Valid = false
	switch text[0] {
	case 'n', '"':
		return nil
	case '{':
		var formatted struct {
			Raw *json.Number `json:"raw"`
		}
		if err := json.Unmarshal(text, &formatted); err != nil || formatted.Raw == nil {
			return err
		}
		text = []byte(*formatted.Raw)
	}
	if len(text) > maxNumberLen {
		return client.Malformedf("number with %d characters", len(text))
	}
	value, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.Abs(value) > maxNumber || value != 0 && math.Abs(value) < 1/maxNumber {
		return client.Malformedf("number out of range")
	}
	n.Decimal, err = shortestDecimal(string(text), value)
	if err != nil {
		return client.Malformedf("invalid number")
	}
	n.Valid = true
	return nil
}

// shortestDecimal returns the shortest decimal with the same value. Yahoo uses single precision, so it writes
// 129.04 as 129.0399932861328. Whole numbers are not changed, because counts have as many digits as they
// need.
func shortestDecimal(text string, value float64) (decimal.Decimal, error) {
	single := float64(float32(value))
	if strings.Contains(text, ".") && len(text) > maxSingleDigits && math.Abs(single-value) <= singlePrecision*math.Abs(value) {
		return decimal.NewFromString(strconv.FormatFloat(single, 'f', -1, 32))
	}
	return decimal.NewFromString(text)
}

// Positive reports whether there is a number above zero. Yahoo writes zero for prices that it does not have.
func (n Number) Positive() bool { return n.Valid && n.Decimal.IsPositive() }

// times returns the number multiplied by factor; absent remains absent.
func (n Number) times(factor decimal.Decimal) decimal.NullDecimal {
	if n.Valid {
		n.Decimal = n.Decimal.Mul(factor)
	}
	return n.NullDecimal
}

// Price returns the number multiplied by factor, or absent if it is not above zero.
func (n Number) Price(factor decimal.Decimal) decimal.NullDecimal {
	if !n.Positive() {
		return decimal.NullDecimal{}
	}
	return n.times(factor)
}
