package postgres

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
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
	if _, has := u.User.Password(); has {
		return Target{}, errors.New("the address of the store must not contain a password; save it with: nfa auth set store")
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
	if config.User == "" || config.Database == "" {
		return Target{}, fmt.Errorf("store %q must name a user and a database, as in postgres://anna@db.example.org/nfa", redact(address))
	}
	if password != "" {
		config.Password = password
	}
	return Target{User: config.User, Host: config.Host, Database: config.Database, config: config}, nil
}

// isLocal reports whether the server is on this machine: a Unix socket or a loopback address.
func isLocal(u *url.URL) bool {
	host := u.Hostname()
	if h := u.Query().Get("host"); h != "" {
		host = h
	}
	if host == "" || strings.HasPrefix(host, "/") || host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// redact hides what may be a password.
func redact(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Redacted()
	}
	return "postgres://..."
}
