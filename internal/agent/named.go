package agent

import (
	"cmp"
	"strings"
	"sync"
	"unicode"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/pattern"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
)

// named are the addresses of the web that the model did not make up: those in the
// user's words, and those in the results of tools. A model that has read the words
// of strangers may have been told to put what it knows into an address; one that
// was there before, letter by letter, carries nothing away. It is safe for
// concurrent use, as steps may finish while calls begin.
type named struct {
	mu sync.Mutex
	// exposed is set once the model has read anything but what the user typed.
	exposed bool
	unread  []unread // results that nobody has needed the addresses of yet
	seen    map[string]bool
	words   strings.Builder
}

type unread struct{ arguments, result string }

// byUser takes in what the user typed, and what was sent for it: the text of a skill
// that they chose, the files that they attached. Neither is in their own words; and
// more than one line was hardly typed: it was pasted, or piped in.
func (n *named) byUser(typed, sent string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.exposed = n.exposed || sent != typed || strings.Contains(strings.TrimSpace(typed), "\n")
	n.add(plain(typed))
	n.add(plain(strings.ToLower(typed))) // people write Example.com, models do not
	n.add(plain(sent))
}

var (
	addressPattern = pattern.Lazy(`(?i)https?://[^\s<>"|]+`)
	// escapes are those of JSON and Markdown.
	escapes = strings.NewReplacer(`\\`, "", `\n`, " ", `\t`, " ", `\r`, " ", `\"`, `"`,
		`\u0026`, "&", `\u003c`, "<", `\u003e`, ">", "&amp;", "&", `\`, "")
)

// plain is text without escapes, so that an address stands in it as it is asked
// for.
func plain(text string) string { return escapes.Replace(text) }

// byResult takes in what a call gave the model to read. What failed names no
// address.
func (n *named) byResult(arguments string, result llm.Message) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.exposed = true
	if !result.IsError {
		n.unread = append(n.unread, unread{arguments, result.Content})
	}
}

// read looks through the results that came since the last time. One that may only
// repeat an address that the model has put between its words names none.
func (n *named) read() {
	for _, u := range n.unread {
		if smuggles(u.arguments) {
			continue
		}
		for _, address := range addressPattern().FindAllString(plain(u.result), -1) {
			n.add(address)
		}
		// They were named before, or allowed by whoever was asked.
		addresses, _ := tool.Addresses(u.arguments)
		for _, address := range addresses {
			n.add(address)
		}
	}
	n.unread = nil
}

// add keeps a text between line breaks, once.
func (n *named) add(text string) {
	if n.seen == nil {
		n.seen = map[string]bool{}
	}
	if text == "" || n.seen[text] {
		return
	}
	n.seen[text] = true
	n.words.WriteString("\n" + text + "\n")
}

// smuggles reports whether an address stands in the middle of a text of a call's
// arguments.
func smuggles(arguments string) bool {
	addresses, texts := tool.Addresses(arguments)
	whole := map[string]bool{}
	for _, address := range addresses {
		whole[address] = true
	}
	for _, text := range texts {
		if !whole[strings.TrimSpace(text)] && strings.Contains(plain(text), "://") {
			return true
		}
	}
	return false
}

func (n *named) expose() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.exposed = true
}

// has reports whether address may be asked for without asking the user.
func (n *named) has(address string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.exposed {
		return true
	}
	address, _, _ = strings.Cut(strings.TrimSpace(address), "#") // which no server sees
	address = strings.TrimSuffix(address, "/")
	_, bare, ok := strings.Cut(address, "://")
	if !ok || bare == "" || strings.ContainsFunc(bare, unicode.IsSpace) {
		return false
	}
	n.read()
	// People leave out what every browser adds.
	bare, words := strings.TrimPrefix(bare, "www."), n.words.String()
	return bare != "" && (holds(words, bare) || holds(words, "www."+bare))
}

// holds looks for an address in text, which begins and ends with a line break, and
// not for a part of a longer word.
func holds(text, address string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], address)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(address)
		if !strings.ContainsAny(text[begin-1:begin], inAddress+".") && !strings.ContainsAny(text[end:end+1], inAddress) {
			return true
		}
		at = begin + 1
	}
}

// inAddress are characters after which an address surely goes on.
const inAddress = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_%=&+~@"

// recall takes in an entry of a session on record: what the user said, or what a
// call with these arguments gave. A record may have come in as a file, so that nothing
// in it is surely what the user typed.
func (n *named) recall(e session.Entry, d Display, arguments string) {
	n.expose()
	switch e.Kind {
	case session.KindUser:
		n.byUser(cmp.Or(d.Text, e.Message.Content), e.Message.Content)
	case session.KindTool:
		n.byResult(arguments, e.Message)
	}
}
