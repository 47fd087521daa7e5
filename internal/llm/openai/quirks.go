package openai

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// quirk is a requirement of one server that others ignore or refuse. It applies to all calls in a
// conversation, including calls of other models or the user.
type quirk struct {
	hosts  string // host names, or suffixes that start with a dot, separated by spaces
	models string // parts of the names of models that need it on any server
	except string // part of the names of models that do not need it

	maxTokens string                // the name of max_tokens
	callID    func() *regexp.Regexp // the form of the IDs of calls
	reasoning bool                  // messages with calls need reasoning_content
	signature bool                  // the first call of a message needs a thought signature
}

var (
	nineLetters = lazyregexp.New(`^[a-zA-Z0-9]{9}$`)
	shortID     = lazyregexp.New(`^[a-zA-Z0-9_-]{1,40}$`)
)

var quirks = []quirk{
	// The chat templates of Mistral's models require the same on any server.
	{hosts: "api.mistral.ai", models: "stral xtral", callID: nineLetters},
	// OpenAI's reasoning models require the newer name, which many other servers do not know.
	{hosts: "api.openai.com", callID: shortID, maxTokens: "max_completion_tokens"},
	{hosts: "api.anthropic.com", callID: shortID},
	{hosts: "api.deepseek.com api.moonshot.ai api.moonshot.cn", reasoning: true},
	{hosts: ".googleapis.com", except: "gemini-2", signature: true},
}

// quirkOf returns the requirements of a server and a model.
func quirkOf(host, model string) quirk {
	model = strings.ToLower(model)
	for _, q := range quirks {
		matches := false
		for _, h := range strings.Fields(q.hosts) {
			matches = matches || host == h || h[0] == '.' && strings.HasSuffix(host, h)
		}
		if matches = matches || hasAny(model, strings.Fields(q.models)...); matches && (q.except == "" || !strings.Contains(model, q.except)) {
			return q
		}
	}
	return quirk{}
}

// acceptedID returns a call's ID as the server accepts it. An ID of another form is replaced by its
// checksum, the same for a call and for its result.
func (q quirk) acceptedID(id string) string {
	if id == "" || q.callID == nil || q.callID().MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])[:9]
}

// reasoningPlaceholder replaces missing reasoning, because some servers treat empty text as missing.
const reasoningPlaceholder = " "

// placeholderSignature is documented by Google for calls that Gemini did not make
// (https://ai.google.dev/gemini-api/docs/thought-signatures).
const placeholderSignature = `{"google":{"thought_signature":"skip_thought_signature_validator"}}`
