package toolkit

import (
	"errors"
	"fmt"

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

// RefusalResult says an error to the model where a better call would avoid it: one of
// Invalid, of Nothing, or as SourceErrorResult has it. The others end the call.
func RefusalResult(err error) (tool.Result, error) {
	var argsErr invalidArgsError
	var dataErr noDataError
	switch {
	case errors.As(err, &argsErr):
		return InvalidResult(err)
	case errors.As(err, &dataErr):
		return tool.Failed(tool.CodeNoData, err.Error()), nil
	}
	return SourceErrorResult(err)
}

type invalidArgsError struct{ error }

func (e invalidArgsError) Unwrap() error { return e.error }

// InvalidArgs marks an error of the arguments.
func InvalidArgs(err error) error { return invalidArgsError{err} }

// InvalidArgsf is an error of the arguments.
func InvalidArgsf(format string, args ...any) error {
	return invalidArgsError{fmt.Errorf(format, args...)}
}

type noDataError struct{ error }

func (e noDataError) Unwrap() error { return e.error }

// NoDataf is an error that there is nothing to show.
func NoDataf(format string, args ...any) error { return noDataError{fmt.Errorf(format, args...)} }
