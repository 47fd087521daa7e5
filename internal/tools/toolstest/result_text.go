package toolstest

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
)

// ModelOutput returns everything of a result that a model may read, including its figures.
func ModelOutput(res tool.Result) string {
	if res.Private {
		return res.ModelText()
	}
	return strings.Join([]string{res.ModelText(), res.Title, res.Summary, fmt.Sprint(res.Figures)}, "\n")
}

// ResultText returns the text of an error result, or else the text for the model.
func ResultText(res tool.Result) string {
	if res.IsError {
		return res.ErrorText()
	}
	return res.ModelText()
}
