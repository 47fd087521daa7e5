package files

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
)

// reservedRanges returns ranges that netip considers public but that are not publicly reachable
// (IANA special-purpose registries).
func reservedRanges() []netip.Prefix {
	var ranges []netip.Prefix
	for _, s := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
		"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		ranges = append(ranges, netip.MustParsePrefix(s))
	}
	return ranges
}

// addressGuard decides which hosts nfa may connect to.
type addressGuard struct {
	reserved []netip.Prefix
	global6  netip.Prefix // allocated IPv6 addresses
	nat64    netip.Prefix // IPv4 addresses on networks without IPv4
	trusted  []string     // host:port
}

func newGuard(trusted []string) addressGuard {
	return addressGuard{
		reserved: reservedRanges(), trusted: trusted,
		global6: netip.MustParsePrefix("2000::/3"), nat64: netip.MustParsePrefix("64:ff9b::/96"),
	}
}

func (g addressGuard) isTrusted(hostPort string) bool { return slices.Contains(g.trusted, hostPort) }

// isPublic reports whether an address belongs to the public internet, not to a private network, to
// this computer or to a reserved range.
func (g addressGuard) isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if g.nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !g.global6.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(g.reserved, func(p netip.Prefix) bool { return p.Contains(a) })
}

// resolver resolves a host; *net.Resolver implements it.
type resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// resolvePublic returns the addresses of a host. It fails unless all are public, because one
// private address means that the name leads into a private network.
func (g addressGuard) resolvePublic(ctx context.Context, r resolver, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, g.checkAddress(host, a)
	}
	found, err := r.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for _, a := range found {
		if err := g.checkAddress(host, a); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return found, nil
}

func (g addressGuard) checkAddress(host string, a netip.Addr) error {
	if g.isPublic(a) {
		return nil
	}
	return refuseURL("%s resolves to %s, which is not a public internet address", host, a)
}

// checkConnection checks the address again when the connection is made.
func (g addressGuard) checkConnection(_ context.Context, network, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !strings.HasPrefix(network, "tcp") {
		return refuseURL("%s %s is not a public internet address", network, address)
	}
	return g.checkAddress(address, a.Addr())
}

// dial connects only to addresses that were checked, so that a second lookup of the name cannot
// return another one.
func (c *WebClient) dial(ctx context.Context, network, hostPort string) (net.Conn, error) {
	d := net.Dialer{Timeout: connectTimeout, ControlContext: c.guard.checkConnection}
	if c.guard.isTrusted(hostPort) {
		d.ControlContext = nil
		return d.DialContext(ctx, network, hostPort)
	}
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, fmt.Errorf("address %s: %w", hostPort, err)
	}
	addresses, err := c.guard.resolvePublic(ctx, c.resolver, host)
	if err != nil {
		return nil, err
	}
	var last error
	for _, a := range addresses {
		conn, err := c.connect(ctx, d, net.JoinHostPort(a.Unmap().String(), port))
		if err == nil {
			return conn, nil
		}
		last = err
	}
	return nil, last
}
