package markettest

import (
	"net/http"

	"github.com/nfa-cli/nfa/internal/market"
)

// BadResponse is a response that no source may accept as data, with the expected error unless the
// provider defines another.
type BadResponse struct {
	Name     string
	Response Response
	Want     error // a sentinel of market
}

// BadResponses lists faults of a JSON server; good is a valid body. A provider runs each and
// changes Want if its server means something else by it.
func BadResponses(good []byte) []BadResponse {
	status := func(code int, h http.Header) Response {
		return Response{Status: code, Header: h, Body: []byte(`{"error":"no"}`)}
	}
	return []BadResponse{
		{"401", status(401, nil), market.ErrAuth},
		{"402", status(402, nil), market.ErrAuth},
		{"403", status(403, nil), market.ErrAuth},
		{"404", status(404, nil), market.ErrUnknownSymbol},
		{"422", status(422, nil), market.ErrNoData},
		{"429", status(429, nil), market.ErrRateLimited},
		{"429 with seconds", status(429, RetryAfterHeader("120")), market.ErrRateLimited},
		{"429 with a date", status(429, RetryAfterHeader("Fri, 31 Dec 2100 23:59:59 GMT")), market.ErrRateLimited},
		{"500", status(500, nil), market.ErrUnavailable},
		{"503 with a page", HTMLResponse(503, "Down for maintenance"), market.ErrUnavailable},
		{"page of status 200", HTMLResponse(200, "Just a moment..."), market.ErrMalformed},
		{"empty body", Response{}, market.ErrMalformed},
		{"truncated body", Response{Body: good[:len(good)*2/3]}, market.ErrMalformed},
		{"truncated gzip", Response{Body: good, Fault: FaultBrokenGzip}, market.ErrMalformed},
		{"words in place of data", Response{Body: []byte("Too Many Requests\r\n")}, market.ErrMalformed},
		{"connection refused", Response{Fault: FaultRefused}, market.ErrUnavailable},
		{"connection cut", Response{Body: good, Fault: FaultCut}, market.ErrUnavailable},
	}
}
