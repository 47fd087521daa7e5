package yahoo_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
)

func TestComplaint_MeansASentinel(t *testing.T) {
	for _, row := range []struct {
		name, code, description string
		status                  int
		want                    error
	}{
		{"crumb", "Unauthorized", "Invalid Crumb", 0, market.ErrAuth},
		{"feature", "internal-error", "User is unable to access this feature - https://bit.ly/yahoo-finance-api-feedback", 0, market.ErrAuth},
		{"status of a login", "", "", 401, market.ErrAuth},
		{"no statements", "Not Found", "No fundamentals data found for symbol: AAA", 404, market.ErrNoData},
		{"no minutes of last year", "Unprocessable Entity", "5m data not available for startTime=1 and endTime=2.", 422, market.ErrNoData},
		{"no words but the status", "", "", 422, market.ErrNoData},
		{"dates without data", "Bad Request", "Data doesn't exist for startDate = 1, endDate = 2", 400, market.ErrNoData},
		{"unknown", "Not Found", "No data found, symbol may be delisted", 0, market.ErrUnknownSymbol},
		{"status of the unknown", "", "", 404, market.ErrUnknownSymbol},
		{"pace", "", "Too Many Requests", 0, market.ErrRateLimited},
		{"anything else", "internal-error", "no fun", 0, market.ErrUnavailable},
	} {
		err := yahoo.ServiceError{Code: row.code, Description: row.description}.Sentinel(row.status)
		if !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.description) {
			t.Errorf("%s: meaning of %q, %q with status %d = %v, want %v", row.name, row.code, row.description, row.status, err, row.want)
		}
	}
}

func TestComplaint_IsSaidOnOneLineAndBounded(t *testing.T) {
	err := yahoo.ServiceError{Description: "no\x1b[31m\nfun " + strings.Repeat("a", 1000)}.Sentinel(0)
	if text := err.Error(); strings.ContainsAny(text, "\x1b\n") || len(text) > 300 {
		t.Errorf("meaning = %q, want one short line without control characters", text)
	}
}

func TestNumber_IsAFigureOrAbsent(t *testing.T) {
	for _, row := range []struct {
		text, want string // empty: absent
	}{
		{"129.0399932861328", "129.04"}, // single precision, as in Yahoo's prices
		{"129.0399932861428", "129.0399932861428"},
		{"0.1", "0.1"},
		{"123456789012", "123456789012"},
		{"-3.5", "-3.5"},
		{"1e3", "1000"},
		{"0", "0"},
		{"null", ""},
		{`"Infinity"`, ""},
		{`{}`, ""},
		{`{"raw":null}`, ""},
		{`{"raw":12.5,"fmt":"12.50"}`, "12.5"},
	} {
		var n yahoo.Number
		if err := json.Unmarshal([]byte(row.text), &n); err != nil || n.Valid != (row.want != "") || n.Valid && n.Decimal.String() != row.want {
			t.Errorf("%s = %v (%v), %v; want %q", row.text, n.Decimal, n.Valid, err, row.want)
		}
	}
}

func TestNumber_OutOfBoundsIsMalformed(t *testing.T) {
	for _, text := range []string{"1e19", "-1e19", "1e400", "1e-19", strings.Repeat("1", 41), `{"raw":1e999}`, "[1]", "true"} {
		var n yahoo.Number
		if err := json.Unmarshal([]byte(text), &n); !errors.Is(err, market.ErrMalformed) || n.Valid {
			t.Errorf("%s = %v, %v; want ErrMalformed", text, n, err)
		}
	}
}

func TestNumber_PriceIsAboveZeroOrAbsent(t *testing.T) {
	for _, row := range []struct {
		text, want string
	}{{"250", "2.5"}, {"0", ""}, {"-1", ""}, {"null", ""}} {
		var n yahoo.Number
		if err := json.Unmarshal([]byte(row.text), &n); err != nil {
			t.Fatal(err)
		}
		if got := n.Price(chartDecimal("0.01")); got.Valid != (row.want != "") || got.Valid && got.Decimal.String() != row.want {
			t.Errorf("price of %s in pence = %v, want %q", row.text, got, row.want)
		}
	}
}

func TestInstant_IsOfTwoCenturiesBackAndAhead(t *testing.T) {
	for _, row := range []struct {
		unix int64
		want bool
	}{{0, true}, {1740000000, true}, {-5_000_000_000, true}, {-6_000_000_000, false}, {7_300_000_000, false}, {1740000000000, false}, {math.MinInt64, false}, {math.MaxInt64, false}} {
		if at, ok := yahoo.ParseUnix(row.unix); ok != row.want || ok && (at.Unix() != row.unix || at.Location() != time.UTC) {
			t.Errorf("Instant(%d) = %v, %v; want %v", row.unix, at, ok, row.want)
		}
	}
}
