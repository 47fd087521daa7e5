package files_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

// fakeResolver resolves the given names, and returns the answers of one
// name in turn.
type fakeResolver struct {
	answers map[string][]string
	lookups atomic.Int32
}

func (n *fakeResolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	turn := int(n.lookups.Add(1)) - 1
	answers := n.answers[host]
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var out []netip.Addr
	for a := range strings.SplitSeq(answers[min(turn, len(answers)-1)], ",") {
		out = append(out, netip.MustParseAddr(a))
	}
	return out, nil
}

// publicAddress is the public address under which the client reaches the test server.
const publicAddress = "93.184.216.34"

// newTestClient returns a client for which the server is example.com, at a public address. Nothing
// else can be reached.
func newTestClient(t testing.TB, server *httptest.Server, o files.WebOptions) *files.WebClient {
	t.Helper()
	if o.Resolver == nil {
		o.Resolver = &fakeResolver{answers: map[string][]string{"example.com": {publicAddress}, "www.example.com": {publicAddress}}}
	}
	o.Connect = func(ctx context.Context, _ net.Dialer, address string) (net.Conn, error) {
		if !strings.HasPrefix(address, publicAddress+":") {
			t.Errorf("a connection to %s was tried", address)
			return nil, errors.New("unreachable")
		}
		var d net.Dialer
		return d.DialContext(ctx, "tcp", server.Listener.Addr().String())
	}
	return files.NewWebClient(o)
}

func newServer(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func newUnusedServer(t testing.TB) *httptest.Server {
	return newServer(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was asked", r.URL) })
}

func TestGet_AddressesThatAreNotAsked(t *testing.T) {
	c := newTestClient(t, newUnusedServer(t), files.WebOptions{Resolver: &fakeResolver{answers: map[string][]string{
		"private.example.com": {"10.0.0.5"}, "mixed.example.com": {publicAddress + ",127.0.0.1"}, "six.example.com": {"fd00::1"},
	}}})
	for _, address := range []string{
		"http://127.0.0.1/", "http://127.8.8.8/", "https://10.0.0.1/", "http://172.16.3.4/", "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data/",
		"http://100.64.0.1/", "http://0.0.0.0/", "http://224.0.0.1/", "http://255.255.255.255/", "http://192.0.2.1/", "http://198.18.0.1/", "http://240.0.0.1/",
		"http://[::1]/", "http://[::]/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fc00::1]/", "http://[fd12::1]/", "http://[ff02::1]/",
		"http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b::a00:1]/",
		"http://[2002:7f00:1::]/", "http://[2001:db8::1]/", "http://[2001::1]/", "http://[fec0::1]/",
		"http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0177.0.0.1/", "http://017700000001/", "http://127.1/", "http://0/", "http://127.0.0.1./",
		"http://①②⑦.0.0.1/", "http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://printer.local/", "http://router.lan/", "http://metadata.google.internal/", "http://intranet/",
		"http://private.example.com/", "http://mixed.example.com/", "http://six.example.com/",
		"http://example.com:8080/", "https://example.com:22/", "http://example.com:0/",
		"http://user:pw@example.com/", "http://user@example.com/", "http://example.com@127.0.0.1/",
		"file:///etc/passwd", "ftp://example.com/", "gopher://example.com/", "javascript:alert(1)", "data:text/html,x", "example.com", "//example.com/", "http://", "http:///x", "", "http://exa\nmple.com/", "http://example.com/\x00",
		"https://example.com/?api_key=abc", "https://example.com/?q=1&Access_Token=abc", "https://example.com/sk-" + strings.Repeat("a", 24), "https://example.com/?x=AKIAABCDEFGHIJKLMNOP",
		"https://example.com/" + strings.Repeat("a", 3000),
	} {
		if page, err := c.Get(t.Context(), address); !errors.Is(err, files.ErrURLRefused) {
			t.Errorf("Get(%q) = %+v, %v; want it refused", address, page, err)
		}
	}
}

func TestGet_AsksPublicAddressesInTheirUsualForms(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "hello") })
	for _, address := range []string{
		"http://example.com", "http://example.com:80/x?key=short#part", " http://www.example.com/ ", "http://EXAMPLE.com/", "http://" + publicAddress + "/", "http://[::ffff:" + publicAddress + "]/",
	} {
		c := newTestClient(t, s, files.WebOptions{Resolver: &fakeResolver{answers: map[string][]string{
			"example.com": {publicAddress}, "www.example.com": {publicAddress}, "EXAMPLE.com": {publicAddress},
		}}})
		if page, err := c.Get(t.Context(), address); err != nil || page.Text != "hello" || strings.Contains(page.URL, "#") {
			t.Errorf("Get(%q) = %+v, %v", address, page, err)
		}
	}
}

func TestGet_AnUnknownNameIsNoRefusal(t *testing.T) {
	_, err := newTestClient(t, newUnusedServer(t), files.WebOptions{}).Get(t.Context(), "http://nowhere.example.com/")
	if err == nil || errors.Is(err, files.ErrURLRefused) || !strings.Contains(err.Error(), "no such host") {
		t.Errorf("Get of an unknown name = %v, want that there is no such host", err)
	}
}

