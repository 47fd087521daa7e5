package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/cputest"
	"github.com/nfa-cli/nfa/internal/llm"
)

// BenchmarkAssistant answers a question of median length and effort with all tools.
func BenchmarkAssistant(b *testing.B) {
	_, m := openAssistant(b)
	messages := []llm.Message{{Role: llm.RoleUser, Content: "how did the S&P 500 do over the last ten years"}}
	ask(b, m, messages...) // makes the index
	for b.Loop() {
		ask(b, m, messages...)
	}
}

// A hostile message of 2,000 bytes has 40 times the length of an ordinary question. It may cost five
// times as much per byte; a quadratic step would cost 40 times as much. A limit in seconds would
// depend on the machine.
func TestAssistant_AnswersHostileMessagesSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and uses one goroutine")
	}
	_, m := openAssistant(t)
	least := func(message string, enough time.Duration) time.Duration {
		return cputest.Least(t, enough, func() { ask(t, m, llm.Message{Role: llm.RoleUser, Content: message}) })
	}
	const ordinaryMessage = "how did the S&P 500 do over the last ten years"
	ask(t, m, llm.Message{Role: llm.RoleUser, Content: ordinaryMessage}) // makes the index
	ordinary := least(ordinaryMessage, 0)
	most := 200 * ordinary
	messages := slices.Clone(hostileMessages)
	for _, part := range []string{"7 ", "1,", "2018 ", "from 2018 to 2019 ", "5% ", "1m ", "qwertyui ", "Microsft ", "S&P ", "a-", "A", "苹果", "九", "my account ", "$", "will "} {
		messages = append(messages, strings.Repeat(part, 2000/len(part)))
	}
	for _, message := range messages {
		if took := least(message, most); took > most {
			t.Errorf("%.40q, %d bytes: %v, an ordinary question %v", message, len(message), took, ordinary)
		}
	}
}
