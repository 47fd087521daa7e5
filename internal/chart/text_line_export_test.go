package chart

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// String returns the line without its styles.
func (r TextLine) String() string {
	var b strings.Builder
	for _, s := range r {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Width returns the number of cells of the line.
func (r TextLine) Width() int { return displaywidth.String(r.String()) }
