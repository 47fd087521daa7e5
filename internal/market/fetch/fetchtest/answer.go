// Package fetchtest is a data server under the control of a test: it answers as
// it was told, on its worst days too, in memory (Script is an http.RoundTripper)
// or on loopback (Serve), and writes down what it was asked.
//
//	script := fetchtest.New(map[string]fetchtest.Answer{
//		"/v8/finance/chart/AAPL": {Body: fixture},
//		"/v8/finance/chart/TSLA": {Status: 429, Header: fetchtest.RetryAfter("1")},
//	})
//	client := fetch.New(fetch.Options{Transport: script})
//
// In memory no clock and no connection of the machine is involved, so a test may
// run in a bubble of testing/synctest and see retries and pauses in no time.
package fetchtest

import (
	"bytes"
	"compress/gzip"
	"net/http"
)

// Fault is what goes wrong between a server and its asker.
type Fault string

// Faults of a server. They need no body where they leave none.
const (
	None       Fault = ""
	Refused    Fault = "refused"     // no connection
	Silent     Fault = "silent"      // takes the request and never answers
	Stalled    Fault = "stalled"     // half a body, and then nothing
	Cut        Fault = "cut"         // half a body, and the connection ends
	Gzipped    Fault = "gzipped"     // a sound gzip of the body: no fault
	BrokenGzip Fault = "broken gzip" // half a gzip, as if it were whole
)

// Answer is what the server says to a request.
type Answer struct {
	Status int // 200 where zero
	Header http.Header
	Body   []byte
	Fault  Fault
}

// Text is an answer of status 200 with a body, and JSON as its content type.
func Text(body string) Answer {
	return Answer{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
}

// Page is an answer with an HTML page, as a server gives that does not wish to
// talk to programs.
func Page(status int, title string) Answer {
	return Answer{
		Status: status, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body: []byte("<!DOCTYPE html>\n<html><head><title>" + title + "</title></head><body>" + title + "</body></html>\n"),
	}
}

// RetryAfter is a header that names the pause: seconds, or a date of HTTP.
func RetryAfter(value string) http.Header { return http.Header{"Retry-After": {value}} }

func (a Answer) status() int {
	if a.Status == 0 {
		return http.StatusOK
	}
	return a.Status
}

// sent is the body as it goes over the wire, and its header.
func (a Answer) sent() (http.Header, []byte) {
	header := a.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if a.Fault != Gzipped && a.Fault != BrokenGzip {
		return header, a.Body
	}
	header.Set("Content-Encoding", "gzip")
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(a.Body) // a buffer takes all
	_ = w.Close()
	if a.Fault == BrokenGzip {
		return header, packed.Bytes()[:packed.Len()/2]
	}
	return header, packed.Bytes()
}
