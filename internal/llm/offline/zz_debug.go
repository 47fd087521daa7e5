package offline

import "fmt"

// Debug is for development.
func (a *Assistant) Debug(text string) string {
	c := a.catalog()
	q := c.read(text, a.options.Now())
	out := fmt.Sprintf("%q shape=%q bare=%q\n", q.text, q.shape(), q.bare())
	for _, s := range q.slots {
		out += fmt.Sprintf("  slot %d %q %s %s %v %v unit=%c past=%v every=%c cur=%s\n", s.kind, q.text[s.start:s.end], s.text, s.number, s.period, s.short, s.unit, s.past, s.every, s.currency)
	}
	for _, k := range c.choose(q, "", "") {
		out += fmt.Sprintf("  %.2f %s %v missing=%v unknown=%q\n", k.score, k.tool.Name, k.args, k.missing, k.unknown)
	}
	return out
}
