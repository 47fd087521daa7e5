package main

import "testing"

// online has a house that was wired offline find its models as if it had not been.
func online(t testing.TB, p *program) {
	t.Helper()
	p.cfg.Offline = false
	c, err := newConnections(&globals{terminal: terminal{env: func(string) string { return "" }}}, p.cfg, p.home, p.log)
	if err != nil {
		t.Fatal(err)
	}
	p.connections = c
}
