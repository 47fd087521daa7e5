package toolkit

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// CodeFileNotFound is the result code for a file that does not exist.
const CodeFileNotFound = "file_not_found"

// SourceErrorResult turns source errors that better arguments would avoid (unknown symbol,
// ambiguous name, no data) into an error result for the model. It returns other errors as they are.
func SourceErrorResult(err error) (tool.Result, error) {
	if errors.Is(err, market.ErrUnknownSymbol) {
		return tool.FailedError(market.CodeUnknownSymbol, err), nil
	}
	if errors.Is(err, market.ErrNoData) || errors.Is(err, market.ErrInvalidSymbol) || errors.Is(err, market.ErrAmbiguous) {
		return tool.FailedError(tool.CodeNoData, err), nil
	}
	return tool.Result{}, err
}

// WithContext adds what was requested to an error. It returns err unchanged if the error already says
// so, as errors of market.Fallback and unknown-symbol errors do.
func WithContext(err error, format string, args ...any) error {
	_, exhausted := errors.AsType[*market.ExhaustedError](err)
	if _, unknown := errors.AsType[*market.UnknownSymbolError](err); exhausted || unknown {
		return err
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// InvalidResult returns the error result for invalid arguments; its error is always nil.
func InvalidResult(err error) (tool.Result, error) {
	return tool.FailedError(tool.CodeValidation, err), nil
}

// RefusalResult returns an error result for errors of InvalidArgs, NoDataf and Unusablef and for
// those that SourceErrorResult handles. It returns other errors as they are.
func RefusalResult(err error) (tool.Result, error) {
	var refused *refusedError
	if errors.As(err, &refused) {
		return tool.FailedError(refused.code, err), nil
	}
	return SourceErrorResult(err)
}

// Answering makes a tool function from one that returns an answer. It maps errors with RefusalResult.
func Answering[In any, A Answer](answer func(context.Context, In) (A, error)) func(context.Context, In) (tool.Result, error) {
	return func(ctx context.Context, in In) (tool.Result, error) {
		a, err := answer(ctx, in)
		if err != nil {
			return RefusalResult(err)
		}
		return Render(a), nil
	}
}

// refusedError is an error for the model, with the code of its result.
type refusedError struct {
	error
	code string
}

func (e *refusedError) Unwrap() error { return e.error }

// InvalidArgs marks err as caused by the arguments.
func InvalidArgs(err error) error { return &refusedError{err, tool.CodeValidation} }

// InvalidArgsf returns an error caused by the arguments.
func InvalidArgsf(format string, args ...any) error { return InvalidArgs(fmt.Errorf(format, args...)) }

// NoDataf returns an error for a valid request without data.
func NoDataf(format string, args ...any) error {
	return &refusedError{fmt.Errorf(format, args...), tool.CodeNoData}
}

// Unusablef returns an error for data that cannot be used.
func Unusablef(format string, args ...any) error {
	return &refusedError{fmt.Errorf(format, args...), ""}
}
