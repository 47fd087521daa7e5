package sshserver_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

var program = flag.String("program", "", "measure 30 chats of this nfa")

// Thirty chats of nfa at once need less than 400 MB and, when nobody types, less than 1% of a core. Each
// shows its own portfolio only. It runs with -program, because what it measures depends on the machine.
func TestServe_ThirtyChatsAtOnce(t *testing.T) {
	if *program == "" {
		t.Skip("no -program")
	}
	const people = 30
	keys := map[string]gossh.Signer{}
	for i := range people {
		keys[fmt.Sprintf("user%d", i)] = newSigner(t)
	}
	w := newWorldWith(t, keys, *program, "chat", "--offline")
	terminals := map[string]*terminal{}
	for _, u := range w.users {
		add := exec.Command(*program, "--offline", "portfolio", "add", "buy", "AAPL", "1", "--price", "100", "--currency", "USD", "--date", "2022-01-05", "--account", "canary-of-"+u.Name+"-", "--new-account", "--yes")
		add.Env = []string{"HOME=" + u.Home}
		if out, err := add.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		terminals[u.Name] = w.open(u.Name, keys[u.Name])
	}
	for name, x := range terminals {
		x.wait("/ commands")
		x.ask("/portfolio", "canary-of-"+name+"-")
	}
	for name, x := range terminals {
		screen := x.out.String()
		if strings.Count(screen, "canary-of-") != strings.Count(screen, "canary-of-"+name+"-") {
			t.Errorf("%s sees the portfolio of another", name)
		}
	}
	var chats []string
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		if fields := statFields(path); len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			chats = append(chats, filepath.Dir(path))
		}
	}
	if len(chats) != people {
		t.Fatalf("%d processes, want %d", len(chats), people)
	}
	time.Sleep(10 * time.Second) // after five, a chat gives back the memory of its start

	pss, before := 0, cpuTicks(chats)
	for _, dir := range append(chats, "/proc/self") {
		text, err := os.ReadFile(dir + "/smaps_rollup")
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := bytes.Cut(text, []byte("\nPss:"))
		kb, _ := strconv.Atoi(string(bytes.Fields(rest)[0]))
		pss += kb
	}
	const span = 30 * time.Second
	time.Sleep(span)
	cpu := float64(cpuTicks(chats)-before) / 100 / span.Seconds()
	t.Logf("%d chats and the server: %d MB (PSS), %.2f%% of a core when idle", people, pss>>10, 100*cpu)
	if pss > 400<<10 || cpu > 0.01 {
		t.Error("that is over 400 MB or 1%")
	}
}

// statFields returns the fields of /proc/PID/stat from the state on.
func statFields(path string) []string {
	text, _ := os.ReadFile(path)
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

// cpuTicks returns the CPU time of processes in hundredths of a second.
func cpuTicks(dirs []string) (sum int) {
	for _, dir := range dirs {
		fields := statFields(dir + "/stat")
		for _, i := range []int{11, 12} {
			n, _ := strconv.Atoi(fields[i])
			sum += n
		}
	}
	return sum
}
