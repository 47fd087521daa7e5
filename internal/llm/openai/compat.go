package openai

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"strings"
)

// Some servers make demands on all calls in a conversation, also on those that they did not make
// themselves: the user makes calls too, and a conversation may change providers. They refuse the
// whole request for one call in another form.

// callID is a call's ID as the server takes it. One of another form is replaced by a
// short sum of it, the same for a call and for its result.
func (m *Model) callID(id string) string {
	if id == "" || m.acceptsID(id) {
		return id
	}
	const length = 9 // all that Mistral takes, and few enough for everybody
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])[:length]
}

func (m *Model) acceptsID(id string) bool {
	name := strings.ToLower(m.cfg.Model)
	switch {
	// Its models' chat templates demand the same wherever they are served.
	case m.host == "api.mistral.ai", strings.Contains(name, "stral"), strings.Contains(name, "xtral"):
		return len(id) == 9 && consistsOf(id, "")
	case m.host == "api.anthropic.com", m.host == "api.openai.com":
		return len(id) <= 40 && consistsOf(id, "_-")
	}
	return true
}

// consistsOf reports whether s is of ASCII letters, digits and these signs.
func consistsOf(s, signs string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(signs, r)
	})
}

// acceptedName is the name of a call in the form that tools' names have with every server.
// Those of tools that there are have it; what a model has made up may not.
func acceptedName(name string) string {
	const longest = 64
	name = strings.Map(func(r rune) rune {
		if consistsOf(string(r), "_-") {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), longest)]
}

// reasoningPlaceholder is given for thoughts that there are none of: an empty text counts as
// missing with some.
const reasoningPlaceholder = " "

// withReasoning are the fields of a message with calls, with what stands in for the
// thoughts before them where the server refuses it without.
func (m *Model) withReasoning(fields map[string]json.RawMessage) map[string]json.RawMessage {
	switch m.host {
	case "api.deepseek.com", "api.moonshot.ai", "api.moonshot.cn":
		if _, ok := fields["reasoning_content"]; !ok {
			return keep(fields, "reasoning_content", quote(reasoningPlaceholder))
		}
	}
	return fields
}

// placeholderSignature is what Google's documentation gives for calls that Gemini did not make.
const placeholderSignature = `{"google":{"thought_signature":"skip_thought_signature_validator"}}`

// withSignature is the extra of a message's first call, marked where Gemini would miss its
// signature on it. Its models before the third ask for none.
func (m *Model) withSignature(extra, message map[string]json.RawMessage) map[string]json.RawMessage {
	switch {
	case !strings.HasSuffix(m.host, ".googleapis.com"), strings.Contains(m.cfg.Model, "gemini-2"),
		isPresent(extra["extra_content"]), isPresent(extra["thought_signature"]), isPresent(message["extra_content"]), isPresent(message["thought_signature"]):
		return extra
	}
	return keep(maps.Clone(extra), "extra_content", json.RawMessage(placeholderSignature))
}
