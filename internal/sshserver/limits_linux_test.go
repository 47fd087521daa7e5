package sshserver_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gliderlabs/ssh"
	"github.com/rs/zerolog"
	gossh "golang.org/x/crypto/ssh"

	"github.com/nfa-cli/nfa/internal/sshserver"
)

// The time limits, with a fake clock: the network and the chat are in memory.
func TestServe_TimeLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		use  func(*memoryWorld)
		want time.Duration
		says string
	}{
		{"a chat without a key", func(w *memoryWorld) { w.openChat() }, 30 * time.Minute, "closed after 30 minutes without input or output"},
		{"a chat whose last key came late", func(w *memoryWorld) {
			in := w.openChat()
			time.Sleep(29 * time.Minute)
			_, _ = io.WriteString(in, "a")
		}, 59 * time.Minute, "closed after 30 minutes"},
		{"a chat that is always used", func(w *memoryWorld) {
			in := w.openChat()
			for range 12 * 6 {
				time.Sleep(10 * time.Minute)
				_, _ = io.WriteString(in, "a")
			}
		}, 12 * time.Hour, ""},
		{"a client that is gone without a word", func(w *memoryWorld) {
			w.openChat()
			w.conn.frozen.Store(true)
		}, 2 * time.Minute, ""}, // a question after 30 s, and 90 s for the answer
		{"a client that accepts no output", func(w *memoryWorld) {
			w.out = nil
			w.openChat()
			go func() {
				for {
					if _, err := w.chat.screen.Write(make([]byte, 64<<10)); err != nil {
						return
					}
				}
			}()
		}, time.Minute, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newMemoryWorld(t)
				began := time.Now()
				c.use(w)
				<-w.chat.hungUp
				if took := time.Since(began).Round(time.Second); took != c.want {
					t.Errorf("ended after %v, want %v", took, c.want)
				}
				synctest.Wait()
				if w.out != nil && !strings.Contains(w.out.String(), c.says) {
					t.Errorf("the client sees %q, want %q", w.out, c.says)
				}
				w.stop()
			})
		})
	}
}

func TestServe_ClosesConnectionsThatDoNotLogIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newMemoryWorld(t)
		client, server := net.Pipe()
		w.listener <- server
		began := time.Now()
		if _, err := io.Copy(io.Discard, client); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("closed after %v, want 20s", took)
		}
		w.stop()
	})
}

// memoryWorld is a server for one user, whose network and chat are in memory.
type memoryWorld struct {
	t        *testing.T
	signer   gossh.Signer
	listener memoryListener
	chat     *memoryChat
	conn     *bufferedConn // of the client
	out      *bytes.Buffer // what the client sees; nil if it reads nothing
	end      context.CancelFunc
	done     chan error
}

func newMemoryWorld(t *testing.T) *memoryWorld {
	t.Helper()
	w := &memoryWorld{t: t, signer: newSigner(t), listener: make(memoryListener), chat: newMemoryChat(), out: &bytes.Buffer{}, done: make(chan error, 1)}
	users := parseUsers(t, "users:\n  - {name: anna, home: /srv/anna, keys: ["+quoteKey(w.signer)+"]}\n")
	server, err := sshserver.New(sshserver.Options{
		Users: func() ([]sshserver.User, error) { return users, nil }, HostKey: newSigner(t), Log: zerolog.Nop(),
		Start: func(sshserver.User, string, []string, ssh.Window) (sshserver.Chat, error) { return w.chat, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	w.end = end
	go func() { w.done <- server.Serve(ctx, w.listener) }()
	return w
}

// openChat connects and returns a writer for keys.
func (w *memoryWorld) openChat() io.Writer {
	w.t.Helper()
	client, server := net.Pipe()
	w.listener <- server
	w.conn = newBufferedConn(client)
	conn, channels, requests, err := gossh.NewClientConn(w.conn, "memory", &gossh.ClientConfig{
		User: "anna", Auth: []gossh.AuthMethod{gossh.PublicKeys(w.signer)}, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	session, err := gossh.NewClient(conn, channels, requests).NewSession()
	if err != nil {
		w.t.Fatal(err)
	}
	in, err := session.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if w.out != nil {
		session.Stderr = w.out
	} else if _, err := session.StdoutPipe(); err != nil { // never read
		w.t.Fatal(err)
	}
	if err := session.RequestPty("xterm", 30, 100, gossh.TerminalModes{}); err != nil {
		w.t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		w.t.Fatal(err)
	}
	return in
}

// stop ends the server and everything that waits for it.
func (w *memoryWorld) stop() {
	w.end()
	if w.conn != nil {
		_ = w.conn.Close()
		close(w.conn.closed)
	}
	if err := <-w.done; err != nil {
		w.t.Error(err)
	}
}

type memoryListener chan net.Conn

func (l memoryListener) Accept() (net.Conn, error) {
	conn, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l memoryListener) Close() error {
	defer func() { _ = recover() }() // it is closed twice
	close(l)
	return nil
}

func (l memoryListener) Addr() net.Addr { return &net.UnixAddr{} }

// bufferedConn writes without waiting for the other side, as a network does.
type bufferedConn struct {
	net.Conn
	writes chan []byte
	closed chan struct{}
	frozen atomic.Bool // loses what is written
}

func newBufferedConn(c net.Conn) *bufferedConn {
	b := &bufferedConn{Conn: c, writes: make(chan []byte, 1000), closed: make(chan struct{})}
	go func() {
		for {
			select {
			case p := <-b.writes:
				_, _ = c.Write(p)
			case <-b.closed:
				return
			}
		}
	}()
	return b
}

func (c *bufferedConn) Write(p []byte) (int, error) {
	if c.frozen.Load() {
		return len(p), nil
	}
	select {
	case c.writes <- bytes.Clone(p):
		return len(p), nil
	case <-c.closed:
		return 0, net.ErrClosed
	}
}

// memoryChat is a chat that shows what is written to its screen.
type memoryChat struct {
	io.Reader
	screen *io.PipeWriter
	hungUp chan struct{}
	once   sync.Once
	deaf   bool // does not end when it is asked to
}

func newMemoryChat() *memoryChat {
	output, screen := io.Pipe()
	return &memoryChat{Reader: output, screen: screen, hungUp: make(chan struct{})}
}

func (c *memoryChat) Write(keys []byte) (int, error) { return len(keys), nil }
func (c *memoryChat) Resize(ssh.Window)              {}
func (c *memoryChat) Close() error                   { c.Kill(); return nil }
func (c *memoryChat) Wait() (int, error)             { return 1, nil }
func (c *memoryChat) HangUp() {
	if !c.deaf {
		c.Kill()
	}
}
func (c *memoryChat) Kill() {
	c.once.Do(func() {
		close(c.hungUp)
		_ = c.screen.Close()
	})
}
