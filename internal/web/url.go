package web

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/pattern"
)

const longestURL = 2048

// ErrRefused is wrapped by the errors of addresses that are not asked for.
var ErrRefused = errors.New("refused")

// refusal says why an address is not asked for.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

func (r *refusal) Is(target error) bool { return target == ErrRefused }

func refused(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// parse reads an address of a public page. The fragment is dropped: servers do
// not see it.
func (g guard) parse(raw string) (*url.URL, error) {
	raw = strings.TrimSpace(raw)
	if len(raw) > longestURL {
		return nil, refused("an address of more than %d characters", longestURL)
	}
	if strings.ContainsFunc(raw, unicode.IsControl) {
		return nil, refused("an address has no control characters")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, refused("not an address: %v", errors.Unwrap(err))
	}
	u.Fragment, u.RawFragment = "", ""
	return u, g.admit(u)
}

// admit holds the rules that an address can be judged by alone, those of the
// redirects included.
func (g guard) admit(u *url.URL) error {
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return refused("only https:// and http:// are asked for, not %q", u.Scheme)
	case u.User != nil:
		return refused("a user name or password in an address ends up in logs; give the address without it")
	case u.Opaque != "" || u.Hostname() == "":
		return refused("the address names no host")
	}
	if err := carriesSecret(u); err != nil {
		return err
	}
	if g.trusts(u.Host) {
		return nil
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		return refused("port %s: only 80 and 443 are asked for", port)
	}
	return g.admitHost(u.Hostname())
}

// inside are the names that never belong to the public internet.
var inside = []string{"localhost", "local", "internal", "intranet", "home.arpa", "lan", "onion"}

func (g guard) admitHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return refused("%s is an address of one network", host)
		}
		return g.check(host, a)
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if endsInNumber(name) {
		// Some systems read 0x7f.1 and 2130706433 as 127.0.0.1.
		return refused("%s is neither a name nor an address in its usual form", host)
	}
	isInside := func(suffix string) bool { return name == suffix || strings.HasSuffix(name, "."+suffix) }
	if slices.ContainsFunc(inside, isInside) || !strings.Contains(name, ".") {
		return refused("%s is no name of the public internet", host)
	}
	return nil
}

// endsInNumber knows what the URL standard takes for an IPv4 address.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return numeric().MatchString(last)
}

var numeric = pattern.Lazy(`^([0-9]+|0x[0-9a-f]*)$`)

var (
	secretKey = pattern.Lazy(`(?i)^(api[-_]?key|access[-_]?(token|key)|auth(orization|[-_]?token)?|token|secret|client[-_]?secret|pass(word|wd)?|pwd|sig(nature)?|session(id)?|x-amz-(signature|security-token|credential))$`)
	// Keys in the forms that providers give them.
	secretValue = pattern.Lazy(`sk-[\w-]{16,}|gh[pousr]_\w{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|xox[abprs]-[\w-]{10,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}`)
)

// carriesSecret refuses an address with a key in it: the host's logs, and this
// conversation, are no place for one.
func carriesSecret(u *url.URL) error {
	found := secretValue().MatchString(u.Path + "?" + u.RawQuery)
	query := u.Query()
	for name, values := range query {
		if secretKey().MatchString(name) && strings.Join(values, "") != "" {
			found = true
		}
		found = found || secretValue().MatchString(strings.Join(values, " "))
	}
	if found {
		return refused("the address carries what looks like a key or password; give it without: keys are not sent from here")
	}
	return nil
}
