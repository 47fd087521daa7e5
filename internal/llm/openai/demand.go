package openai

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"strings"
)

// What some servers demand of the calls in a conversation, also of those that they
// did not make themselves: the user makes calls of their own, and a conversation may
// change providers in its middle. They refuse all of it for one call that is not as
// they would have written it.

// callID is a call's ID as the server takes it. One of another form is replaced by a
// short sum of it, the same for a call and for its result.
func (m *Model) callID(id string) string {
	if id == "" || m.takesID(id) {
		return id
	}
	const length = 9 // all that Mistral takes, and few enough for everybody
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])[:length]
}

func (m *Model) takesID(id string) bool {
	name := strings.ToLower(m.cfg.Model)
	switch {
	// Its models' chat templates demand the same wherever they are served.
	case m.host == "api.mistral.ai", strings.Contains(name, "stral"), strings.Contains(name, "xtral"):
		return len(id) == 9 && madeOf(id, "")
	case m.host == "api.anthropic.com", m.host == "api.openai.com":
		return len(id) <= 40 && madeOf(id, "_-")
	}
	return true
}

// madeOf reports whether s is of ASCII letters, digits and these signs.
func madeOf(s, signs string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(signs, r)
	})
}

// takenName is the name of a call in the form that tools' names have with every server.
// Those of tools that there are have it; what a model has made up may not.
func takenName(name string) string {
	const longest = 64
	name = strings.Map(func(r rune) rune {
		if madeOf(string(r), "_-") {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), longest)]
}

// standIn is given for thoughts that there are none of: an empty text counts as
// missing with some.
const standIn = " "

// withThoughts are the fields of a message with calls, with what stands in for the
// thoughts before them where the server refuses it without.
func (m *Model) withThoughts(fields map[string]json.RawMessage) map[string]json.RawMessage {
	switch m.host {
	case "api.deepseek.com", "api.moonshot.ai", "api.moonshot.cn":
		if _, there := fields["reasoning_content"]; !there {
			return keep(fields, "reasoning_content", quote(standIn))
		}
	}
	return fields
}

// unsigned is what Google's documentation gives for calls that Gemini did not make.
const unsigned = `{"google":{"thought_signature":"skip_thought_signature_validator"}}`

// signed is the extra of a message's first call, marked where Gemini would miss its
// signature on it. Its models before the third ask for none.
func (m *Model) signed(extra, message map[string]json.RawMessage) map[string]json.RawMessage {
	switch {
	case !strings.HasSuffix(m.host, ".googleapis.com"), strings.Contains(m.cfg.Model, "gemini-2"),
		isSaid(extra["extra_content"]), isSaid(extra["thought_signature"]), isSaid(message["extra_content"]), isSaid(message["thought_signature"]):
		return extra
	}
	return keep(maps.Clone(extra), "extra_content", json.RawMessage(unsigned))
}
