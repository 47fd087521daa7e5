package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	gossh "golang.org/x/crypto/ssh"
)

// TestServeSSH_ThePageCanBeFollowed sets up the chat over SSH as docs/ssh.md says, with its users file and
// its commands, and connects with OpenSSH. On SIGTERM the server ends, and the session is saved.
func TestServeSSH_ThePageCanBeFollowed(t *testing.T) {
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("no ssh client: apt-get install openssh-client")
	}
	nfa, err := exec.LookPath("nfa") // this binary, put there by testscript
	if err != nil {
		t.Fatal(err)
	}
	text, dir := page(t, "docs/ssh.md"), t.TempDir()
	block := regexp.MustCompile("(?s)```yaml\n(users:.*?)```").FindStringSubmatch(text)
	serve, connect := "nfa serve ssh --listen :2222", "ssh -p 2222 server.example.org"
	if block == nil || !strings.Contains(text, serve) || !strings.Contains(text, connect) {
		t.Fatalf("docs/ssh.md does not show a users file, %q and %q", serve, connect)
	}
	// Anna has a key; nobody has Ben's private key.
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(dir, "id_ed25519")
	armored, err := gossh.MarshalPrivateKey(private, "anna@laptop")
	if err != nil {
		t.Fatal(err)
	}
	write(t, key, pem.EncodeToMemory(armored))
	other, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	users := strings.ReplaceAll(block[1], "/srv/nfa", dir)
	for _, of := range []ed25519.PublicKey{public, other} {
		sshKey, err := gossh.NewPublicKey(of)
		if err != nil {
			t.Fatal(err)
		}
		users = strings.Replace(users, "ssh-ed25519 AAAAC3Nza...", strings.TrimSpace(string(gossh.MarshalAuthorizedKey(sshKey))), 1)
	}
	server, anna := filepath.Join(dir, "server"), filepath.Join(dir, "anna")
	for path, content := range map[string]string{filepath.Join(server, ".nfa", "ssh", "users.yaml"): users, filepath.Join(anna, ".nfa", "config.yaml"): "offline: true\n"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, []byte(content))
	}

	daemon := exec.Command(nfa, strings.Fields(strings.Replace(serve, ":2222", "127.0.0.1:0", 1))[1:]...)
	daemon.Env = []string{"HOME=" + server, "PATH=" + os.Getenv("PATH")}
	notices, err := daemon.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = daemon.Process.Kill() }()
	first, err := bufio.NewReader(notices).ReadString('\n')
	listening := regexp.MustCompile(`listening on 127\.0\.0\.1:(\d+); host key (SHA256:\S+)`).FindStringSubmatch(first)
	if listening == nil {
		t.Fatalf("the server says %q, %v", first, err)
	}

	arguments := strings.Fields(strings.NewReplacer("2222", listening[1], "server.example.org", "127.0.0.1").Replace(connect))[1:]
	client := exec.Command(ssh, append([]string{
		"-F", "none", "-i", key, "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "StrictHostKeyChecking=accept-new", "-o", "UserKnownHostsFile=" + filepath.Join(dir, "known_hosts"),
	}, arguments...)...)
	client.Env = []string{"HOME=" + dir, "TERM=xterm", "LANG=C.UTF-8"}
	terminal, err := pty.StartWithSize(client, &pty.Winsize{Rows: 30, Cols: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	var seen strings.Builder
	wait := func(want string) {
		t.Helper()
		part := make([]byte, 4096)
		for !strings.Contains(seen.String(), want) {
			n, err := terminal.Read(part)
			if seen.Write(part[:n]); err != nil {
				t.Fatalf("the chat ended before it showed %q: %v\n%s", want, err, seen.String())
			}
		}
	}
	wait("/ commands")
	if _, err := io.WriteString(terminal, "price of AAPL\r"); err != nil {
		t.Fatal(err)
	}
	wait("137.44")
	if err := daemon.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := daemon.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	_, _ = io.Copy(io.Discard, terminal)
	_ = client.Wait() // its connection was closed
	sessions := exec.Command(nfa, "sessions")
	sessions.Env = []string{"HOME=" + anna}
	if out, err := sessions.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("price of AAPL")) {
		t.Errorf("sessions: %v\n%s", err, out)
	}
}
