package markettest

import (
	"bytes"
	"compress/gzip"
	"net/http"
)

// Fault is a failure in the connection between server and client.
type Fault string

// Faults of a connection. Those that return no body need none.
const (
	NoFault         Fault = ""
	FaultRefused    Fault = "refused"     // no connection
	FaultSilent     Fault = "silent"      // accepts the request and never responds
	FaultStalled    Fault = "stalled"     // half of the body, then nothing
	FaultCut        Fault = "cut"         // half of the body, then the connection ends
	GzipBody        Fault = "gzipped"     // valid gzip compression of the body; not a fault
	FaultBrokenGzip Fault = "broken gzip" // half of the gzip data, as if it were complete
)

// Response is the response to a request.
type Response struct {
	Status int // default 200
	Header http.Header
	Body   []byte
	Fault  Fault
}

// JSONResponse returns a response with status 200 and a JSON body.
func JSONResponse(body string) Response {
	return Response{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
}

// HTMLResponse returns a response with an HTML page, as from a server that blocks automated requests.
func HTMLResponse(status int, title string) Response {
	return Response{
		Status: status, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body: []byte("<!DOCTYPE html>\n<html><head><title>" + title + "</title></head><body>" + title + "</body></html>\n"),
	}
}

// RetryAfterHeader returns a header that requests a pause, in seconds or as an HTTP date.
func RetryAfterHeader(value string) http.Header { return http.Header{"Retry-After": {value}} }

func (a Response) status() int {
	if a.Status == 0 {
		return http.StatusOK
	}
	return a.Status
}

// encoded returns the body as it is sent, and its header.
func (a Response) encoded() (http.Header, []byte) {
	header := a.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if a.Fault != GzipBody && a.Fault != FaultBrokenGzip {
		return header, a.Body
	}
	header.Set("Content-Encoding", "gzip")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(a.Body) // writing to a buffer cannot fail
	_ = w.Close()
	if a.Fault == FaultBrokenGzip {
		return header, packed.Bytes()[:packed.Len()/2]
	}
	return header, packed.Bytes()
}
