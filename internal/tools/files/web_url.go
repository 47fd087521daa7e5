package files

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

const maxURLLength = 2048

// ErrURLRefused is wrapped by the errors of URLs that are not requested.
var ErrURLRefused = errors.New("refused")

// refusal is the reason why a URL is not requested.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

func (r *refusal) Is(target error) bool { return target == ErrURLRefused }

func refuseURL(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// parseURL parses the URL of a public page. The fragment is dropped, because servers do not see it.
func (g addressGuard) parseURL(raw string) (*url.URL, error) {
	raw = strings.TrimSpace(raw)
	if len(raw) > maxURLLength {
		return nil, refuseURL("the URL has more than %d characters", maxURLLength)
	}
	if strings.ContainsFunc(raw, unicode.IsControl) {
		return nil, refuseURL("the URL contains control characters")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, refuseURL("invalid URL: %v", errors.Unwrap(err))
	}
	u.Fragment, u.RawFragment = "", ""
	return u, g.checkURL(u)
}

// checkURL applies the rules that need only the URL, including the URLs of redirects.
func (g addressGuard) checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return refuseURL("only https:// and http:// are supported, not %q", u.Scheme)
	case u.User != nil:
		return refuseURL("the URL contains a user name or password, which may get into logs; remove it")
	case u.Opaque != "" || u.Hostname() == "":
		return refuseURL("the URL has no host")
	}
	if err := checkNoSecret(u); err != nil {
		return err
	}
	if g.isTrusted(u.Host) {
		return nil
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		return refuseURL("port %s is not allowed; use 80 or 443", port)
	}
	return g.checkHost(u.Hostname())
}

// internalSuffixes are domains that never belong to the public internet.
var internalSuffixes = []string{"localhost", "local", "internal", "intranet", "home.arpa", "lan", "onion"}

func (g addressGuard) checkHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return refuseURL("%s is an address within a local network", host)
		}
		return g.checkAddress(host, a)
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if endsInNumber(name) {
		// Some systems read 0x7f.1 and 2130706433 as 127.0.0.1.
		return refuseURL("%s is neither a host name nor an IP address in standard form", host)
	}
	isInside := func(suffix string) bool { return name == suffix || strings.HasSuffix(name, "."+suffix) }
	if slices.ContainsFunc(internalSuffixes, isInside) || !strings.Contains(name, ".") {
		return refuseURL("%s is not a public internet name", host)
	}
	return nil
}

// endsInNumber reports whether the URL standard would parse host as an IPv4 address.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return numericLabel().MatchString(last)
}

var numericLabel = lazyregexp.New(`^([0-9]+|0x[0-9a-f]*)$`)

var (
	secretKey = lazyregexp.New(`(?i)^(api[-_]?key|access[-_]?(token|key)|auth(orization|[-_]?token)?|token|secret|client[-_]?secret|pass(word|wd)?|pwd|sig(nature)?|session(id)?|x-amz-(signature|security-token|credential))$`)
	// secretValue matches keys in the formats that providers use.
	secretValue = lazyregexp.New(`sk-[\w-]{16,}|gh[pousr]_\w{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|xox[abprs]-[\w-]{10,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}`)
)

// checkNoSecret refuses a URL that contains a key, because it would get into the logs of the host
// and into this session.
func checkNoSecret(u *url.URL) error {
	found := secretValue().MatchString(u.Path + "?" + u.RawQuery)
	query := u.Query()
	for name, values := range query {
		if secretKey().MatchString(name) && strings.Join(values, "") != "" {
			found = true
		}
		found = found || secretValue().MatchString(strings.Join(values, " "))
	}
	if found {
		return refuseURL("the URL seems to contain a key or password, which nfa does not send; remove it")
	}
	return nil
}
