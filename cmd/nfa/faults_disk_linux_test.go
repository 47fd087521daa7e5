package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// disk is a small file system with a home on it, and a shell that sees it. It is in memory, in a namespace
// that ends with the shell.
type disk struct {
	t    *testing.T
	in   io.Writer
	says *bufio.Scanner
	path string // its mount point
	own  string // a folder on another disk, for the output
}

// newDisk creates a disk of size KB, or skips the test without the permission to do so.
func newDisk(t *testing.T, size int) *disk {
	t.Helper()
	d := &disk{t: t, path: t.TempDir(), own: t.TempDir()}
	shell := exec.Command("sh")
	shell.Dir = d.own
	shell.Env = append(os.Environ(), "HOME="+filepath.Join(d.path, "user"), "NFA_HOME="+filepath.Join(d.path, "home"),
		"NFA_KEY_STORE=file", "NFA_BASE_URL=", "NFA_API_KEY=", "GORACE=atexit_sleep_ms=0")
	shell.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	in, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Skipf("no disk of one's own can be made here: %v", err)
	}
	t.Cleanup(func() { _, _ = in.Close(), shell.Wait() })
	d.in, d.says = in, bufio.NewScanner(out)
	if code, _, why := d.run("mount -t tmpfs -o size=%dk tmpfs %s", size, d.path); code != 0 {
		t.Skipf("no disk of one's own can be made here: %s", why)
	}
	return d
}

// run runs a line in the shell, without input.
func (d *disk) run(format string, args ...any) (code int, out, errOut string) {
	d.t.Helper()
	line := fmt.Sprintf(format, args...)
	if _, err := fmt.Fprintf(d.in, "( %s ) >out 2>err </dev/null; echo $?\n", line); err != nil {
		d.t.Fatal(err)
	}
	if !d.says.Scan() {
		d.t.Fatalf("the shell ended at %q", line)
	}
	code, err := strconv.Atoi(d.says.Text())
	if err != nil {
		d.t.Fatal(err)
	}
	return code, d.read("out"), d.read("err")
}

func (d *disk) read(name string) string {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.own, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// mustRun runs a command that must succeed.
func (d *disk) mustRun(line string, args ...any) string {
	d.t.Helper()
	code, out, errOut := d.run(line, args...)
	if code != exitOK {
		d.t.Fatalf("%s = %d: %s", fmt.Sprintf(line, args...), code, errOut)
	}
	return out
}

// fill fills the disk except for leave KB.
func (d *disk) fill(leave int) {
	d.t.Helper()
	d.run("dd if=/dev/zero of=%s/fill bs=1024", d.path)
	if leave > 0 {
		d.mustRun("truncate -s -%dK %s/fill", leave, d.path)
	}
}

func (d *disk) empty() { d.t.Helper(); d.mustRun("rm %s/fill", d.path) }

// createPortfolio writes a conversation, a portfolio and a watchlist.
func (d *disk) createPortfolio() {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.own, "schwab.csv"), []byte(statementOfOne), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.mustRun("nfa ask 'price of AAPL'")
	d.mustRun("nfa portfolio import schwab.csv --yes")
	d.mustRun("nfa watchlist add AAPL --yes")
}

// step is a command line and its expected outcome on a bad disk.
type step struct {
	line string
	code int
	says string // of both streams together
}

func (d *disk) checkSteps(all []step) {
	d.t.Helper()
	for _, want := range all {
		code, out, errOut := d.run("%s", want.line)
		if code != want.code || !strings.Contains(out+errOut, want.says) {
			d.t.Errorf("%s = %d, %.300q, %.300q; want %d and %q", want.line, code, out, errOut, want.code, want.says)
		}
		if strings.Contains(errOut, "panic") || strings.Contains(errOut, "goroutine") {
			d.t.Errorf("%s crashed: %s", want.line, errOut)
		}
	}
}

const deposit = "nfa portfolio add deposit --amount 5 --currency USD --date 2022-01-03 --account schwab --yes"

