package workflow_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

func textValues(values map[string]string) map[string]workflow.ParameterValue {
	out := map[string]workflow.ParameterValue{}
	for name, text := range values {
		out[name] = workflow.ParameterValue{Text: text}
	}
	return out
}

var substituteParameters = []workflow.Parameter{{Name: "symbol"}, {Name: "range"}, {Name: "名"}}

func TestK22_MoneyLiteralsArriveByteIdentical(t *testing.T) {
	for _, literal := range []string{
		"$1,000", "$AAPL", "$B$6", "$0.50", "$$", "{{undeclared}}", "${x}", "$1", "$10", "$N", "$0", "$@", "$*", "\\$5", "US$5",
		"$ARGUMENT", "$arguments", "$ARGUMENTS_X", "$ARGUMENTSX", "$ARGUMENTS0", "${ARGUMENTS}", "$(ARGUMENTS)",
		"{{ symbol }}", "{{Symbol}}", "{{symbol}", "{symbol}}", "{{symbol.name}}", "{{steps.1.price}}", "{{}}", "{{", "%s %d %[1]s",
		"=SUM($B$6:$B$12)", "€1.000,50", "\r\n\t\x00\u2028", "`$1,000`",
	} {
		args := workflow.Arguments{Text: "A $1 {{symbol}}", Values: textValues(map[string]string{"symbol": "S", "range": "R"})}
		body := "Keep " + literal + " for {{symbol}}: "
		if got, want := workflow.Substitute(body, substituteParameters, args), "Keep "+literal+" for S: "; got != want {
			t.Errorf("with a parameter: Substitute(%q) = %q, want %q", body, got, want)
		}
		body = "Keep " + literal + " for $ARGUMENTS"
		if got, want := workflow.Substitute(body, substituteParameters, args), "Keep "+literal+" for A $1 {{symbol}}"; got != want {
			t.Errorf("with arguments: Substitute(%q) = %q, want %q", body, got, want)
		}
		if got := workflow.Substitute(literal, substituteParameters, workflow.Arguments{}); got != literal {
			t.Errorf("alone: Substitute(%q) = %q", literal, got)
		}
	}
}

func TestK22_TokensAreReplacedInOnePass(t *testing.T) {
	args := workflow.Arguments{Text: "AAPL {{range}}", Values: textValues(map[string]string{
		"symbol": "$ARGUMENTS", "range": "{{symbol}}", "名": "苹果",
	})}
	for _, row := range []struct{ name, body, want string }{
		{"values are not searched again", "{{symbol}} {{range}} $ARGUMENTS", "$ARGUMENTS {{symbol}} AAPL {{range}}"},
		{"every occurrence", "{{range}}{{range}}", "{{symbol}}{{symbol}}"},
		{"in braces of its own", "{{{range}}}", "{{{symbol}}}"},
		{"name beyond ASCII", "看{{名}}", "看苹果"},
		{"no blanks around it", "分析$ARGUMENTS的走势", "分析AAPL {{range}}的走势"},
		{"punctuation ends it", "($ARGUMENTS), $ARGUMENTS.", "(AAPL {{range}}), AAPL {{range}}."},
		{"behind a sign", "$$ARGUMENTS", "$AAPL {{range}}"},
		{"one whole, one longer", "$ARGUMENTSX $ARGUMENTS", "$ARGUMENTSX AAPL {{range}}"},
	} {
		if got := workflow.Substitute(row.body, substituteParameters, args); got != row.want {
			t.Errorf("%s: Substitute(%q) = %q, want %q", row.name, row.body, got, row.want)
		}
	}
	if got := workflow.Substitute("in {{range}}.", substituteParameters, workflow.Arguments{}); got != "in ." {
		t.Errorf("a parameter without a value = %q, want nothing in its place", got)
	}
}

func TestK22_WithNeitherTokenArgumentsAreAppended(t *testing.T) {
	for _, row := range []struct{ name, body, text, want string }{
		{"after a line", "Look.\n", "AAPL $5", "Look.\n\nARGUMENTS: AAPL $5"},
		{"after a word", "Look.", "AAPL", "Look.\n\nARGUMENTS: AAPL"},
		{"undeclared is no token", "{{other}} $ARGUMENTSX\n", "AAPL", "{{other}} $ARGUMENTSX\n\nARGUMENTS: AAPL"},
		{"no body", "", "AAPL", "ARGUMENTS: AAPL"},
		{"no arguments", "Look.\n", "", "Look.\n"},
		{"declared but empty", "{{range}}", "AAPL", ""},
	} {
		if got := workflow.Substitute(row.body, substituteParameters, workflow.Arguments{Text: row.text}); got != row.want {
			t.Errorf("%s: Substitute(%q) = %q, want %q", row.name, row.body, got, row.want)
		}
	}
}

