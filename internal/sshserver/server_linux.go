package sshserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/creack/pty"
	"github.com/gliderlabs/ssh"
	"github.com/rs/zerolog"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Limits of the server.
const (
	maxConnections   = 64
	connectionsEvery = time.Second // at most perAddress from one address
	perAddress       = 4
	authTimeout      = 20 * time.Second
	authTries        = 3
	idleTimeout      = 30 * time.Minute
	maxTime          = 12 * time.Hour
	stallTimeout     = time.Minute // maximum time without the client accepting output
	keepAliveEvery   = 30 * time.Second
	keepAliveMisses  = 3
	childMemory      = 2 << 30
	childNice        = 5
	endGrace         = 2 * time.Second
)

// Options configure a Server.
type Options struct {
	Users   func() ([]User, error) // reads the users
	HostKey gossh.Signer
	Program string   // the program of a chat
	Args    []string // its arguments
	Log     zerolog.Logger
	// PerAddress is the number of new connections per second from one address; 0 is the default.
	PerAddress int
	// Start starts a chat; nil runs Program in a separate terminal.
	Start func(u User, term string, environ []string, size ssh.Window) (Chat, error)
}

// Chat is a running chat. Reading returns its output, writing types keys.
type Chat interface {
	io.ReadWriteCloser
	Resize(size ssh.Window)
	HangUp()            // asks the program to end
	Kill()              // ends it
	Wait() (int, error) // the exit code, after its output has ended
}

// Server is an SSH server whose only program is the chat. It is made by New.
type Server struct {
	options Options
	ssh     *ssh.Server

	mu       sync.Mutex
	users    []User
	sessions map[*connection]bool
	ended    *sync.Cond             // a session has ended
	recent   map[string][]time.Time // connections by address, in the last connectionsEvery
	open     atomic.Int64
}

// connection is the chat of one person.
type connection struct {
	user User
	key  string // fingerprint
	stop context.CancelFunc
}

// New returns a server with the users of the options.
func New(o Options) (*Server, error) {
	if o.PerAddress == 0 {
		o.PerAddress = perAddress
	}
	if o.Start == nil {
		o.Start = func(u User, term string, environ []string, size ssh.Window) (Chat, error) {
			return startProgram(o.Program, o.Args, u, environment(u, term, environ), size)
		}
	}
	s := &Server{options: o, sessions: map[*connection]bool{}, recent: map[string][]time.Time{}}
	s.ended = sync.NewCond(&s.mu)
	if err := s.Reload(); err != nil {
		return nil, err
	}
	s.ssh = &ssh.Server{
		Handler: s.serve, HostSigners: []ssh.Signer{o.HostKey}, Version: "nfa",
		PublicKeyHandler: func(_ ssh.Context, key ssh.PublicKey) bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			_, known := s.userOf(gossh.FingerprintSHA256(key))
			return known
		},
		ConnCallback:           s.accept,
		SessionRequestCallback: func(_ ssh.Session, kind string) bool { return kind == "shell" },
		ServerConfigCallback: func(ssh.Context) *gossh.ServerConfig {
			return &gossh.ServerConfig{MaxAuthTries: authTries}
		},
		IdleTimeout:       idleTimeout, // idle time of a connection without a chat; replies to keepAlive count as activity
		MaxTimeout:        maxTime,
		ChannelHandlers:   map[string]ssh.ChannelHandler{"session": serveChannel},
		RequestHandlers:   map[string]ssh.RequestHandler{},
		SubsystemHandlers: map[string]ssh.SubsystemHandler{},
	}
	return s, nil
}

// Reload reads the users again and ends the chats of those whose key is gone.
func (s *Server) Reload() error {
	users, err := s.options.Users()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users = users
	for c := range s.sessions {
		if now, ok := s.userOf(c.key); !ok || now.Home != c.user.Home {
			c.stop()
		}
	}
	return nil
}

// Serve serves connections until ctx ends. Then it ends all chats and returns nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	var stopping crash.WaitGroup
	done := make(chan struct{})
	defer stopping.Wait()
	defer close(done)
	stopping.Go(func() {
		select {
		case <-done:
			return
		case <-ctx.Done():
		}
		_ = l.Close()
		s.mu.Lock()
		s.users = nil // no new chats
		for c := range s.sessions {
			c.stop()
		}
		for len(s.sessions) > 0 { // each takes endGrace at most
			s.ended.Wait()
		}
		s.mu.Unlock()
		_ = s.ssh.Close()
	})
	if err := s.ssh.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}

// userOf returns the user with a key; s.mu is held.
func (s *Server) userOf(fingerprint string) (User, bool) {
	for _, u := range s.users {
		for _, key := range u.keys {
			if gossh.FingerprintSHA256(key) == fingerprint {
				return u, true
			}
		}
	}
	return User{}, false
}

