package main

import "testing"

// online has a house that was wired offline find its models as if it had not been.
func online(t testing.TB, h *house) {
	t.Helper()
	h.cfg.Offline = false
	c, err := newConnections(&globals{terminal: terminal{env: func(string) string { return "" }}}, h.cfg, h.home, h.log)
	if err != nil {
		t.Fatal(err)
	}
	h.connections = c
}
