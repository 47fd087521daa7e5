package files

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type currentTimeInput struct {
	Timezone string `json:"timezone,omitempty" jsonschema:"IANA name, such as Europe/Berlin. Default: the user's time zone."`
}

type currentTime struct {
	Time     string `json:"time"`
	Date     string `json:"date"`
	Weekday  string `json:"weekday"`
	Timezone string `json:"timezone"`
	UTC      string `json:"utc"`
}

const currentTimeDescription = `Current date, weekday and time in the user's time zone or another one, and in UTC. Use it before anything that depends on today, such as "this year" or the age of a price. For exchange hours and holidays use market_status.`

const currentTimeDetails = `Times are in RFC 3339. With --as-of, the tool returns that date.`

const currentTimeKeywords = "time date today now clock day weekday month year timezone zone utc hour current tomorrow yesterday what is it local 时间 日期 今天 现在 几点 星期几 几号 时区"

var currentTimePhrasings = []string{
	"what time is it in new york",
	"what is the date today",
	"which day of the week is it",
	"current time in a time zone",
	"今天几号",
	"现在几点",
	"今天星期几",
}

// newCurrentTime returns the tool that reports the time of the clock, which --as-of may set back.
func newCurrentTime(now func() time.Time) tool.Tool {
	return tool.New("current_time", currentTimeDescription, tool.Reads, func(_ context.Context, in currentTimeInput) (tool.Result, error) {
		at := now()
		if zone := strings.TrimSpace(in.Timezone); zone != "" {
			loc, err := loadZone(zone)
			if err != nil {
				return toolkit.InvalidResult(err)
			}
			at = at.In(loc)
		}
		return timeResult(at), nil
	}).WithDetails(currentTimeDetails).Find("web", currentTimeKeywords, currentTimePhrasings...)
}

func timeResult(at time.Time) tool.Result {
	t := currentTime{
		Time: at.Format(time.RFC3339), Date: at.Format(time.DateOnly), Weekday: at.Weekday().String(),
		Timezone: at.Location().String(), UTC: at.UTC().Format(time.RFC3339),
	}
	// "Local" means nothing to a reader; the current abbreviation does.
	if t.Timezone == "Local" {
		t.Timezone, _ = at.Zone()
	}
	clock := fmt.Sprintf("%s %s %s", t.Weekday, t.Date, at.Format("15:04"))
	return tool.Result{
		Value: t, ForUser: fmt.Sprintf("**%s** %s (%s)", clock, t.Timezone, t.UTC),
		Title: t.Timezone, Summary: clock,
		Headline: fmt.Sprintf("It is %s in %s.", clock, t.Timezone), HeadlineZH: fmt.Sprintf("%s 现在是 %s %s。", t.Timezone, t.Date, at.Format("15:04")),
	}
}

// loadZone finds a time zone by name, ignoring case.
func loadZone(name string) (*time.Location, error) {
	for _, spelled := range []string{name, strings.ToUpper(name), capitalizeZone(name)} {
		// "Local" is Go's name for this machine's zone.
		if loc, err := time.LoadLocation(spelled); err == nil && loc != time.Local {
			return loc, nil
		}
	}
	if _, err := time.LoadLocation("Europe/London"); err != nil {
		return nil, fmt.Errorf("time zone %q: this system has no time zone data; omit timezone, or use UTC", name)
	}
	return nil, fmt.Errorf("unknown time zone %q; use an IANA name such as America/New_York, Europe/Berlin or UTC", name)
}

// capitalizeZone returns a name spelled like a time zone: America/New_York.
func capitalizeZone(name string) string {
	out := []byte(strings.ToLower(strings.ReplaceAll(name, " ", "_")))
	for i := range out {
		if i == 0 || out[i-1] == '/' || out[i-1] == '_' || out[i-1] == '-' {
			out[i] = strings.ToUpper(string(out[i]))[0]
		}
	}
	return string(out)
}
