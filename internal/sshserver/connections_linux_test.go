package sshserver_test

import (
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// connect opens a connection and reports whether the server answers.
func (w *memoryWorld) connect() (client net.Conn, accepted bool) {
	client, server := net.Pipe()
	w.listener <- server
	_, err := client.Read(make([]byte, 1)) // of the server's version
	if err == nil {
		go func() { _, _ = io.Copy(io.Discard, client) }()
	}
	return client, err == nil
}

func TestServe_FourNewConnectionsASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newMemoryWorld(t)
		for second := range 3 {
			for i := range 6 {
				client, accepted := w.connect()
				defer client.Close()
				if accepted != (i < 4) {
					t.Errorf("second %d, connection %d: accepted is %t", second, i+1, accepted)
				}
			}
			time.Sleep(time.Second + time.Millisecond)
		}
		w.stop()
	})
}

func TestServe_SixtyFourConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newMemoryWorld(t)
		var open []net.Conn
		for len(open) < 64 { // within the 20 seconds to log in
			for range 4 {
				client, accepted := w.connect()
				if !accepted {
					t.Fatalf("connection %d is refused", len(open)+1)
				}
				open = append(open, client)
			}
			time.Sleep(time.Second + time.Millisecond)
		}
		if client, accepted := w.connect(); accepted {
			t.Error("connection 65 is accepted")
			client.Close()
		}
		open[0].Close()
		synctest.Wait()
		client, accepted := w.connect()
		if !accepted {
			t.Error("refused although one was closed")
		}
		for _, c := range append(open[1:], client) {
			c.Close()
		}
		w.stop()
	})
}

// A chat that does not end on request is killed: the server ends within three seconds.
func TestServe_EndsWithinThreeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newMemoryWorld(t)
		w.chat.deaf = true
		w.openChat()
		synctest.Wait()
		began := time.Now()
		w.stop()
		if took := time.Since(began); took < time.Second || took > 3*time.Second {
			t.Errorf("ended after %v, want the 2 s of grace", took)
		}
	})
}
