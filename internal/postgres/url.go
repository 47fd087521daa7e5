package postgres

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Target is a checked address of a store.
type Target struct {
	User, Host, Database string
	config               *pgx.ConnConfig
}

// String returns the address for people. It has no password.
func (t Target) String() string { return fmt.Sprintf("%s@%s/%s", t.User, t.Host, t.Database) }

// ParseURL checks an address such as postgres://anna@db.example.org/nfa. It must not contain a
// password, because settings are not secret. The connection is encrypted and the server's
// certificate is checked, unless the server is on this machine. insecure allows ?sslmode=require,
// which does not check the certificate. An empty password leaves it to PGPASSWORD and PGPASSFILE.
func ParseURL(address, password string, insecure bool) (Target, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return Target{}, fmt.Errorf("store %q is not an address such as postgres://anna@db.example.org/nfa", redact(address))
	}
	if _, has := u.User.Password(); has || u.Query().Has("password") || u.Query().Has("sslpassword") {
		return Target{}, errors.New("the store address must not contain a password; save it with: nfa auth set store")
	}
	mode := u.Query().Get("sslmode")
	local := isLocal(u)
	switch {
	case mode == "" || mode == "verify-full":
	case local:
	case mode == "require" && insecure:
	case mode == "require":
		return Target{}, errors.New("sslmode=require does not verify the identity of the server; use verify-full, or set store_insecure: true")
	default:
		return Target{}, fmt.Errorf("sslmode=%s does not protect the connection; use verify-full", mode)
	}
	if mode == "" && !local {
		query := u.Query()
		query.Set("sslmode", "verify-full")
		u.RawQuery = query.Encode()
	}
	config, err := pgx.ParseConfig(u.String())
	if err != nil {
		return Target{}, fmt.Errorf("store %q: %w", redact(address), err)
	}
	if err := checkEncryption(config, insecure); err != nil {
		return Target{}, err
	}
	if config.User == "" || config.Database == "" {
		return Target{}, fmt.Errorf("store %q must name a user and a database, as in postgres://anna@db.example.org/nfa", redact(address))
	}
	if password != "" {
		config.Password = password
	}
	return Target{User: config.User, Host: config.Host, Database: config.Database, config: config}, nil
}

// checkEncryption returns an error if a connection to another machine would not check the server's certificate.
// An address can name several servers, and PGHOST or a service file others than the address.
func checkEncryption(config *pgx.ConnConfig, insecure bool) error {
	servers := []*pgconn.FallbackConfig{{Host: config.Host, TLSConfig: config.TLSConfig}}
	for _, s := range append(servers, config.Fallbacks...) {
		if !isLocalHost(s.Host) && (s.TLSConfig == nil || s.TLSConfig.InsecureSkipVerify && !insecure) {
			return fmt.Errorf("the connection to %s would not be protected; write sslmode=verify-full in the store address", s.Host)
		}
	}
	return nil
}

// isLocal reports whether the server is on this machine: a Unix socket or a loopback address.
func isLocal(u *url.URL) bool {
	host := u.Hostname()
	if h := u.Query().Get("host"); h != "" {
		host = h
	}
	return isLocalHost(host)
}

func isLocalHost(host string) bool {
	if host == "" || strings.HasPrefix(host, "/") || host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// redact hides what may be a password.
func redact(address string) string {
	if u, err := url.Parse(address); err == nil {
		u.RawQuery = "" // may have a password, too
		return u.Redacted()
	}
	return "postgres://..."
}
