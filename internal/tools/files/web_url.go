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

// ErrURLRefused is wrapped by the errors of addresses that are not asked for.
var ErrURLRefused = errors.New("refused")

// refusal says why an address is not asked for.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

func (r *refusal) Is(target error) bool { return target == ErrURLRefused }

func refuseURL(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// parseURL reads an address of a public page. The fragment is dropped: servers do
// not see it.
func (g addressGuard) parseURL(raw string) (*url.URL, error) {
	raw = strings.TrimSpace(raw)
	if len(raw) > maxURLLength {
		return nil, refuseURL("an address of more than %d characters", maxURLLength)
	}
	if strings.ContainsFunc(raw, unicode.IsControl) {
		return nil, refuseURL("an address has no control characters")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, refuseURL("not an address: %v", errors.Unwrap(err))
	}
	u.Fragment, u.RawFragment = "", ""
	return u, g.checkURL(u)
}

// checkURL holds the rules that an address can be judged by alone, those of the
// redirects included.
func (g addressGuard) checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return refuseURL("only https:// and http:// are asked for, not %q", u.Scheme)
	case u.User != nil:
		return refuseURL("a user name or password in an address ends up in logs; give the address without it")
	case u.Opaque != "" || u.Hostname() == "":
		return refuseURL("the address names no host")
	}
	if err := checkNoSecret(u); err != nil {
		return err
	}
	if g.isTrusted(u.Host) {
		return nil
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		return refuseURL("port %s: only 80 and 443 are asked for", port)
	}
	return g.checkHost(u.Hostname())
}

// internalSuffixes are the names that never belong to the public internet.
var internalSuffixes = []string{"localhost", "local", "internal", "intranet", "home.arpa", "lan", "onion"}

func (g addressGuard) checkHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return refuseURL("%s is an address of one network", host)
		}
		return g.checkAddress(host, a)
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if endsInNumber(name) {
		// Some systems read 0x7f.1 and 2130706433 as 127.0.0.1.
		return refuseURL("%s is neither a name nor an address in its usual form", host)
	}
	isInside := func(suffix string) bool { return name == suffix || strings.HasSuffix(name, "."+suffix) }
	if slices.ContainsFunc(internalSuffixes, isInside) || !strings.Contains(name, ".") {
		return refuseURL("%s is no name of the public internet", host)
	}
	return nil
}

// endsInNumber knows what the URL standard takes for an IPv4 address.
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

// checkNoSecret refuses an address with a key in it: the host's logs, and this
// conversation, are no place for one.
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
		return refuseURL("the address carries what looks like a key or password; give it without: keys are not sent from here")
	}
	return nil
}
