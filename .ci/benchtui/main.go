//go:build linux

package main

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/tui/tuitest"
)

func main() {
	binary := flag.String("nfa", "./nfa", "program to measure")
	runs := flag.Int("runs", 5, "runs of each measurement")
	starts := flag.Bool("starts", false, "measure only starts, as JSON for .ci/bench")
	soak := flag.Int("soak", 0, "run this many turns in one chat and print the memory after each tenth")
	flag.Parse()
	path, err := filepath.Abs(*binary)
	switch {
	case err != nil:
	case *starts:
		err = started(path, 4**runs, os.Stdout)
	case *soak > 0:
		err = soaked(path, *soak)
	default:
		err = measure(path, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchtui:", err)
		os.Exit(1)
	}
}

// rate is in words per second; a word is about a token. Published measurements of other programs use it.
const rate = 1000

// prepared returns a bench with a model server and a data folder that is not new.
func prepared(binary string) (b bench, end func(), err error) {
	home, err := os.MkdirTemp("", "benchtui")
	if err != nil {
		return bench{}, nil, err
	}
	if binary, err = installed(binary, home); err != nil {
		os.RemoveAll(home)
		return bench{}, nil, err
	}
	server := httptest.NewServer(llmtest.ChatServer{Rate: rate})
	end = func() {
		server.Close()
		os.RemoveAll(home)
	}
	b = bench{binary: binary, url: server.URL + "/v1", home: home}
	if _, err := b.oneShot(); err != nil {
		end()
		return bench{}, nil, err
	}
	return b, end, nil
}

func measure(binary string, runs int) error {
	b, end, err := prepared(binary)
	if err != nil {
		return err
	}
	defer end()
	for _, m := range []struct {
		name, unit string
		runs       int
		take       func() (float64, error)
	}{
		{"version", "ms", 4 * runs, b.version},
		{"one-shot trivial reply", "ms", runs, b.oneShot},
		{"first frame", "ms", runs, b.firstFrame},
		{"idle memory", "MiB", 1, func() (float64, error) { return b.idleMemory("VmRSS") }},
		{"idle memory, private", "MiB", 1, func() (float64, error) { return b.idleMemory("RssAnon") }},
		{"idle CPU", "% of a core, over 5 s", 1, b.idleCPU},
		{"key to screen, idle", "ms", runs, func() (float64, error) { return b.keyEcho(0) }},
		{"key to screen, streaming", "ms", runs, func() (float64, error) { return b.keyEcho(20_000) }},
		{"5,000 tokens", "s of CPU", 1, func() (float64, error) { cpu, _, err := b.stream(5_000); return cpu, err }},
		{"20,000 tokens", "s of CPU", 1, func() (float64, error) { cpu, _, err := b.stream(20_000); return cpu, err }},
		{"20,000 tokens, memory", "MiB peak", 1, func() (float64, error) { _, mib, err := b.stream(20_000); return mib, err }},
	} {
		var got []float64
		for range m.runs {
			v, err := m.take()
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			got = append(got, v)
		}
		slices.Sort(got)
		fmt.Printf("%-26s %8.2f %s (%.2f to %.2f, %d runs)\n", m.name, got[len(got)/2], m.unit, got[0], got[len(got)-1], len(got))
	}
	return nil
}

// soaked runs a long session and prints memory and CPU time.
func soaked(binary string, turns int) error {
	answered := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		llmtest.ChatServer{}.ServeHTTP(w, r)
		answered <- struct{}{}
	}))
	defer server.Close()
	home, err := os.MkdirTemp("", "benchtui")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	c, err := bench{binary: binary, url: server.URL + "/v1", home: home}.open()
	if err != nil {
		return err
	}
	defer c.close()
	for turn := 1; turn <= turns; turn++ {
		c.forget()
		if err := c.ask(20 + turn%97); err != nil {
			return err
		}
		select {
		case <-answered:
		case <-c.ended:
			return fmt.Errorf("the chat ended in turn %d", turn)
		case <-time.After(30 * time.Second):
			return fmt.Errorf("turn %d sent no request to the server", turn)
		}
		time.Sleep(20 * time.Millisecond) // until it is drawn; an earlier message would be queued
		if turn%max(turns/10, 1) == 0 {
			now, err := c.memory("VmRSS")
			if err != nil {
				return err
			}
			used, err := c.cpu()
			if err != nil {
				return err
			}
			fmt.Printf("turn %5d: %6.1f MiB, %6.2f s of CPU so far\n", turn, now, used)
		}
	}
	return nil
}

type bench struct{ binary, url, home string }

// env returns the environment for a separate data folder.
func (b bench) env(home string) []string {
	return append(os.Environ(), "HOME="+home, "NFA_HOME="+filepath.Join(home, "nfa"), "TERM=xterm-256color", "CI=true",
		"NFA_BASE_URL="+b.url, "NFA_API_KEY=none", "NFA_MODEL=talker", "NFA_DATA=sample")
}

func (b bench) timed(args ...string) (float64, error) {
	took, _, err := b.process(b.binary, args...)
	return millis(took), err
}

