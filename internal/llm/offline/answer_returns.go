package offline

import (
	"fmt"
	"strings"
)

// returnLines tells return and risk of one instrument.
func returnLines(o ResultObject) []string {
	text := fmt.Sprintf("From %s to %s %s %s in all, %s a year, with volatility of %s a year. %s",
		o.textOrAbsent("from"), o.textOrAbsent("to"), o.subject(), o.changeText(), o.percent("annual_return"), o.percent("annual_volatility"), o.maxDrawdownText())
	return append([]string{text}, warningsOf([]ResultObject{o})...)
}

// subject names an instrument within a sentence, with what its returns count.
func (o ResultObject) subject() string {
	symbol, name := o.textOrAbsent("symbol"), o.textOrAbsent("name")
	if name == absent || name == symbol {
		return fmt.Sprintf("**%s** (%s)", symbol, o.returnBasis())
	}
	article := ""
	if o.isIndex() {
		article = "the "
	}
	return fmt.Sprintf("%s**%s** (%s, %s)", article, name, symbol, o.returnBasis())
}

func (o ResultObject) isIndex() bool {
	return o.Text("kind") == "index" || strings.HasPrefix(o.Text("symbol"), "^")
}

// returnBasis says what a return of these prices counts: a price does not know of
// dividends.
func (o ResultObject) returnBasis() string {
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

func (o ResultObject) changeText() string {
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

func (o ResultObject) maxDrawdownText() string {
	depth, ok := o.number("max_drawdown")
	switch {
	case !ok:
		return "The worst fall is not known (" + absent + ")."
	case depth.IsZero():
		return "It never closed below an earlier close of that time."
	}
	peak := o.textOrAbsent("drawdown_peak_date")
	text := fmt.Sprintf("The worst fall was %s, from %s to %s; %s.",
		o.percentSize("max_drawdown"), peak, o.textOrAbsent("drawdown_trough_date"), o.recoveryText())
	if peak != absent && peak == o.textOrAbsent("from") {
		text += " That fall begins with the first day of the range, so the high before it may lie earlier."
	}
	if current, ok := o.number("current_drawdown"); ok && current.IsNegative() && !o.null("drawdown_recovery_date") {
		text += fmt.Sprintf(" On %s it stood %s below its high.", o.textOrAbsent("to"), o.percentSize("current_drawdown"))
	}
	return text
}

// recoveryText tells a high that was reached again from one that was not, and both
// from not knowing.
func (o ResultObject) recoveryText() string {
	switch {
	case o.Text("drawdown_recovery_date") != "":
		return "it took until " + o.textOrAbsent("drawdown_recovery_date") + " to get back"
	case !o.null("drawdown_recovery_date"):
		return "when it got back: " + absent
	}
	text := "by " + o.textOrAbsent("to") + " it had not got back"
	if current, ok := o.number("current_drawdown"); ok && current.IsNegative() {
		text += ", standing " + o.percentSize("current_drawdown") + " below its high"
	}
	return text
}
