package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/parameter"
	"github.com/nfa-cli/nfa/internal/tui"
)

func compareSkill() skill.Content {
	return skill.Content{
		Skill: skill.Skill{
			Name: "compare", Source: skill.SourceUser,
			Parameters: []parameter.Parameter{
				{Name: "symbols", Type: "string", Required: true},
				{Name: "range", Type: "enum", Enum: []string{"1y", "5y"}, Default: "5y"},
			},
		},
		Text: "Compare {{symbols}} over {{range}} for $1,000.\n", Body: "Compare {{symbols}} over {{range}} for $1,000.\n",
	}
}

func TestK21_AFormAsksForWhatIsMissingAndSendsWhatWasFilledIn(t *testing.T) {
	_, err := fill(compareSkill(), map[string]string{"symbols": "", "range": "7y"})
	var form *tui.NeedsError
	if !errors.As(err, &form) || len(form.Fields) != 2 {
		t.Fatalf("fill = %v, want the form again with both fields", err)
	}
	if form.Fields[0].Problem == "" || form.Fields[1].Problem == "" || form.Fields[1].Value != "7y" {
		t.Errorf("fields = %+v, want a problem at each and what was typed", form.Fields)
	}
	in, err := form.Fill(map[string]string{"symbols": "AAPL MSFT", "range": ""})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(in.ForModel, "Compare AAPL MSFT over 5y for $1,000.") {
		t.Errorf("the model reads %q", in.ForModel)
	}
	if in.Text != `/compare symbols="AAPL MSFT"` || in.Skill != "compare" {
		t.Errorf("the transcript shows %q of skill %q", in.Text, in.Skill)
	}
	again, err := parameter.Parse(compareSkill().Skill.Parameters, strings.TrimPrefix(in.Text, "/compare "))
	if err != nil || again.Values["symbols"].Text != "AAPL MSFT" {
		t.Errorf("typed again it reads as %+v, %v", again, err)
	}
}
