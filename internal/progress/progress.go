// Package progress lets an operation say what it is doing to whoever waits for it. Market sources report,
// and tool calls are shown with it, although neither knows the other.
package progress

import "context"

type reportKey struct{}

// With returns a context whose operations report to report. It must be quick and safe for concurrent use.
func With(ctx context.Context, report func(text string)) context.Context {
	return context.WithValue(ctx, reportKey{}, report)
}

// Report says what the operation with ctx is doing now: "asking Yahoo Finance".
func Report(ctx context.Context, text string) {
	if report, ok := ctx.Value(reportKey{}).(func(string)); ok {
		report(text)
	}
}
