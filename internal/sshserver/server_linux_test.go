package sshserver_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rs/zerolog"
	gossh "golang.org/x/crypto/ssh"

	"github.com/nfa-cli/nfa/internal/sshserver"
)

var long = flag.Bool("long", false, "run the long forms of the tests")

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
	resized := make(chan os.Signal, 1)
	signal.Notify(resized, syscall.SIGWINCH)
	go func() {
		for range resized {
			rows, cols := windowSize()
			fmt.Printf("size %dx%d\n", cols, rows)
		}
	}()
	dir, _ := os.Getwd()
	tty, _ := os.Readlink("/proc/self/fd/0")
	fmt.Printf("terminal %s\nin %s, term %s\n", tty, dir, os.Getenv("TERM"))
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

// syncBuffer holds what was written, and lets tests wait for a part of it.
type syncBuffer struct {
	mu      sync.Mutex
	b       bytes.Buffer
	changed *sync.Cond
}

func newSyncBuffer() *syncBuffer {
	b := &syncBuffer{}
	b.changed = sync.NewCond(&b.mu)
	return b
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changed.Broadcast()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// wait returns once a text was written n times.
func (b *syncBuffer) wait(text string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for strings.Count(b.b.String(), text) < n {
		b.changed.Wait()
	}
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
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return newWorldWith(t, keys, program)
}

func newWorldWith(t *testing.T, keys map[string]gossh.Signer, program string, args ...string) *world {
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
	w := &world{t: t, done: make(chan error, 1), log: newSyncBuffer()}
	var err error
	if w.users, err = sshserver.ReadUsers(path); err != nil {
		t.Fatal(err)
	}
	w.server, err = sshserver.New(sshserver.Options{
		Users: func() ([]sshserver.User, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.users, nil
		},
		HostKey: newSigner(t), Program: program, Args: args, Log: zerolog.New(w.log), PerAddress: 1000,
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
	t.Cleanup(w.end)
	return w
}

// end stops the server and waits until it has ended.
func (w *world) end() {
	w.stop()
	if w.done != nil {
		if err := <-w.done; err != nil {
			w.t.Errorf("Serve = %v", err)
		}
		w.done = nil
	}
}

func (w *world) dial(user string, signers ...gossh.Signer) (*gossh.Client, error) {
	return gossh.Dial("tcp", w.address, &gossh.ClientConfig{
		User: user, Auth: []gossh.AuthMethod{gossh.PublicKeys(signers...)}, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
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
	return w.openSession(client)
}

func (w *world) openSession(client *gossh.Client) *terminal {
	w.t.Helper()
	session, err := client.NewSession()
	if err != nil {
		w.t.Fatal(err)
	}
	x := &terminal{t: w.t, client: client, session: session, out: newSyncBuffer()}
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

// wait waits until the screen has shown a text.
func (x *terminal) wait(want string) { x.out.wait(want, 1) }

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
	y := w.open("ben", ben)
	y.wait("term xterm")
	_, tty, _ := strings.Cut(y.out.String(), "terminal ")
	tty, _, _ = strings.Cut(tty, "\r\n")
	x.ask("read "+tty, "open "+tty+": permission denied") // the other's keys
	x.ask("write mine", "write <nil>")
	x.ask("run /bin/sh", "run fork/exec /bin/sh: permission denied")
	if err := x.session.WindowChange(20, 60); err != nil {
		t.Fatal(err)
	}
	x.wait("size 60x20")
	if err := x.session.WindowChange(5000, 5000); err != nil {
		t.Fatal(err)
	}
	x.wait("size 500x200")
	_, _ = io.WriteString(x.in, "quit\r")
	var exit *gossh.ExitError
	if err := x.session.Wait(); !asExit(err, &exit) || exit.ExitStatus() != 7 {
		t.Errorf("the chat ended with %v, want its own code 7", err)
	}
	if log := w.log.String(); strings.Contains(log, "canary") || strings.Contains(log, "sk-anna") || !strings.Contains(log, `"user":"anna"`) {
		t.Errorf("the log has content, or no user:\n%s", log)
	}
}

// A key that the client cannot sign with does not open a chat.
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
	try("agent forwarding", func(s *gossh.Session) error {
		ok, err := s.SendRequest("auth-agent-req@openssh.com", true, nil)
		if err == nil && !ok {
			err = io.EOF
		}
		return err
	})
	try("many variables", func(s *gossh.Session) error {
		for i := range 1000 {
			if err := s.Setenv(fmt.Sprint("V", i), strings.Repeat("v", 10_000)); err != nil {
				return err
			}
		}
		return nil
	})
	try("many channels", func(*gossh.Session) error {
		for range 100 {
			other, err := client.NewSession()
			if err != nil {
				return err
			}
			defer other.Close()
		}
		return nil
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
	out := newSyncBuffer()
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
	fourth.wait("you have 2 open chats")
	// Removing a key ends its chats.
	w.mu.Lock()
	w.users = slices.DeleteFunc(slices.Clone(w.users), func(u sshserver.User) bool { return u.Name == "anna" })
	w.mu.Unlock()
	if err := w.server.Reload(); err != nil {
		t.Fatal(err)
	}
	_ = first.session.Wait()
	_ = third.session.Wait()
	fifth := w.openSession(fourth.client) // its connection is still there
	fifth.wait("this key is no longer accepted")
	second.ask("read canary", "canary of ben")
	w.end()
	_ = second.session.Wait()
	var status syscall.WaitStatus
	if pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil); err != syscall.ECHILD {
		t.Errorf("a child process is left: %d, %v", pid, err)
	}
}

// Users who connect and disconnect, even concurrently, leave no process, terminal, file or goroutine
// behind, and see only their own data.
func TestServe_ManyPeople(t *testing.T) {
	people, visits := 4, 12
	if *long {
		people, visits = 30, 1000
	}
	files := func() []string {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			name, _ := os.Readlink("/proc/self/fd/" + e.Name())
			names = append(names, name)
		}
		return names
	}
	keys := map[string]gossh.Signer{}
	for i := range people {
		keys[fmt.Sprintf("user%d", i)] = newSigner(t)
	}
	filesBefore, goroutinesBefore := files(), runtime.NumGoroutine()
	w := newWorld(t, keys)
	w.mu.Lock()
	for i := range w.users { // a visit may begin before the previous one has ended
		w.users[i].MaxSessions = visits
	}
	w.mu.Unlock()
	if err := w.server.Reload(); err != nil {
		t.Fatal(err)
	}
	next := make(chan int)
	var group sync.WaitGroup
	for name, signer := range keys {
		group.Go(func() {
			for range next {
				x := w.open(name, signer)
				x.ask("read canary", "canary of ")
				if screen := x.out.String(); strings.Count(screen, "canary of ") != strings.Count(screen, "canary of "+name+`"`) {
					t.Errorf("%s sees %s", name, screen)
				}
				_ = x.client.Close()
			}
		})
	}
	for i := range visits {
		next <- i
	}
	close(next)
	group.Wait()
	w.end()
	// A leak waits here until the tests time out, which lists the goroutines.
	for runtime.NumGoroutine() > goroutinesBefore || len(files()) > len(filesBefore) {
		runtime.Gosched()
	}
	var status syscall.WaitStatus
	if pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil); err != syscall.ECHILD {
		t.Errorf("a child process is left: %d, %v", pid, err)
	}
}
