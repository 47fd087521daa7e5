package mcpclient

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

// newHTTPClient returns a client that sends these headers, does not follow redirects to another host
// and reads at most maxMessage of a response.
func newHTTPClient(transport http.RoundTripper, headers map[string]string) *http.Client {
	if transport == nil {
		transport = http.DefaultTransport
	}
	return &http.Client{
		Transport: limitedTransport{transport, headers},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if first := via[0].URL; req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
				return fmt.Errorf("redirect to %s refused", req.URL.Host)
			}
			if len(via) > 3 {
				return errors.New("too many redirects")
			}
			return nil
		},
	}
}

type limitedTransport struct {
	http.RoundTripper
	headers map[string]string
}

func (t limitedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for name, value := range t.headers {
		req.Header.Set(name, value)
	}
	res, err := t.RoundTripper.RoundTrip(req)
	if err == nil {
		res.Body = &limitedBody{res.Body, maxMessage}
	}
	return res, err
}

// limitedBody fails after left bytes.
type limitedBody struct {
	io.ReadCloser
	left int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errors.New("response is larger than 4 MB")
	}
	return n, err
}
