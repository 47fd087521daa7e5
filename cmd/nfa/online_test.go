package main

import "testing"

// goOnline makes a program that was opened offline find its models as if it were online.
func goOnline(t testing.TB, p *program) {
	t.Helper()
	p.cfg.Offline = false
	c, err := newConnections(&globals{terminal: terminal{env: func(string) string { return "" }}}, p.cfg, p.home, p.log)
	if err != nil {
		t.Fatal(err)
	}
	p.connections = c
}
