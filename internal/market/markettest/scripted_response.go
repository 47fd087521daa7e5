package markettest

import (
	"bytes"
	"compress/gzip"
	"net/http"
)

// Fault is a fault between server and client.
type Fault string

// Faults of a server. They need no body unless they return one.
const (
	NoFault         Fault = ""
	FaultRefused    Fault = "refused"     // no connection
	FaultSilent     Fault = "silent"      // accepts the request and never responds
	FaultStalled    Fault = "stalled"     // half a body, and then nothing
	FaultCut        Fault = "cut"         // half a body, and the connection ends
	GzipBody        Fault = "gzipped"     // a sound gzip of the body: no fault
	FaultBrokenGzip Fault = "broken gzip" // half a gzip, as if it were whole
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

// HTMLResponse is a response with an HTML page, as from a server that blocks programs.
func HTMLResponse(status int, title string) Response {
	return Response{
		Status: status, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body: []byte("<!DOCTYPE html>\n<html><head><title>" + title + "</title></head><body>" + title + "</body></html>\n"),
	}
}

// RetryAfterHeader is a header that names the pause: seconds, or a date of HTTP.
func RetryAfterHeader(value string) http.Header { return http.Header{"Retry-After": {value}} }

func (a Response) status() int {
	if a.Status == 0 {
		return http.StatusOK
	}
	return a.Status
}

// encoded is the body as it goes over the wire, and its header.
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
	_, _ = w.Write(a.Body) // a buffer takes all
	_ = w.Close()
	if a.Fault == FaultBrokenGzip {
		return header, packed.Bytes()[:packed.Len()/2]
	}
	return header, packed.Bytes()
}
