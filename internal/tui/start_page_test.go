package tui_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/tui"
)

// startChat returns a chat on its start page, with one answer. Commands show their name.
func startChat() tui.Config {
	cfg := talk(turnAnswering("Fine."))()
	for _, name := range []string{"setup", "portfolio"} {
		cfg.Commands = append(cfg.Commands, tui.Command{Name: name, Run: tui.TextCommand(func(args string) (string, error) { return "ran " + name + " " + args, nil })})
	}
	return cfg
}

func TestStartPage_DownAndEnterRunARow(t *testing.T) {
	for downs, want := range map[int]string{1: "> " + question, 2: "> Compare Apple and Microsoft over the last 5 years", 3: "ran portfolio import", 4: "ran setup"} {
		onScreen(t, startChat, 100, 30, func(s *screen) {
			for range downs {
				s.press("down")
			}
			if s.model.View().Cursor != nil {
				t.Errorf("row %d is selected, and the composer has the cursor", downs)
			}
			s.press("enter")
			s.wait(200e6)
			s.shows(want)
			s.press("down")
			if s.model.View().Cursor == nil {
				t.Error("after the first message, Down still selects a row")
			}
		})
	}
}

func TestStartPage_TypingAndEscReturnToTheComposer(t *testing.T) {
	onScreen(t, startChat, 100, 30, func(s *screen) {
		s.shows("> Ask a question, or press ↓ to pick one above")
		s.press("down", "down")
		s.shows("› Compare")
		s.press("esc")
		s.showsNot("›")
		s.press("down", "up")
		s.showsNot("›")
		s.press("down")
		s.write("price of")
		s.showsNot("›", "Ask a question")
		s.shows("> price of")
	})
}

func TestStartPage_UpStillRecallsMessages(t *testing.T) {
	onScreen(t, startChat, 100, 30, func(s *screen) {
		s.ask("hello")
		s.ask("/clear")
		s.shows("Ask a question")
		s.press("up", "up")
		s.shows("> hello")
	})
}

func TestStartPage_ScrollsAwayWithTheFirstMessage(t *testing.T) {
	onScreen(t, startChat, 100, 30, func(s *screen) {
		s.ask("hello")
		s.shows("> hello", "Fine.")
		s.showsNot("Connect a model")
		s.press("pgup")
		s.shows("Connect a model", "> hello")
		s.press("end")
		s.showsNot("Connect a model")
	})
}

// startFrames returns the start page in its four states, and with a warning.
func startFrames() []frame {
	page := func(model, data, portfolio tui.StateLine, rows ...string) tui.StartPage {
		p := demoStartPage()
		p.Rows, p.State = nil, []tui.StateLine{model, data, portfolio}
		for _, text := range rows {
			p.Rows = append(p.Rows, tui.StartRow{Text: text})
		}
		return p
	}
	none, sample, empty := demoStartPage().State[0], demoStartPage().State[1], demoStartPage().State[2]
	openai := tui.StateLine{Label: "Model", Text: "openai/gpt-5-mini, key from OPENAI_API_KEY", Command: "/model"}
	live := tui.StateLine{Label: "Data", Text: "live; last price 09:12 from Yahoo Finance", Command: "/setup"}
	held := tui.StateLine{Label: "Portfolio", Text: "3 positions, USD", Command: "/portfolio"}
	withWarning := demoStartPage()
	withWarning.State = append(withWarning.State, tui.StateLine{Text: "2 skill files skipped:", Command: "/skills", Warn: true})
	var out []frame
	for _, row := range []struct {
		name string
		page tui.StartPage
	}{
		{"start-new", demoStartPage()},
		{"start-portfolio", page(none, sample, held, question, "What do I own, and what did it cost?", "Compare Apple and Microsoft over the last 5 years", "Connect a model")},
		{"start-model", page(openai, live, empty, "What changed in the risk factors of Apple's latest 10-K?", "Compare VTI and VXUS over 10 years", "Can I retire at 60?", "Import my portfolio from a broker file")},
		{"start-model-and-portfolio", page(openai, live, held, "How is my portfolio doing?", "What could hurt it most?", "What is new at my companies?", `Continue "price of AAPL" (yesterday)`)},
		{"start-warning", withWarning},
	} {
		cfg := func() tui.Config {
			return tui.Config{StartPage: func() tui.StartPage { return row.page }}
		}
		out = append(out, frame{row.name, cfg, func(s *screen) { s.press("down", "down") }})
	}
	return out
}
