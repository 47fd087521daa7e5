package toolkit

import (
	"context"
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

// WithContext adds what was requested to an error. It returns err unchanged if the error already says
// so, which an error of market.Fallback does.
func WithContext(err error, format string, args ...any) error {
	if _, ok := errors.AsType[*market.ExhaustedError](err); ok {
		return err
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// InvalidResult is the result, never an error, for arguments that make no question.
func InvalidResult(err error) (tool.Result, error) {
	return tool.FailedError(tool.CodeValidation, err), nil
}

// RefusalResult says an error to the model where a better call would avoid it: one that InvalidArgs,
// NoDataf or Unusablef made, or as SourceErrorResult has it. The others end the call.
func RefusalResult(err error) (tool.Result, error) {
	var refused *refusedError
	if errors.As(err, &refused) {
		return tool.FailedError(refused.code, err), nil
	}
	return SourceErrorResult(err)
}

// Answering makes the function of a tool of one that returns its answer. Errors are as RefusalResult
// has them.
func Answering[In any, A Answer](answer func(context.Context, In) (A, error)) func(context.Context, In) (tool.Result, error) {
	return func(ctx context.Context, in In) (tool.Result, error) {
		a, err := answer(ctx, in)
		if err != nil {
			return RefusalResult(err)
		}
		return Render(a), nil
	}
}

// refusedError is an error that the model is told, with the code of its result.
type refusedError struct {
	error
	code string
}

func (e *refusedError) Unwrap() error { return e.error }

// InvalidArgs marks an error of the arguments.
func InvalidArgs(err error) error { return &refusedError{err, tool.CodeValidation} }

// InvalidArgsf is an error of the arguments.
func InvalidArgsf(format string, args ...any) error { return InvalidArgs(fmt.Errorf(format, args...)) }

// NoDataf is an error that there is nothing to show.
func NoDataf(format string, args ...any) error {
	return &refusedError{fmt.Errorf(format, args...), tool.CodeNoData}
}

// Unusablef is an error that the data of a source do not allow an answer.
func Unusablef(format string, args ...any) error {
	return &refusedError{fmt.Errorf(format, args...), ""}
}
