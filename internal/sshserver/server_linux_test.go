package sshserver_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
	gossh "golang.org/x/crypto/ssh"

	"github.com/nfa-cli/nfa/internal/sshserver"
)

// TestMain is also the program of a chat: it shows what it can see, and answers lines.
func TestMain(m *testing.M) {
	if err := sshserver.Confine(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if os.Getenv("NFA_SERVED") == "" {
		os.Exit(m.Run())
	}
	chat()
}

func chat() {
	dir, _ := os.Getwd()
	fmt.Printf("in %s, term %s\n", dir, os.Getenv("TERM"))
	fmt.Printf("variables %d, key %q, sent %q\n", len(os.Environ()), os.Getenv("OPENAI_API_KEY"), os.Getenv("LD_PRELOAD"))
	line := make([]byte, 4096)
	for {
		n, err := os.Stdin.Read(line)
		if err != nil {
			return
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(string(line[:n])), " ")
		switch word {
		case "read":
			text, err := os.ReadFile(rest)
			fmt.Printf("read %q %v\n", text, err)
		case "write":
			fmt.Printf("write %v\n", os.WriteFile(rest, []byte("x"), 0o600))
		case "run":
			p, err := os.StartProcess(rest, []string{rest}, &os.ProcAttr{})
			if err == nil {
				_, _ = p.Wait()
			}
			fmt.Printf("run %v\n", err)
		case "size":
			rows, cols := windowSize()
			fmt.Printf("size %dx%d\n", cols, rows)
		case "quit":
			os.Exit(7)
		}
	}
}

type world struct {
	t       *testing.T
	address string
	stop    context.CancelFunc
	done    chan error
	server  *sshserver.Server
	log     *syncBuffer

	mu    sync.Mutex
	users []sshserver.User
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func newSigner(t *testing.T) gossh.Signer {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := gossh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// newWorld starts a server for people with these keys, each with a canary in the home.
func newWorld(t *testing.T, keys map[string]gossh.Signer) *world {
	t.Helper()
	dir := t.TempDir()
	var file strings.Builder
	file.WriteString("users:\n")
	for name, signer := range keys {
		home := filepath.Join(dir, name)
		if err := os.MkdirAll(home, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, "canary"), []byte("canary of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&file, "  - name: %s\n    keys: [%q]\n    home: %s\n    variables: {OPENAI_API_KEY: sk-%s}\n",
			name, strings.TrimSpace(string(gossh.MarshalAuthorizedKey(signer.PublicKey()))), home, name)
	}
	path := filepath.Join(dir, "users.yaml")
	if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, done: make(chan error, 1), log: &syncBuffer{}}
	if w.users, err = sshserver.ReadUsers(path); err != nil {
		t.Fatal(err)
	}
	w.server, err = sshserver.New(sshserver.Options{
		Users: func() ([]sshserver.User, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.users, nil
		},
		HostKey: newSigner(t), Program: program, Log: zerolog.New(w.log), PerAddress: 1000,
	})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.address = listener.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	go func() { w.done <- w.server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if w.done != nil {
			<-w.done
		}
	})
	return w
}

func (w *world) dial(user string, signers ...gossh.Signer) (*gossh.Client, error) {
	return gossh.Dial("tcp", w.address, &gossh.ClientConfig{
		User: user, Auth: []gossh.AuthMethod{gossh.PublicKeys(signers...)}, HostKeyCallback: gossh.InsecureIgnoreHostKey(), Timeout: time.Minute,
	})
}

// terminal is a chat in a client's terminal.
type terminal struct {
	t       *testing.T
	client  *gossh.Client
	session *gossh.Session
	in      io.WriteCloser
	out     *syncBuffer
}

func (w *world) open(user string, signers ...gossh.Signer) *terminal {
	w.t.Helper()
	client, err := w.dial(user, signers...)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = client.Close() })
	session, err := client.NewSession()
	if err != nil {
		w.t.Fatal(err)
	}
	x := &terminal{t: w.t, client: client, session: session, out: &syncBuffer{}}
	_ = session.Setenv("LD_PRELOAD", "/tmp/evil.so")
	_ = session.Setenv("LANG", "de_DE.UTF-8")
	if x.in, err = session.StdinPipe(); err != nil {
		w.t.Fatal(err)
	}
	session.Stdout, session.Stderr = x.out, x.out
	if err := session.RequestPty("xterm", 30, 100, gossh.TerminalModes{}); err != nil {
		w.t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		w.t.Fatal(err)
	}
	return x
}

