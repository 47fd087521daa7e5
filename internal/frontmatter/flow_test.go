package frontmatter_test

import (
	"errors"
	"testing"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

const flowFile = "---\nname: a\nparameters:\n  - name: symbol\n    description: >\n      Two\n      lines\n    required: true\n  - {name: n, default: ON}\ntools_required:\n  - quote\n  - chart\n# kept\n---\nBody\n"

func TestFlow_AListIsReadAndSetOnOneLine(t *testing.T) {
	d, err := frontmatter.Open([]byte(flowFile))
	if err != nil {
		t.Fatal(err)
	}
	parameters, err := d.Flow("parameters")
	if want := `[{name: symbol, description: "Two lines\n", required: true}, {name: n, default: ON}]`; err != nil || parameters != want {
		t.Errorf("Flow(parameters) = %q, %v, want %q", parameters, err, want)
	}
	if tools, _ := d.Flow("tools_required"); tools != "quote, chart" {
		t.Errorf("Flow(tools_required) = %q", tools)
	}
	if none, err := d.Flow("steps"); none != "" || err != nil {
		t.Errorf("Flow(steps) = %q, %v", none, err)
	}
	text, err := frontmatter.SetFlow([]byte(flowFile), "tools_required", "quote, calculate")
	if err == nil {
		text, err = frontmatter.SetFlow(text, "parameters", parameters)
	}
	want := "---\nname: a\nparameters: " + parameters + "\ntools_required: [quote, calculate]\n# kept\n---\nBody\n"
	if err != nil || string(text) != want {
		t.Errorf("SetFlow = %q, %v, want %q", text, err, want)
	}
	if _, err := frontmatter.SetFlow([]byte(flowFile), "parameters", "[{name: a]"); !errors.Is(err, frontmatter.ErrMalformed) {
		t.Errorf("SetFlow of broken YAML = %v, want ErrMalformed", err)
	}
}
