package edgar

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
)

// check says what an answer of EDGAR means that is not the document asked for.
// Missing is what the absence of that document means. A document that is not
// there answers 404 on one host and 403 on the other, as XML; the pages for
// asking too much and for not saying who asks are 403 as well.
func check(missing error) func(fetch.Response) error {
	return func(r fetch.Response) error {
		switch {
		case r.Status == http.StatusTooManyRequests || contains(r.Body, "Request Rate Threshold Exceeded"):
			return market.ErrRateLimited
		case contains(r.Body, "Undeclared Automated Tool"):
			return fmt.Errorf("%w: the SEC does not accept sec.contact as a way to reach you", market.ErrAuth)
		case r.Status == http.StatusNotFound:
			return missing
		case r.Status == http.StatusForbidden && (contains(r.Body, "<Code>AccessDenied</Code>") || contains(r.Body, "<Code>NoSuchKey</Code>")):
			return missing
		case apology(r.Body):
			return errApology()
		case r.Status == http.StatusUnauthorized, r.Status == http.StatusForbidden:
			return market.ErrAuth
		case r.Status >= http.StatusInternalServerError:
			return market.ErrUnavailable
		case r.Status != http.StatusOK:
			return market.ErrMalformed
		case len(bytes.TrimSpace(r.Body)) == 0:
			return fmt.Errorf("%w: nothing in it", market.ErrMalformed)
		}
		return nil
	}
}

// pageHead is how much of a page its title takes.
const pageHead = 8 << 10

func contains(body []byte, words string) bool {
	return bytes.Contains(body[:min(len(body), pageHead)], []byte(words))
}

func errApology() error {
	return fmt.Errorf("%w: a page of the site in place of what was asked for; it comes back, try later", market.ErrUnavailable)
}

// apology reports whether a body is a page of the site itself, which its servers give
// in place of a document, with status 200 at times, while EDGAR is being worked on.
// Such pages are titled by the site; a document that was filed is titled by its form or
// its company, if at all.
func apology(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), pageHead)])
	_, title, found := bytes.Cut(head, []byte("<title>"))
	return found && bytes.HasPrefix(bytes.TrimSpace(title), []byte("sec.gov |")) ||
		bytes.Contains(head, []byte("this page is temporarily unavailable"))
}

// malformed is the error of an answer that could not be read.
func (s *Source) malformed(doing string, err error) error {
	if errors.Is(err, market.ErrMalformed) {
		return s.tap.Failed(doing, err, "")
	}
	return s.tap.Failed(doing, market.ErrMalformed, err.Error())
}
