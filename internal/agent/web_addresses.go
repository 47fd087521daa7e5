package agent

import (
	"cmp"
	"strings"
	"sync"
	"unicode"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// webAddresses are the web addresses that the model did not make up: those in the user's messages
// and those in the results of tools. Text from a web page may instruct the model to send what it
// knows in an address; an address that was there before, letter by letter, carries nothing away. It
// is safe for concurrent use, because steps may finish while calls begin.
type webAddresses struct {
	mu sync.Mutex
	// tainted is set once the model has read anything but what the user typed.
	tainted   bool
	unscanned []unscannedResult // results that nobody has needed the addresses of yet
	seen      map[string]bool
	known     strings.Builder
}

type unscannedResult struct{ arguments, result string }

// addUserText takes in what the user typed, and what was sent for it: the text of a skill
// that they chose, the files that they attached. Neither is in their own words; and
// more than one line was hardly typed: it was pasted, or piped in.
func (n *webAddresses) addUserText(typed, sent string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tainted = n.tainted || sent != typed || strings.Contains(strings.TrimSpace(typed), "\n")
	n.add(unescape(typed))
	n.add(unescape(strings.ToLower(typed))) // people write Example.com, models do not
	n.add(unescape(sent))
}

var (
	addressPattern = lazyregexp.New(`(?i)https?://[^\s<>"|]+`)
	// unescaper are those of JSON and Markdown.
	unescaper = strings.NewReplacer(`\\`, "", `\n`, " ", `\t`, " ", `\r`, " ", `\"`, `"`,
		`\u0026`, "&", `\u003c`, "<", `\u003e`, ">", "&amp;", "&", `\`, "")
)

// unescape is text without escapes, so that an address stands in it as it is asked
// for.
func unescape(text string) string { return unescaper.Replace(text) }

// addResult takes in what a call gave the model to read. What failed names no
// address.
func (n *webAddresses) addResult(arguments string, result llm.Message) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tainted = true
	if !result.IsError {
		n.unscanned = append(n.unscanned, unscannedResult{arguments, result.Content})
	}
}

// scanResults looks through the results that came since the last time. One that may only
// repeat an address that the model has put between its words names none.
func (n *webAddresses) scanResults() {
	for _, u := range n.unscanned {
		if embedsAddress(u.arguments) {
			continue
		}
		for _, address := range addressPattern().FindAllString(unescape(u.result), -1) {
			n.add(address)
		}
		// They were named before, or allowed by whoever was asked.
		addresses, _ := tool.Addresses(u.arguments)
		for _, address := range addresses {
			n.add(address)
		}
	}
	n.unscanned = nil
}

// add keeps a text between line breaks, once.
func (n *webAddresses) add(text string) {
	if n.seen == nil {
		n.seen = map[string]bool{}
	}
	if text == "" || n.seen[text] {
		return
	}
	n.seen[text] = true
	n.known.WriteString("\n" + text + "\n")
}

// embedsAddress reports whether an address stands in the middle of a text of a call's
// arguments.
func embedsAddress(arguments string) bool {
	addresses, texts := tool.Addresses(arguments)
	whole := map[string]bool{}
	for _, address := range addresses {
		whole[address] = true
	}
	for _, text := range texts {
		if !whole[strings.TrimSpace(text)] && strings.Contains(unescape(text), "://") {
			return true
		}
	}
	return false
}

func (n *webAddresses) taint() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tainted = true
}

// contains reports whether address may be asked for without asking the user.
func (n *webAddresses) contains(address string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.tainted {
		return true
	}
	address, _, _ = strings.Cut(strings.TrimSpace(address), "#") // which no server sees
	address = strings.TrimSuffix(address, "/")
	_, bare, ok := strings.Cut(address, "://")
	if !ok || bare == "" || strings.ContainsFunc(bare, unicode.IsSpace) {
		return false
	}
	n.scanResults()
	// People leave out what every browser adds.
	bare, known := strings.TrimPrefix(bare, "www."), n.known.String()
	return bare != "" && (containsAddress(known, bare) || containsAddress(known, "www."+bare))
}

// containsAddress looks for an address in text, which begins and ends with a line break, and
// not for a part of a longer word.
func containsAddress(text, address string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], address)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(address)
		if !strings.ContainsAny(text[begin-1:begin], addressChars+".") && !strings.ContainsAny(text[end:end+1], addressChars) {
			return true
		}
		at = begin + 1
	}
}

// addressChars are characters after which an address surely goes on.
const addressChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_%=&+~@"

// restore takes in an entry of a session on record: what the user said, or what a
// call with these arguments gave. A record may have come in as a file, so that nothing
// in it is surely what the user typed.
func (n *webAddresses) restore(e session.Entry, d Display, arguments string) {
	n.taint()
	switch e.Kind {
	case session.KindUser:
		n.addUserText(cmp.Or(d.Text, e.Message.Content), e.Message.Content)
	case session.KindTool:
		n.addResult(arguments, e.Message)
	}
}