// accept refuses connections over the limits, and those that do not authenticate in time.
func (s *Server) accept(ctx ssh.Context, c net.Conn) net.Conn {
	if s.open.Add(1) > maxConnections || !s.admit(c.RemoteAddr(), time.Now()) {
		s.open.Add(-1)
		s.options.Log.Warn().Stringer("address", c.RemoteAddr()).Msg("too many connections")
		return nil
	}
	late := closeAfter(authTimeout, c)
	ctx.SetValue(lateLogin, late)
	ctx.SetValue(openChannels, new(atomic.Int64))
	return &countedConn{Conn: c, closed: sync.OnceFunc(func() {
		late.Stop()
		s.open.Add(-1)
	})}
}

type contextKey int

const (
	lateLogin    contextKey = iota // key of the timer that closes a connection without a session
	openChannels                   // key of the number of its channels
)

type countedConn struct {
	net.Conn
	closed func()
}

func (c *countedConn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// admit reports whether an address may connect again.
func (s *Server) admit(address net.Addr, now time.Time) bool {
	host, _, err := net.SplitHostPort(address.String())
	if err != nil {
		host = address.String()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for other, times := range s.recent { // forget old addresses
		if now.Sub(times[len(times)-1]) > connectionsEvery {
			delete(s.recent, other)
		}
	}
	times := s.recent[host]
	for len(times) > 0 && now.Sub(times[0]) > connectionsEvery {
		times = times[1:]
	}
	if len(times) >= s.options.PerAddress {
		return false
	}
	s.recent[host] = append(times, now)
	return true
}

// register adds the chat of the user with a key, or returns why it is refused.
func (s *Server) register(key ssh.PublicKey, stop context.CancelFunc) (*connection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fingerprint := gossh.FingerprintSHA256(key)
	user, known := s.userOf(fingerprint)
	if !known {
		return nil, errors.New("this key is no longer accepted")
	}
	n := 0
	for other := range s.sessions {
		if other.user.Name == user.Name {
			n++
		}
	}
	if n >= user.MaxSessions {
		return nil, fmt.Errorf("you have %d open chats, which is the maximum; close one, or raise max_sessions in the users file", n)
	}
	c := &connection{user: user, key: fingerprint, stop: stop}
	s.sessions[c] = true
	return c, nil
}

func (s *Server) unregister(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, c)
	s.ended.Broadcast()
}

// serve runs a chat for a session.
func (s *Server) serve(session ssh.Session) {
	session.Context().Value(lateLogin).(*time.Timer).Stop()
	refuse := func(reason string) {
		fmt.Fprintf(session.Stderr(), "nfa: %s\r\n", reason)
		_ = session.Exit(1)
	}
	request, sizes, hasTerminal := session.Pty()
	if !hasTerminal {
		refuse("A terminal is required: ssh -t")
		return
	}
	ctx, stop := context.WithCancel(session.Context())
	defer stop()
	c, err := s.register(session.PublicKey(), stop)
	if err != nil {
		refuse(err.Error())
		return
	}
	defer s.unregister(c)
	log := s.options.Log.With().Str("user", c.user.Name).Str("key", c.key).Stringer("address", session.RemoteAddr()).Logger()
	log.Info().Msg("chat began")
	began := time.Now()
	code, sent, err := s.runChat(ctx, session, c.user, request, sizes)
	log.Info().Dur("duration", time.Since(began)).Int64("bytes", sent).Int("code", code).Err(err).Msg("chat ended")
	if err != nil {
		refuse("cannot start the chat; see the server's log for the reason")
	}
}

// runChat runs a chat until it ends, the client leaves, or ctx ends. It ends the session unless it
// could not start the chat.
func (s *Server) runChat(ctx context.Context, session ssh.Session, user User, request ssh.Pty, sizes <-chan ssh.Window) (code int, sent int64, err error) {
	chat, err := s.options.Start(user, request.Term, session.Environ(), request.Window)
	if err != nil {
		return 1, 0, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := time.NewTimer(idleTimeout)
	defer idle.Stop()
	var group crash.WaitGroup
	done := make(chan struct{})
	group.Go(func() { // the client's keys
		_, _ = copyActive(chat, session, idle)
	})
	group.Go(func() {
		for {
			select {
			case <-done:
				return
			case size, ok := <-sizes:
				if !ok {
					return
				}
				chat.Resize(size)
			}
		}
	})
	group.Go(func() { // ends the chat with its connection, or if nobody uses it
		select {
		case <-done:
			return
		case <-ctx.Done():
		case <-idle.C:
			cancel(errIdle)
		}
		chat.HangUp()
		select {
		case <-done:
		case <-time.After(endGrace):
			chat.Kill()
		}
	})
	group.Go(func() { keepAlive(session, done) })
	sent, err = copyActive(stallGuard{session}, chat, idle)
	if err != nil {
		cancel(err) // the client is gone
	}
	_ = chat.Close()
	code, err = chat.Wait()
	close(done)
	if errors.Is(context.Cause(ctx), errIdle) {
		fmt.Fprintf(session.Stderr(), "nfa: %s\r\n", errIdle)
	}
	_ = session.Exit(code) // also ends the copy of the keys
	group.Wait()
	return code, sent, err
}

// errIdle ends a chat that nobody uses.
var errIdle = errors.New("closed after 30 minutes without input or output; to continue, use /sessions")

// copyActive copies until reading or writing ends, and restarts idle after each part. It returns the error
// of writing.
func copyActive(to io.Writer, from io.Reader, idle *time.Timer) (n int64, err error) {
	buffer := make([]byte, 32<<10)
	for {
		read, readErr := from.Read(buffer)
		if read > 0 {
			idle.Reset(idleTimeout)
			if _, err := to.Write(buffer[:read]); err != nil {
				return n, err
			}
			n += int64(read)
		}
		if readErr != nil {
			return n, nil // EIO when a chat has ended
		}
	}
}

// stallGuard disconnects a client that accepts no output for a minute.
type stallGuard struct{ ssh.Session }

func (g stallGuard) Write(p []byte) (int, error) {
	stalled := closeAfter(stallTimeout, g.Session)
	defer stalled.Stop()
	return g.Session.Write(p)
}

func closeAfter(d time.Duration, c io.Closer) *time.Timer {
	return time.AfterFunc(d, func() {
		var crashed error
		defer crash.Catch(&crashed)
		_ = c.Close()
	})
}

// keepAlive closes a connection whose client does not answer.
func keepAlive(session ssh.Session, done <-chan struct{}) {
	conn, ok := session.Context().Value(ssh.ContextKeyConn).(gossh.Conn)
	if !ok {
		return
	}
	tick := time.NewTicker(keepAliveEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			late := closeAfter(keepAliveMisses*keepAliveEvery, conn)
			_, _, err := conn.SendRequest("keepalive@openssh.com", true, nil)
			late.Stop()
			if err != nil {
				return
			}
		}
	}
}

var (
	terminalName = lazyregexp.New(`^[a-z0-9.+-]{1,32}$`)
	localeName   = lazyregexp.New(`^(LANG|COLORTERM)=([A-Za-z0-9._@-]{1,32})$`)
)

// environment returns the environment of a chat. It passes on only two of the client's variables.
func environment(u User, term string, sent []string) []string {
	if !terminalName().MatchString(term) {
		term = "xterm-256color"
	}
	env := []string{
		servedVariable + "=" + served, "TERM=" + term, "HOME=" + u.Home, "NFA_HOME=" + filepath.Join(u.Home, ".nfa"), "TMPDIR=" + filepath.Join(u.Home, ".nfa"),
		"GOGC=20", // saves memory: many chats may run, and each mostly waits
	}
	language := "LANG=C.UTF-8"
	for _, variable := range sent {
		switch m := localeName().FindStringSubmatch(variable); {
		case m == nil:
		case m[1] == "LANG":
			language = variable
		default:
			env = append(env, variable)
		}
	}
	env = append(env, language)
	for name, value := range u.Variables {
		env = append(env, name+"="+value)
	}
	return env
}

// program is a chat in its own process and terminal.
type program struct {
	*os.File // the terminal
	cmd      *exec.Cmd
}

func startProgram(path string, args []string, u User, environ []string, size ssh.Window) (Chat, error) {
	if err := os.MkdirAll(u.Home, 0o700); err != nil {
		return nil, err
	}
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = u.Home, environ
	terminal, err := pty.StartWithSize(cmd, terminalSize(size))
	if err != nil {
		return nil, err
	}
	limit(cmd.Process.Pid)
	return program{terminal, cmd}, nil
}

// Resize does nothing if the terminal has been closed.
func (p program) Resize(w ssh.Window) {
	raw, err := p.SyscallConn()
	if err != nil {
		return
	}
	size := terminalSize(w)
	_ = raw.Control(func(fd uintptr) {
		_ = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: size.Rows, Col: size.Cols})
	})
}