func TestK22_RenderLeavesTheFrontMatterAlone(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"tokens in both", "---\nname: a1\ndescription: Keeps $ARGUMENTS and {{p}}\nparameters: [p]\n---\nUse {{p}}.\n",
			"---\nname: a1\ndescription: Keeps $ARGUMENTS and {{p}}\nparameters: [p]\n---\nUse $1,000.\n"},
		{"no body", "---\nname: a1\ndescription: d\n---", "---\nname: a1\ndescription: d\n---\nARGUMENTS: p=$1,000"},
	} {
		s, body, err := skill.Parse([]byte(row.text))
		if err != nil {
			t.Fatal(err)
		}
		args := workflow.Arguments{Text: "p=$1,000", Values: textValues(map[string]string{"p": "$1,000"})}
		if got := skill.Render(skill.Content{Skill: s, Text: row.text, Body: body}, args); got != row.want {
			t.Errorf("%s: Render = %q, want %q", row.name, got, row.want)
		}
	}
}

// Random bodies of pieces that look like tokens.
func TestK22_BodiesWithoutTokensAreNeverTouched(t *testing.T) {
	pieces := []string{"$", "{", "}", "{{", "}}", "symbol", "ARGUMENT", "S", "1", ",000", "名", " ", "\n", "\\", "%"}
	random := rand.New(rand.NewPCG(22, 1))
	args := workflow.Arguments{Values: textValues(map[string]string{"symbol": "CHANGED", "range": "CHANGED", "名": "CHANGED"})}
	kept := 0
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		body := b.String()
		if strings.Contains(body, "{{symbol}}") || strings.Contains(body, "{{名}}") || strings.Contains(body, "$ARGUMENTS") {
			continue
		}
		kept++
		if got := workflow.Substitute(body, substituteParameters, args); got != body {
			t.Fatalf("Substitute(%q) = %q, want it as it is", body, got)
		}
	}
	if kept < 10_000 {
		t.Fatalf("only %d bodies were without tokens", kept)
	}
}

func FuzzSubstitute(f *testing.F) {
	f.Add("Pay $1,000 for {{symbol}} $ARGUMENTS", "AAPL", "$ARGUMENTS {{range}}")
	f.Add("{{{symbol}}}$ARGUMENTS_$ARGUMENTS", "", "x")
	f.Add("{{undeclared}} ${x} $$", "{{symbol}}", "")
	f.Fuzz(func(t *testing.T, body, text, value string) {
		args := workflow.Arguments{Text: text, Values: textValues(map[string]string{"symbol": value})}
		params := substituteParameters[:1]
		got := workflow.Substitute(body, params, args)
		if want := substituteByHand(body, text, value); got != want {
			t.Fatalf("Substitute(%q, %q, %q) = %q, want %q", body, text, value, got, want)
		}
	})
}

// substituteByHand implements substitution one byte at a time.
func substituteByHand(body, text, value string) string {
	var b strings.Builder
	token := false
	for i := 0; i < len(body); {
		rest := body[i:]
		after, found := strings.CutPrefix(rest, "$ARGUMENTS")
		isWord := found && after != "" && (after[0] == '_' || after[0] >= '0' && after[0] <= '9' || after[0]|0x20 >= 'a' && after[0]|0x20 <= 'z')
		switch {
		case found && !isWord:
			b.WriteString(text)
			i, token = i+len("$ARGUMENTS"), true
		case strings.HasPrefix(rest, "{{symbol}}"):
			b.WriteString(value)
			i, token = i+len("{{symbol}}"), true
		default:
			b.WriteByte(body[i])
			i++
		}
	}
	switch {
	case token || text == "":
		return b.String()
	case body == "":
		return "ARGUMENTS: " + text
	case strings.HasSuffix(body, "\n"):
		return body + "\nARGUMENTS: " + text
	}
	return body + "\n\nARGUMENTS: " + text
}

func BenchmarkSubstitute_100KB(b *testing.B) {
	line := "Compare {{symbol}} at $1,000 with $B$6 over {{range}} and {{undeclared}}.\n"
	body := strings.Repeat(line, 100_000/len(line)) + "$ARGUMENTS"
	args := workflow.Arguments{Text: "AAPL 5y", Values: textValues(map[string]string{"symbol": "AAPL", "range": "5y"})}
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		workflow.Substitute(body, substituteParameters, args)
	}
}