// A name that resolves to a public address at first and to an internal one the next time.
func TestGet_ANameThatIsBoundAnewIsNotFollowed(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		http.Redirect(w, r, "/again", http.StatusFound)
	})
	c := newTestClient(t, s, files.WebOptions{Resolver: &fakeResolver{answers: map[string][]string{"example.com": {publicAddress, "127.0.0.1"}}}})
	if _, err := c.Get(t.Context(), "http://example.com/"); !errors.Is(err, files.ErrURLRefused) {
		t.Errorf("Get = %v, want the second answer refused", err)
	}
}

func TestGet_TheLastLookIsAtTheConnection(t *testing.T) {
	s := newUnusedServer(t)
	c := files.NewWebClient(files.WebOptions{
		Resolver: &fakeResolver{answers: map[string][]string{"example.com": {publicAddress}}},
		// Something between the client and the network redirects the connection.
		Connect: func(ctx context.Context, d net.Dialer, _ string) (net.Conn, error) {
			return d.DialContext(ctx, "tcp", s.Listener.Addr().String())
		},
	})
	if _, err := c.Get(t.Context(), "http://example.com/"); !errors.Is(err, files.ErrURLRefused) {
		t.Errorf("Get = %v, want the connection refused", err)
	}
}

func TestGet_RedirectsAreHeldToTheSameRules(t *testing.T) {
	private := newUnusedServer(t)
	for name, c := range map[string]struct{ to, says string }{
		"to loopback":    {private.URL, "port"},
		"to an address":  {"http://127.0.0.1/", "not a public internet address"},
		"to metadata":    {"http://169.254.169.254/", "not a public internet address"},
		"to a file":      {"file:///etc/passwd", "file"},
		"to a login":     {"http://a:b@example.com/", "password"},
		"to a secret":    {"http://example.com/?token=abc", "key"},
		"to no name":     {"http://0x7f.1/", "neither"},
		"round in rings": {"/ring", "more than 5 redirects"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, c.to, http.StatusFound) })
			_, err := newTestClient(t, s, files.WebOptions{}).Get(t.Context(), "http://example.com/")
			if !errors.Is(err, files.ErrURLRefused) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("Get = %v, want a refusal with %q", err, c.says)
			}
		})
	}
}

func TestGet_FollowsUpToFiveRedirectsAndTellsThem(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if ref := r.Header.Get("Referer"); ref != "" {
			t.Errorf("%s is told where we came from: %s", r.URL, ref)
		}
		if n := len(r.URL.Path); n < 6 {
			http.SetCookie(w, &http.Cookie{Name: "id", Value: "x"})
			http.Redirect(w, r, r.URL.Path+"a", http.StatusMovedPermanently)
			return
		}
		if len(r.Cookies()) > 0 {
			t.Error("cookies were kept")
		}
		fmt.Fprint(w, "here")
	})
	page, err := newTestClient(t, s, files.WebOptions{}).Get(t.Context(), "http://example.com/")
	if err != nil || page.URL != "http://example.com/aaaaa" || len(page.Redirects) != 5 || page.Redirects[0] != (files.Redirect{URL: "http://example.com/", Status: 301}) {
		t.Errorf("Get = %+v, %v; want five hops", page, err)
	}
}

func TestGet_SendsNothingButItsName(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		for name := range r.Header {
			if !strings.Contains(" User-Agent Accept Accept-Encoding ", " "+name+" ") {
				t.Errorf("header %s: %s was sent", name, r.Header.Get(name))
			}
		}
		fmt.Fprint(w, r.UserAgent())
	})
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	page, err := newTestClient(t, s, files.WebOptions{Agent: "nfa/1.2 (+https://github.com/nfa-cli/nfa)"}).Get(t.Context(), "http://example.com/")
	if err != nil || page.Text != "nfa/1.2 (+https://github.com/nfa-cli/nfa)" {
		t.Errorf("Get = %q, %v", page.Text, err)
	}
}

func TestGet_TrustedHostsAreForTests(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://127.0.0.1/", http.StatusFound)
			return
		}
		fmt.Fprint(w, "local")
	})
	c := files.NewWebClient(files.WebOptions{Trusted: []string{s.Listener.Addr().String()}})
	if page, err := c.Get(t.Context(), s.URL); err != nil || page.Text != "local" {
		t.Errorf("Get of the trusted host = %+v, %v", page, err)
	}
	if _, err := c.Get(t.Context(), s.URL+"/away"); !errors.Is(err, files.ErrURLRefused) {
		t.Errorf("Get from it to another = %v, want it refused", err)
	}
}

func FuzzGet_NoAddressLeadsInside(f *testing.F) {
	for _, seed := range []string{"http://127.0.0.1/", "http://[::1]", "http://0x7f.1", "http://example.com@localhost/", "http://[::ffff:10.0.0.1]", "http://a%00b/"} {
		f.Add(seed)
	}
	// A known name resolves to another address. Connect catches whatever passes the rules, because it
	// accepts only the public address.
	c := files.NewWebClient(files.WebOptions{
		Resolver: publicResolver{}, Connect: func(_ context.Context, _ net.Dialer, address string) (net.Conn, error) {
			a := netip.MustParseAddrPort(address).Addr()
			if a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() {
				f.Errorf("a connection to %s", address)
			}
			return nil, errors.New("no network in tests")
		},
	})
	f.Fuzz(func(t *testing.T, address string) {
		if _, err := c.Get(t.Context(), address); err == nil {
			t.Errorf("Get(%q) without a network = nil error", address)
		}
	})
}

type publicResolver struct{}

func (publicResolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr(publicAddress)}, nil
}