func TestDisk_OnAFullOneTheBookIsReadAndNothingIsLost(t *testing.T) {
	t.Parallel()
	d := newDisk(t, 2048)
	d.createPortfolio()
	entries := d.mustRun("nfa portfolio list")
	d.fill(0)
	d.checkSteps([]step{
		{"nfa portfolio list", exitOK, "AAPL"},
		{"nfa watchlist", exitOK, "AAPL"},
		{"nfa quote AAPL", exitOK, "137.44"},
		{"nfa tools call calculate --args '{\"expression\":\"2^10\"}'", exitOK, "1,024"},
		{deposit, exitFailure, "not enough disk space for " + d.path + "/home/book.db; free some"},
		{"nfa watchlist add MSFT --yes", exitFailure, "not enough disk space for " + d.path + "/home/book.db; free some"},
		{"nfa ask 'price of AAPL'", exitFailure, "not enough disk space for " + d.path + "/home/nfa.db; free some"},
		{"nfa ask --continue 'price of AAPL'", exitFailure, "not enough disk space"},
		{"nfa --plain", exitFailure, "not enough disk space"},
		{"nfa sessions list", exitFailure, "not enough disk space"},
		{"nfa config set model openai/x", exitFailure, "no space left on device"},
		{"nfa skills disable get-price", exitFailure, "no space left on device"},
		{"nfa doctor", exitFailure, "! sessions"},
	})
	d.empty()
	if got := d.mustRun("nfa portfolio list"); got != entries {
		t.Errorf("the ledger is %s\nwant as before\n%s", got, entries)
	}
	d.checkSteps([]step{
		{"nfa ask --continue 'price of AAPL'", exitOK, "137.44"},
		{"nfa sessions list", exitOK, "  2  "},
		{deposit, exitOK, ""},
		{"nfa portfolio list", exitOK, "2022-01-03"},
		{"nfa doctor", exitOK, "+ portfolio"},
	})
}

// TestDisk_OneThatFillsInAConversationKeepsWhatWasShown checks that the program does not show an
// answer that it cannot save.
func TestDisk_OneThatFillsInAConversationKeepsWhatWasShown(t *testing.T) {
	t.Parallel()
	d := newDisk(t, 1024)
	d.createPortfolio()
	d.fill(240)
	const ask = "nfa ask --continue --output json 'How has the S&P 500 done since 2008, and how bad did it get?'"
	var answer struct {
		Session string
		Error   struct{ Code, Message string }
	}
	answered := 0
	for ; ; answered++ {
		code, out, _ := d.run("%s", ask)
		if err := json.Unmarshal([]byte(out), &answer); err != nil || answered > 100 {
			t.Fatalf("after %d answers: %v", answered, err)
		}
		if code == exitOK {
			continue
		}
		if e := answer.Error; code != exitFailure || e.Code != "storage_error" || !strings.Contains(e.Message, "not enough disk space") {
			t.Fatalf("ask on a disk that is full = %d, %+v; want 1, the code and what is wrong", code, e)
		}
		break
	}
	d.empty()
	shown := d.mustRun("nfa sessions show %s", answer.Session)
	if got := strings.Count(shown, "| +95.8% |"); got < answered || answered == 0 {
		t.Errorf("%d of %d answers are kept", got, answered)
	}
	d.checkSteps([]step{{ask, exitOK, `"stop_reason": "answered"`}, {"nfa doctor", exitOK, "+ sessions"}})
}

func TestDisk_AHomeOfWhichNothingMayBeWrittenIsRead(t *testing.T) {
	t.Parallel()
	d := newDisk(t, 2048)
	d.createPortfolio()
	entries := d.mustRun("nfa portfolio list")
	var answer struct{ Session string }
	if err := json.Unmarshal([]byte(d.mustRun("nfa ask --output json 'price of AAPL'")), &answer); err != nil {
		t.Fatal(err)
	}
	session := answer.Session
	d.mustRun("mount -o remount,ro %s", d.path)
	d.checkSteps([]step{
		{"nfa watchlist", exitOK, "AAPL"},
		{"nfa quote AAPL", exitOK, "137.44"},
		{"nfa skills list", exitOK, "get-price"},
		{"nfa sessions list", exitOK, "price of AAPL"},
		{"nfa sessions show " + session, exitOK, "137.44"},
		{deposit, exitFailure, "is read-only and was not changed: make " + d.path + "/home/book.db and its folder writable"},
		{"nfa ask 'price of AAPL'", exitFailure, "choose another data folder with --home or NFA_HOME"},
		{"nfa config set model openai/x", exitFailure, d.path + "/home/config.yaml was not changed: make it and its folder writable"},
		{"nfa skills disable get-price", exitFailure, "writable"},
		{"nfa doctor", exitFailure, "cannot write to " + d.path + "/home"},
		{"nfa --home " + d.own + "/other ask 'price of AAPL'", exitOK, "137.44"},
	})
	if got := d.mustRun("nfa portfolio list"); got != entries {
		t.Errorf("the ledger is %s\nwant as before\n%s", got, entries)
	}
	d.mustRun("mount -o remount,rw %s", d.path)
	d.checkSteps([]step{{"nfa ask --continue 'price of AAPL'", exitOK, "137.44"}, {deposit, exitOK, ""}})
}