// ask types a line and waits for an answer with a text.
func (x *terminal) ask(line, want string) {
	x.t.Helper()
	if _, err := io.WriteString(x.in, line+"\r"); err != nil {
		x.t.Fatal(err)
	}
	x.wait(want)
}

// repeat types a line until the answer has a text: sizes and keys reach a chat in no fixed order.
func (x *terminal) repeat(line, want string) {
	x.t.Helper()
	for range 50 {
		x.ask(line, "size ")
		if strings.Contains(x.out.String(), want) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	x.wait(want)
}

func (x *terminal) wait(want string) {
	x.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(x.out.String(), want) {
			return
		}
	}
	x.t.Fatalf("the screen never shows %q:\n%s", want, x.out.String())
}

func TestServe_EachSeesTheirOwnFilesOnly(t *testing.T) {
	anna, ben := newSigner(t), newSigner(t)
	w := newWorld(t, map[string]gossh.Signer{"anna": anna, "ben": ben})
	homes := map[string]string{}
	for _, u := range w.users {
		homes[u.Name] = u.Home
	}
	x := w.open("root", anna) // the name that is sent decides nothing
	x.wait("in " + homes["anna"] + ", term xterm")
	x.wait(`key "sk-anna", sent ""`)
	x.ask("read canary", `read "canary of anna" <nil>`)
	x.ask("read "+homes["ben"]+"/canary", `read "" open `+homes["ben"]+"/canary: permission denied")
	x.ask("read ../ben/canary", `read "" open ../ben/canary: permission denied`)
	for _, file := range []string{"/etc/passwd", "/proc/1/environ", filepath.Dir(homes["anna"]) + "/users.yaml"} {
		x.ask("read "+file, "open "+file+": permission denied")
	}
	x.ask("write "+homes["ben"]+"/planted", "permission denied")
	x.ask("write mine", "write <nil>")
	x.ask("run /bin/sh", "run fork/exec /bin/sh: permission denied")
	if err := x.session.WindowChange(20, 60); err != nil {
		t.Fatal(err)
	}
	x.repeat("size", "size 60x20")
	if err := x.session.WindowChange(5000, 5000); err != nil {
		t.Fatal(err)
	}
	x.repeat("size", "size 500x200")
	_, _ = io.WriteString(x.in, "quit\r")
	var exit *gossh.ExitError
	if err := x.session.Wait(); !asExit(err, &exit) || exit.ExitStatus() != 7 {
		t.Errorf("the chat ended with %v, want its own code 7", err)
	}
	if log := w.log.String(); strings.Contains(log, "canary") || strings.Contains(log, "sk-anna") || !strings.Contains(log, `"user":"anna"`) {
		t.Errorf("the log has content, or no user:\n%s", log)
	}
}

// A key whose owner did not prove that they have it opens nothing.
func TestServe_AnOfferedKeyIsNoProof(t *testing.T) {
	anna, ben := newSigner(t), newSigner(t)
	w := newWorld(t, map[string]gossh.Signer{"anna": anna, "ben": ben})
	for _, offered := range [][]gossh.Signer{{unproven{anna}}, {unproven{anna}, ben}} {
		if client, err := w.dial("anna", offered...); err == nil {
			_ = client.Close()
			t.Error("a key without its secret part is accepted")
		}
	}
	if client, err := w.dial("anna", newSigner(t)); err == nil {
		_ = client.Close()
		t.Error("an unknown key is accepted")
	}
}

// unproven offers a key and cannot sign with it.
type unproven struct{ gossh.Signer }

