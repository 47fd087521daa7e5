package transcript_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// page is a transcript without color, of 78 columns and 30 lines.
type page struct {
	*transcript.Transcript
	t      *testing.T
	styles *widget.Styles
	time   time.Time
}

func newPage(t *testing.T) *page {
	p := &page{t: t, styles: widget.NewStyles(markdown.PlainTheme()), time: time.Date(2020, time.April, 17, 16, 0, 0, 0, time.UTC)}
	p.Transcript = transcript.New(p.styles, func() time.Time { return p.time })
	p.SetSize(78, 30, true)
	return p
}

// text returns the visible lines without trailing spaces.
func (p *page) text() string {
	lines := p.View()
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func (p *page) shows(words ...string) {
	p.t.Helper()
	for _, w := range words {
		if !strings.Contains(p.text(), w) {
			p.t.Fatalf("the transcript does not show %q:\n%s", w, p.text())
		}
	}
}

func (p *page) showsNot(words ...string) {
	p.t.Helper()
	for _, w := range words {
		if strings.Contains(p.text(), w) {
			p.t.Fatalf("the transcript shows %q:\n%s", w, p.text())
		}
	}
}

const sentence = "a sentence of more than forty columns fits on one line of eighty"

func TestTranscript_TextIsLaidOutForTheNewWidth(t *testing.T) {
	p := newPage(t)
	p.AddHistory([]session.Entry{userEntry(sentence), assistantEntry(llm.Message{Content: "So " + sentence})})
	p.SetSize(38, 30, true)
	p.showsNot("> "+sentence, "So "+sentence)
	p.SetSize(78, 30, true)
	p.shows("> "+sentence, "So "+sentence)
}

func TestTranscript_AStreamingAnswerIsLaidOutForTheNewWidth(t *testing.T) {
	p := newPage(t)
	p.SetSize(38, 30, true)
	p.Begin("go").Handle(agent.TextDelta{Text: sentence})
	p.showsNot(sentence)
	p.SetSize(78, 30, true)
	p.shows(sentence)
}

func TestTranscript_AnotherThemeDrawsEverythingAnew(t *testing.T) {
	p := newPage(t)
	p.ShowStartPage(widget.StartPage{Rows: []widget.StartRow{{Text: "Try"}}, State: []widget.StateLine{{Label: "Data", Text: "live", Command: "/setup"}}})
	p.Say(transcript.Warning, "careful")
	turn := p.Begin("go")
	turn.Handle(agent.TextDelta{Text: "an **answer**"})
	p.Home() // the start page
	plain := p.text()
	if strings.Contains(plain, "\x1b") {
		t.Fatalf("the plain theme draws escapes: %q", plain)
	}
	p.styles.SetTheme(markdown.DarkTheme())
	for _, line := range []string{"!", ">", "answer", "/setup"} {
		if !strings.Contains(lineWith(p.View(), line), "\x1b") {
			t.Errorf("the line with %q is still plain: %q", line, p.View())
		}
	}
	p.styles.SetTheme(markdown.PlainTheme())
	if got := p.text(); got != plain {
		t.Errorf("back in the plain theme:\n%s\nwant\n%s", got, plain)
	}
}

func lineWith(lines []string, words string) string {
	for _, line := range lines {
		if strings.Contains(line, words) {
			return line
		}
	}
	return ""
}

func TestTranscript_TheHelpIsReadFromItsFirstLine(t *testing.T) {
	p := newPage(t)
	p.Say(transcript.Info, "before")
	p.Show("first line\n\n" + strings.Repeat("more\n\n", 40) + "last line")
	p.shows("first line")
	p.showsNot("last line")
	if !p.Scrolled() {
		t.Error("the end is not visible, but Scrolled is false")
	}
	p.Page(+1)
	p.Page(+1)
	p.Page(+1)
	p.shows("last line")
	p.Page(-1)
	p.showsNot("last line")
}

func TestTranscript_ClearRemovesTheTextAndKeepsTheSize(t *testing.T) {
	p := newPage(t)
	p.Say(transcript.Info, strings.Repeat("word ", 1000))
	p.Home()
	p.Clear()
	if !p.Empty() || p.Scrolled() || p.text() != "" {
		t.Errorf("after Clear: Empty %t, Scrolled %t, sight %q", p.Empty(), p.Scrolled(), p.text())
	}
	p.Say(transcript.Info, "anew")
	if got, want := p.text(), " ~ anew"; got != want || len(p.View()) != 30 {
		t.Errorf("sight of %d lines, %q; want 30, %q", len(p.View()), got, want)
	}
}
