package tui_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui"
)

// withCommands returns a chat with these commands. Its conversation is stored in c.
func withCommands(c *tui.Conversation, commands ...tui.Command) func() tui.Config {
	return func() tui.Config {
		*c = &scripted{id: "s1", turns: []turnFunc{turnAnswering("one"), turnAnswering("two"), turnAnswering("three")}}
		return tui.Config{Conversation: *c, Commands: commands}
	}
}

func skillNamed(name, hint string) tui.Command {
	return tui.Command{Name: name, Hint: hint, Kind: tui.KindSkill, About: "a skill", Prepare: func(args string) (agent.Input, error) {
		return agent.Input{ForModel: "skill " + name + " with " + args, Skill: name}, nil
	}}
}

func TestCommand_ASkillBecomesATurn(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c, skillNamed("get-price", "<symbol>")), 80, 24, func(s *screen) {
		s.ask("/get-price AAPL in USD")
		want := []agent.Input{{Text: "/get-price AAPL in USD", ForModel: "skill get-price with AAPL in USD", Skill: "get-price"}}
		if diff := cmp.Diff(want, c.(*scripted).got); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
		s.shows("> /get-price AAPL in USD", "one")
	})
}

func TestCommand_ASkillThatCannotStartReturnsTheText(t *testing.T) {
	var c tui.Conversation
	broken := tui.Command{Name: "get-price", Kind: tui.KindSkill, Prepare: func(string) (agent.Input, error) {
		return agent.Input{}, errors.New("get-price needs a symbol")
	}}
	onScreen(t, withCommands(&c, broken), 80, 24, func(s *screen) {
		s.ask("/get-price now")
		s.shows("✗ get-price needs a symbol", " > /get-price now\n")
		if got := inputs(c); len(got) != 0 {
			t.Fatalf("sent %q, want nothing", got)
		}
	})
}

func TestCommand_ShowsAndSendsNothing(t *testing.T) {
	var c tui.Conversation
	show := tui.Command{Name: "skills", Run: tui.TextCommand(func(args string) (string, error) { return "listed: " + args, nil })}
	fail := tui.Command{Name: "model", Run: tui.TextCommand(func(string) (string, error) { return "", errors.New("no model is configured") })}
	onScreen(t, withCommands(&c, show, fail), 80, 24, func(s *screen) {
		s.ask("/skills all")
		s.shows("listed: all")
		s.ask("/model")
		s.shows("✗ no model is configured")
		if got := inputs(c); len(got) != 0 {
			t.Fatalf("sent %q, want nothing", got)
		}
	})
}

func TestCommand_ItsOutputIsVisible(t *testing.T) {
	onScreen(t, func() tui.Config {
		cfg := long(50)()
		cfg.Commands = []tui.Command{{Name: "model", Run: tui.TextCommand(func(string) (string, error) { return "", errors.New("no model is configured") })}}
		return cfg
	}, 80, 24, func(s *screen) {
		s.press("pgup", "pgup")
		s.ask("/model")
		s.shows("✗ no model is configured")
	})
}

// Chat, section 5: an unknown name sends nothing and calls no tool, even after a skill ran. The text remains,
// Tab accepts the suggestion, Esc dismisses the notice.
func TestCommand_AnUnknownNameSendsNothing(t *testing.T) {
	var c tui.Conversation
	var args []string
	ratios := tui.Command{Name: "ratios", Hint: "symbol", Run: taskCommand(func(_ context.Context, symbol string) (string, error) {
		args = append(args, symbol)
		return "P/E 31", nil
	})}
	onScreen(t, withCommands(&c, ratios, skillNamed("plan", "")), 80, 24, func(s *screen) {
		s.ask("/plan it")
		s.ask("/foo")
		s.shows("! No command or skill /foo. Nothing was sent.   Esc dismisses", "> /foo\n")
		s.press("esc")
		s.showsNot("! No command")
		s.press("ctrl+u")
		s.ask("/ratio AAPL")
		s.shows("! No command or skill /ratio. Did you mean /ratios AAPL?\n", "Tab accepts · Esc dismisses", "> /ratio AAPL\n")
		s.press("tab")
		s.showsNot("! No command")
		s.shows("> /ratios AAPL\n")
		s.press("enter")
		s.wait(100 * time.Millisecond)
		s.shows("> /ratios AAPL\n", "P/E 31")
		if diff := cmp.Diff([]string{"/plan it"}, inputs(c)); diff != "" || !cmp.Equal(args, []string{"AAPL"}) {
			t.Fatalf("ran with %q; sent (-want +got):\n%s", args, diff)
		}
	})
}