func (u unproven) Sign(io.Reader, []byte) (*gossh.Signature, error) {
	return &gossh.Signature{Format: u.PublicKey().Type(), Blob: make([]byte, ed25519.SignatureSize)}, nil
}

func TestServe_NothingButAChat(t *testing.T) {
	anna := newSigner(t)
	w := newWorld(t, map[string]gossh.Signer{"anna": anna})
	client, err := w.dial("anna", anna)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	try := func(name string, do func(*gossh.Session) error) {
		s, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := do(s); err == nil {
			t.Errorf("%s is possible", name)
		}
	}
	try("a command", func(s *gossh.Session) error { return s.Run("id") })
	try("a file transfer", func(s *gossh.Session) error { return s.RequestSubsystem("sftp") })
	try("X11", func(s *gossh.Session) error {
		ok, err := s.SendRequest("x11-req", true, gossh.Marshal(struct {
			Single   bool
			Protocol string
			Cookie   string
			Screen   uint32
		}{false, "MIT-MAGIC-COOKIE-1", "00", 0}))
		if err == nil && !ok {
			err = io.EOF
		}
		return err
	})
	if conn, err := client.Dial("tcp", "127.0.0.1:22"); err == nil {
		_ = conn.Close()
		t.Error("a connection is forwarded")
	}
	if l, err := client.Listen("tcp", "127.0.0.1:0"); err == nil {
		_ = l.Close()
		t.Error("a port is forwarded back")
	}
	s, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	out := &syncBuffer{}
	s.Stderr = out
	if err := s.Shell(); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(); err == nil || !strings.Contains(out.String(), "A terminal is required: ssh -t") {
		t.Errorf("without a terminal: %v, %q", err, out.String())
	}
}

func TestServe_EndsAllChats(t *testing.T) {
	anna, ben := newSigner(t), newSigner(t)
	w := newWorld(t, map[string]gossh.Signer{"anna": anna, "ben": ben})
	first, second := w.open("a", anna), w.open("b", ben)
	first.wait("in ")
	second.wait("in ")
	third := w.open("a", anna)
	third.wait("in ")
	fourth := w.open("a", anna)
	fourth.wait("2 chats are open already")
	// A key that is removed ends its chats.
	w.mu.Lock()
	for i, u := range w.users {
		if u.Name == "anna" {
			w.users = append(w.users[:i:i], w.users[i+1:]...)
			break
		}
	}
	w.mu.Unlock()
	if err := w.server.Reload(); err != nil {
		t.Fatal(err)
	}
	waitEnd(t, first.session, "the chat of a removed key")
	waitEnd(t, third.session, "the other chat of a removed key")
	second.ask("read canary", "canary of ben")
	w.stop()
	waitEnd(t, second.session, "a chat of a server that stops")
	if err := <-w.done; err != nil {
		t.Errorf("Serve = %v", err)
	}
	w.done = nil
	if n := children(t); n != 0 {
		t.Errorf("%d child processes are left", n)
	}
}

func waitEnd(t *testing.T, s *gossh.Session, what string) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		_ = s.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		t.Fatalf("%s does not end", what)
	}
}

// children counts the child processes of this one.
func children(t *testing.T) int {
	t.Helper()
	var status syscall.WaitStatus
	pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
	if err == syscall.ECHILD {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	if pid == 0 {
		return 1 // at least one that runs
	}
	return 1 // at least one that nobody waited for
}

// People who come and go leave nothing behind.
func TestServe_LeavesNothingBehind(t *testing.T) {
	anna := newSigner(t)
	w := newWorld(t, map[string]gossh.Signer{"anna": anna})
	w.mu.Lock()
	w.users[0].MaxSessions = 100
	w.mu.Unlock()
	if err := w.server.Reload(); err != nil {
		t.Fatal(err)
	}
	files := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	visit := func() {
		x := w.open("a", anna)
		x.wait("in ")
		_ = x.client.Close()
	}
	before := files()
	for range 6 {
		visit()
	}
	for deadline := time.Now().Add(time.Minute); files() > before+2 && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	if after := files(); after > before+2 {
		t.Errorf("%d open files before, %d after 6 visits", before, after)
	}
}