// HangUp sends what the kernel sends when a terminal closes. Closing it is not enough, because a pending
// read keeps it open.
func (p program) HangUp() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGHUP) }

func (p program) Kill() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

func (p program) Wait() (code int, err error) {
	err = p.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}

func terminalSize(w ssh.Window) *pty.Winsize {
	return &pty.Winsize{Cols: uint16(min(max(w.Width, 20), 500)), Rows: uint16(min(max(w.Height, 5), 200))}
}

// limit limits the memory of a chat and lowers its priority. If that fails, the chat runs without
// limits.
func limit(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: childMemory, Max: childMemory}, nil)
	_ = unix.Setpriority(unix.PRIO_PROCESS, pid, childNice)
}

// Unit returns a systemd unit that runs the server under a separate account.
func Unit(program, listen, users string) string {
	return "[Unit]\nDescription=nfa over SSH\nAfter=network.target\n\n[Service]\n" +
		"ExecStart=" + program + " serve ssh --listen " + listen + " --users " + strconv.Quote(users) + "\n" +
		"ExecReload=/bin/kill -HUP $MAINPID\nUser=nfa\nRestart=on-failure\nNoNewPrivileges=true\nProtectSystem=full\nPrivateTmp=true\n\n" +
		"[Install]\nWantedBy=multi-user.target\n"
}
