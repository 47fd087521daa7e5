package edgar

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// responseCheck returns a check for EDGAR's responses. missing is the error for an absent document.
// Absent documents are a 404 on one host and a 403 with XML on the other. The pages for too many
// requests and for a missing contact are 403 as well.
func responseCheck(missing error) func(client.Response) error {
	return func(r client.Response) error {
		switch {
		case r.Status == http.StatusTooManyRequests || headContains(r.Body, "Request Rate Threshold Exceeded"):
			return market.ErrRateLimited
		case headContains(r.Body, "Undeclared Automated Tool"):
			return fmt.Errorf("%w: the SEC rejected the address in sec.contact", market.ErrAuth)
		case r.Status == http.StatusNotFound:
			return missing
		case r.Status == http.StatusForbidden && (headContains(r.Body, "<Code>AccessDenied</Code>") || headContains(r.Body, "<Code>NoSuchKey</Code>")):
			return missing
		case isMaintenancePage(r.Body):
			return errMaintenance()
		case r.Status == http.StatusUnauthorized, r.Status == http.StatusForbidden:
			return market.ErrAuth
		case r.Status >= http.StatusInternalServerError:
			return market.ErrUnavailable
		case r.Status != http.StatusOK:
			return market.ErrMalformed
		case len(bytes.TrimSpace(r.Body)) == 0:
			return fmt.Errorf("%w: empty response", market.ErrMalformed)
		}
		return nil
	}
}

// pageHead is the number of bytes searched for the title of a page.
const pageHead = 8 << 10

func headContains(body []byte, phrase string) bool {
	return bytes.Contains(body[:min(len(body), pageHead)], []byte(phrase))
}

func errMaintenance() error {
	return fmt.Errorf("%w: SEC EDGAR returned a web page instead of data; try again later", market.ErrUnavailable)
}

// isMaintenancePage reports whether a body is a page of the site itself, which servers return instead of a
// document during maintenance, sometimes with status 200. Its title starts with the site's name; the title of
// a filed document, if any, contains the form or the company.
func isMaintenancePage(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), pageHead)])
	_, title, found := bytes.Cut(head, []byte("<title>"))
	return found && bytes.HasPrefix(bytes.TrimSpace(title), []byte("sec.gov |")) ||
		bytes.Contains(head, []byte("this page is temporarily unavailable"))
}

// malformedError returns the error for a response that cannot be parsed.
func (s *Source) malformedError(doing string, err error) error {
	if errors.Is(err, market.ErrMalformed) {
		return s.client.NewError(doing, err, "")
	}
	return s.client.NewError(doing, market.ErrMalformed, err.Error())
}
