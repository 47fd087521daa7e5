package answer

import (
	"fmt"
	"strings"
)

// returned tells return and risk of one instrument.
func returned(o Object) []string {
	text := fmt.Sprintf("From %s to %s %s %s in all, %s a year, with volatility of %s a year. %s",
		o.known("from"), o.known("to"), o.subject(), o.moved(), o.percent("annual_return"), o.percent("annual_volatility"), o.worstFall())
	return append([]string{text}, warned([]Object{o})...)
}

// subject names an instrument within a sentence, with what its returns count.
func (o Object) subject() string {
	symbol, name := o.known("symbol"), o.known("name")
	if name == absent || name == symbol {
		return fmt.Sprintf("**%s** (%s)", symbol, o.counts())
	}
	article := ""
	if o.isIndex() {
		article = "the "
	}
	return fmt.Sprintf("%s**%s** (%s, %s)", article, name, symbol, o.counts())
}

func (o Object) isIndex() bool {
	return o.Text("kind") == "index" || strings.HasPrefix(o.Text("symbol"), "^")
}

// counts says what a return of these prices counts: a price does not know of
// dividends.
func (o Object) counts() string {
	switch adjustment := o.Text("adjustment"); {
	case adjustment == "split_div":
		return "total return, dividends reinvested"
	case adjustment == "raw" && o.isIndex(), adjustment == "split" && o.isIndex():
		return "price index, no dividends"
	case adjustment == "split":
		return "price return, no dividends"
	case adjustment == "raw":
		return "price return, no dividends, not adjusted for splits"
	default:
		return "return of prices of unknown adjustment: splits and dividends may distort it"
	}
}

func (o Object) moved() string {
	total, ok := o.number("total_return")
	switch {
	case !ok:
		return "returned " + absent
	case total.IsPositive():
		return "rose " + o.percentSize("total_return")
	case total.IsNegative():
		return "fell " + o.percentSize("total_return")
	default:
		return "ended where it began"
	}
}

func (o Object) worstFall() string {
	depth, ok := o.number("max_drawdown")
	switch {
	case !ok:
		return "The worst fall is not known (" + absent + ")."
	case depth.IsZero():
		return "It never closed below an earlier close of that time."
	}
	peak := o.known("drawdown_peak_date")
	text := fmt.Sprintf("The worst fall was %s, from %s to %s; %s.",
		o.percentSize("max_drawdown"), peak, o.known("drawdown_trough_date"), o.wayBack())
	if peak != absent && peak == o.known("from") {
		text += " That fall begins with the first day of the range, so the high before it may lie earlier."
	}
	if current, ok := o.number("current_drawdown"); ok && current.IsNegative() && !o.null("drawdown_recovery_date") {
		text += fmt.Sprintf(" On %s it stood %s below its high.", o.known("to"), o.percentSize("current_drawdown"))
	}
	return text
}

// wayBack tells a high that was reached again from one that was not, and both
// from not knowing.
func (o Object) wayBack() string {
	switch {
	case o.Text("drawdown_recovery_date") != "":
		return "it took until " + o.known("drawdown_recovery_date") + " to get back"
	case !o.null("drawdown_recovery_date"):
		return "when it got back: " + absent
	}
	text := "by " + o.known("to") + " it had not got back"
	if current, ok := o.number("current_drawdown"); ok && current.IsNegative() {
		text += ", standing " + o.percentSize("current_drawdown") + " below its high"
	}
	return text
}
