package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
)

// ChatServer is an OpenAI-compatible server for a chat with a person or a script. The question
// determines the answer, so the order of requests does not matter. It understands
//
//	say 300 words         streams word1 to word300, twenty to a paragraph
//	call NAME {"a":1}     calls that tool, then reports the result
//	stay silent           starts and never continues
//
// and answers any other message with its number of lines and bytes.
type ChatServer struct {
	// Rate is the maximum number of words per second; 0 means no limit.
	Rate int
}

// sayWords and callTool match the end of a message, after any other text.
var (
	sayWords = regexp.MustCompile(`(?s)say (\d{1,6}) words\s*$`)
	callTool = regexp.MustCompile(`(?s)call ([a-z_]{1,64}) (\{.*\})\s*$`)
)

// paragraph is the number of words in a paragraph.
const paragraph = 20

// ServeHTTP answers /v1/models and /v1/chat/completions.
func (t ChatServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/props" {
		writeProps(w)
		return
	}
	switch r.URL.Path {
	case "/v1/models":
		Page(http.StatusOK, "application/json", mustJSON(object{"object": "list", "data": []object{{"id": "talker", "object": "model"}}}))(w, r)
	case "/v1/chat/completions":
		t.answer(w, r)
	default:
		http.NotFound(w, r)
	}
}

// chatRequest is the part of a request that ChatServer reads.
type chatRequest struct {
	Messages []struct {
		Role    string `json:"role"`
		Content any    `json:"content"`
	} `json:"messages"`
}

const maxRequestBytes = 16 << 20

func (t ChatServer) answer(w http.ResponseWriter, r *http.Request) {
	var req chatRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequestBytes)).Decode(&req); err != nil || len(req.Messages) == 0 {
		Status(http.StatusBadRequest, "no messages")(w, r)
		return
	}
	last := req.Messages[len(req.Messages)-1]
	text, _ := last.Content.(string)
	if last.Role == "tool" {
		Answer(Say("The tool said: "+truncate(text)))(w, r)
		return
	}
	t.reply(text)(w, r)
}

func (t ChatServer) reply(text string) Reply {
	if m := sayWords.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		return t.stream(n)
	}
	if m := callTool.FindStringSubmatch(text); m != nil {
		return Answer(Turn{
			Text:  []string{"This needs " + m[1] + "."},
			Calls: []llm.ToolCall{{ID: fmt.Sprintf("call_%d", time.Now().UnixNano()), Name: m[1], Arguments: m[2]}},
		})
	}
	if strings.HasSuffix(strings.TrimSpace(text), "stay silent") {
		return Silence(Say("Thinking of nothing"), 2)
	}
	return Answer(Say(fmt.Sprintf("You sent %d lines, %d bytes: %s", 1+strings.Count(text, "\n"), len(text), truncate(text))))
}

// stream sends n words at the rate, one event each.
func (t ChatServer) stream(n int) Reply {
	return func(w http.ResponseWriter, r *http.Request) {
		startStream(w)
		send(w, sse(delta(object{"role": "assistant", "content": ""})))
		begun := time.Now()
		for i := 1; i <= n; i++ {
			if t.Rate > 0 {
				select {
				case <-time.After(time.Until(begun.Add(time.Duration(i) * time.Second / time.Duration(t.Rate)))):
				case <-r.Context().Done():
				}
			}
			if r.Context().Err() != nil {
				return
			}
			end := " "
			if i%paragraph == 0 {
				end = "\n\n"
			}
			send(w, sse(delta(object{"content": fmt.Sprintf("word%d%s", i, end)})))
		}
		send(w, sse(append(closingEvents(Turn{Usage: llm.Usage{InputTokens: 1, OutputTokens: n}}), "[DONE]")...))
	}
}

// truncate returns the beginning of a text, on one line.
func truncate(text string) string {
	line := strings.Join(strings.Fields(text), " ")
	const most = 160
	if letters := []rune(line); len(letters) > most {
		return string(letters[:most]) + " ..."
	}
	return line
}
