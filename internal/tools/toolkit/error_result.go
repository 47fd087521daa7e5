package toolkit

import (
	"errors"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// CodeFileNotFound is the code of a result about a file that is not there.
const CodeFileNotFound = "file_not_found"

// SourceErrorResult turns the errors of a source that a better question would avoid (no
// such symbol, several of that name, no data) into a result for the model. The others stay errors, and
// end the call.
func SourceErrorResult(err error) (tool.Result, error) {
	if errors.Is(err, market.ErrUnknownSymbol) || errors.Is(err, market.ErrNoData) ||
		errors.Is(err, market.ErrInvalidSymbol) || errors.Is(err, market.ErrAmbiguous) {
		return tool.FailedError(tool.CodeNoData, err), nil
	}
	return tool.Result{}, err
}

// InvalidResult is the result, never an error, for arguments that make no question.
func InvalidResult(err error) (tool.Result, error) {
	return tool.FailedError(tool.CodeValidation, err), nil
}
