// Package economy has the tools for economic data: economic series, yield curves and
// exchange rates. Each result says where its data comes from and for which date it is.
// If the clock is set back, nothing published later is shown. A missing source leaves its
// tools out.
package economy