func (b bench) version() (float64, error) { return b.timed("version") }
func (b bench) oneShot() (float64, error) { return b.timed("ask", "hi") }

func (b bench) firstFrame() (float64, error) {
	took, _, err := b.frame()
	return millis(took), err
}

// idleMemory returns the memory of an idle chat: VmRSS includes the shared pages of the program file,
// RssAnon does not.
func (b bench) idleMemory(kind string) (float64, error) {
	c, err := b.open()
	if err != nil {
		return 0, err
	}
	defer c.close()
	time.Sleep(2 * time.Second)
	return c.memory(kind)
}

func (b bench) idleCPU() (float64, error) {
	c, err := b.open()
	if err != nil {
		return 0, err
	}
	defer c.close()
	time.Sleep(2 * time.Second)
	const watched = 5
	before, err := c.cpu()
	if err != nil {
		return 0, err
	}
	time.Sleep(watched * time.Second)
	after, err := c.cpu()
	return (after - before) / watched * 100, err
}

// keyEcho returns the median time of twenty keys while an answer with that many words streams.
func (b bench) keyEcho(words int) (float64, error) {
	c, err := b.open()
	if err != nil {
		return 0, err
	}
	defer c.close()
	if words > 0 {
		if err := c.ask(words); err != nil {
			return 0, err
		}
		if err := c.wait("word100", 10*time.Second); err != nil {
			return 0, err
		}
	}
	var took []float64
	for i, r := range []rune("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥ") { // not in the streamed words
		// Vary the interval, otherwise keys would be in step with the frames.
		time.Sleep(time.Duration(41+7*i%29) * time.Millisecond)
		c.forget()
		begun := time.Now()
		if err := c.write(string(r)); err != nil {
			return 0, err
		}
		if err := c.wait(string(r), 5*time.Second); err != nil {
			return 0, err
		}
		took = append(took, millis(time.Since(begun)))
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}

// stream returns the CPU time of an answer with that many words, and the peak memory.
func (b bench) stream(words int) (cpu, mib float64, err error) {
	c, err := b.open()
	if err != nil {
		return 0, 0, err
	}
	defer c.close()
	before, err := c.cpu()
	if err != nil {
		return 0, 0, err
	}
	if err := c.ask(words); err != nil {
		return 0, 0, err
	}
	if err := c.wait(fmt.Sprintf("word%d", words), time.Duration(words/rate+30)*time.Second); err != nil {
		return 0, 0, err
	}
	after, err := c.cpu()
	if err != nil {
		return 0, 0, err
	}
	mib, err = c.memory("VmHWM")
	return after - before, mib, err
}

// chat is a running chat in a pseudo-terminal.
type chat struct {
	cmd     *exec.Cmd
	outside *os.File
	ended   chan struct{}

	mu   sync.Mutex
	seen bytes.Buffer
	news chan struct{}
}

// open starts a chat and waits for its first frame.
func (b bench) open() (*chat, error) {
	outside, inside, err := tuitest.OpenTestPTY(40, 120)
	if err != nil {
		return nil, err
	}
	c := &chat{cmd: exec.Command(b.binary), outside: outside, news: make(chan struct{}, 1), ended: make(chan struct{})}
	c.cmd.Env = b.env(b.home)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = inside, inside, inside
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	inside.Close()
	go c.read()
	if err := c.wait("? help", 10*time.Second); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *chat) read() {
	defer close(c.ended)
	piece := make([]byte, 64<<10)
	for {
		n, err := c.outside.Read(piece)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.seen.Write(piece[:n])
		c.mu.Unlock()
		select {
		case c.news <- struct{}{}:
		default:
		}
	}
}

func (c *chat) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.Reset()
}

// wait waits until text has been drawn since forget.
func (c *chat) wait(text string, timeout time.Duration) error {
	limit := time.After(timeout)
	for {
		c.mu.Lock()
		there := bytes.Contains(c.seen.Bytes(), []byte(text))
		if !there && c.seen.Len() > 1<<20 {
			// Search a long answer only once.
			c.seen.Next(c.seen.Len() - 4096)
		}
		c.mu.Unlock()
		if there {
			return nil
		}
		select {
		case <-c.news:
		case <-c.ended:
			return fmt.Errorf("the chat ended before %q", text)
		case <-limit:
			return fmt.Errorf("no %q within %s", text, timeout)
		}
	}
}

func (c *chat) write(text string) error {
	_, err := c.outside.WriteString(text)
	return err
}

func (c *chat) ask(words int) error { return c.write(fmt.Sprintf("say %d words\r", words)) }

func (c *chat) close() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
	c.outside.Close()
}

// cpu returns the CPU time of the program in seconds.
func (c *chat) cpu() (float64, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The name may contain spaces; the fields follow its bracket.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, err := strconv.ParseFloat(fields[11], 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseFloat(fields[12], 64)
	const ticks = 100 // per second, on every Linux platform
	return (user + system) / ticks, err
}

// memory returns a line of the process status in MiB.
func (c *chat) memory(line string) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), line+":")
	kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return kib / 1024, err
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
