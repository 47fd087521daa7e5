// Package economy has the tools for economic data: economic series, yield curves and exchange rates. Each
// result states its source and date. If the clock is set back, nothing published later is shown. A missing
// source omits its tools.
package economy
