package files

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// responseBody is the body of a response.
type responseBody struct {
	data []byte
	kind string // media type, in lower case
	cut  bool   // longer than MaxPageBytes
}

// readBody reads at most MaxPageBytes, compressed and decompressed, so that a small response cannot
// expand without limit.
func readBody(res *http.Response) (responseBody, error) {
	limited := &io.LimitedReader{R: res.Body, N: MaxPageBytes + 1}
	var r io.Reader = limited
	switch encoding := strings.ToLower(strings.TrimSpace(res.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		unpacked, err := gzip.NewReader(limited)
		if errors.Is(err, io.EOF) {
			return responseBody{kind: mediaType(res, nil)}, nil // empty, compressed
		}
		if err != nil {
			return responseBody{}, fmt.Errorf("decompress response: %w", err)
		}
		r = unpacked
	default:
		return responseBody{}, fmt.Errorf("the response has the unexpected encoding %q", encoding)
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxPageBytes+1))
	b := responseBody{data: data, cut: limited.N <= 0 || len(data) > MaxPageBytes}
	if b.cut {
		b.data = data[:min(len(data), MaxPageBytes)]
	} else if err != nil {
		return responseBody{}, fmt.Errorf("read response: %w", err)
	}
	b.kind = mediaType(res, b.data)
	return b, nil
}

// mediaType returns the declared type of the body, or the detected one.
func mediaType(res *http.Response, data []byte) string {
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil || kind == "" {
		kind, _, _ = mime.ParseMediaType(http.DetectContentType(data))
	}
	return kind
}

func isHTML(kind string) bool { return kind == "text/html" || kind == "application/xhtml+xml" }

// isText reports whether a body of this type is plain text.
func isText(kind string) bool {
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") ||
		slices.Contains([]string{"application/json", "application/xml", "application/csv", "application/x-ndjson", "application/yaml"}, kind)
}

// decodeText decodes a body by its declared character set. Invalid bytes become the replacement
// character.
func decodeText(data []byte, contentType string) (string, error) {
	if len(data) == 0 {
		return "", nil
	}
	r, err := charset.NewReader(bytes.NewReader(data), contentType)
	if err != nil {
		return "", fmt.Errorf("character set of the response: %w", err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return "", fmt.Errorf("character set of the response: %w", err)
	}
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\ufffd"))
	}
	return string(bytes.TrimPrefix(text, []byte("\ufeff"))), nil
}