func TestCommand_APathAndALeadingSpaceAreText(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c), 80, 24, func(s *screen) {
		s.ask("/etc/hosts what is in it?")
		s.ask(" /nonsense")
		s.ask(" /quit")
		if diff := cmp.Diff([]string{"/etc/hosts what is in it?", "/nonsense", "/quit"}, inputs(c)); diff != "" || s.quit {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestK20_ASkillNamedLikeACommandIsReachedByItsPrefix(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c, skillNamed("help", ""), skillNamed("plan", "")), 80, 24, func(s *screen) {
		s.ask("/help")
		s.shows("Help")
		s.write("help")
		s.shows("/help", "/skill:help")
		s.press("esc", "esc")
		s.ask("/skill:help me")
		s.ask("/skill:plan it")
		if diff := cmp.Diff([]string{"/skill:help me", "/skill:plan it"}, inputs(c)); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestCommand_ClearStartsANewConversation(t *testing.T) {
	onScreen(t, talk(turnAnswering("Hello.")), 80, 24, func(s *screen) {
		s.ask("hi")
		s.ask("/clear")
		s.showsNot("Hello.")
		s.shows("Connect a model", "The previous one is saved as s1.")
		if got := s.model.SessionID(); got != "" {
			t.Errorf("SessionID after /clear = %q, want none", got)
		}
	})
}

func TestCommand_ClearStopsTheRunningTurnFirst(t *testing.T) {
	onScreen(t, talk(hangs("Never ending")), 80, 24, func(s *screen) {
		s.ask("hi")
		s.ask("/clear")
		s.wait(100 * time.Millisecond)
		s.showsNot("Never ending", "Esc stops")
	})
}

func TestCommand_QuitEndsTheChat(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.ask("/quit")
		if !s.quit {
			t.Fatal("still there")
		}
	})
}

func TestCommand_QuestionMarkOnAnEmptyLineOpensHelp(t *testing.T) {
	onScreen(t, talk(), 80, 60, func(s *screen) {
		s.press("?")
		s.shows("Ctrl+C", "PgUp")
		s.write("/quit")
		s.shows("1 of 1", "/quit")
		s.press("esc", "esc")
		s.write("what?")
		s.shows("> what?")
	})
}

func TestK20_EnterWaitsForArgumentsOnce(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c, skillNamed("get-price", "<symbol>"), skillNamed("review", "")), 80, 24, func(s *screen) {
		s.write("/get")
		s.press("enter")
		s.shows("> /get-price   <symbol>")
		s.write("AAPL")
		s.press("enter")
		s.wait(100 * time.Millisecond)
		s.write("/rev")
		s.press("enter")
		s.wait(100 * time.Millisecond)
		if diff := cmp.Diff([]string{"/get-price AAPL", "/review"}, inputs(c)); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestK20_ArrowsChooseTabCompletesEscCloses(t *testing.T) {
	var c tui.Conversation
	onScreen(t, withCommands(&c, skillNamed("alpha", ""), skillNamed("beta", "[x]")), 80, 24, func(s *screen) {
		s.write("/")
		s.shows("│›/help", "├─ Skills ─", "│ /alpha", "│ /beta")
		s.press("up", "up")
		s.shows("│›/alpha")
		s.press("down")
		s.shows("│ /alpha", "│›/beta", "[x]")
		s.press("esc")
		s.showsNot("│")
		s.press("left", "right")
		s.showsNot("│")
		s.write("b")
		s.shows("│›/beta")
		s.press("tab")
		s.shows("> /beta ")
		s.showsNot("│")
	})
}

func TestCompletion_ScrollsThroughMoreThanFits(t *testing.T) {
	var c tui.Conversation
	var many []tui.Command
	for _, r := range "abcdefghijklmnop" {
		many = append(many, skillNamed("many-"+string(r), ""))
	}
	onScreen(t, withCommands(&c, many...), 80, 24, func(s *screen) {
		s.write("/many")
		s.shows("↓ more", "/many-a")
		s.showsNot("/many-p")
		s.press("up")
		s.shows("│›/many-p")
		s.showsNot("/many-a", "↓ more")
	})
}

func TestCommand_MayChangeTheCommands(t *testing.T) {
	var c tui.Conversation
	reload := tui.Command{Name: "reload", Run: tui.TextCommand(func(string) (string, error) { return "added: fresh", nil })}
	onScreen(t, func() tui.Config {
		cfg := withCommands(&c, reload)()
		cfg.Refresh = func() []tui.Command { return []tui.Command{reload, skillNamed("fresh", "")} }
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("/reload")
		s.shows("added: fresh")
		s.ask("/fresh")
		want := []agent.Input{{Text: "/fresh", ForModel: "skill fresh with ", Skill: "fresh"}}
		if diff := cmp.Diff(want, c.(*scripted).got); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}
