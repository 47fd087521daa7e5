package importer

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// parseOFXTime reads a date as OFX writes it, "20240115", "20240115093000.123" or with
// its zone "20240115160000[-5:EST]". The day is the one that is written: brokers
// write their own. Only a time of day that is said to be in UTC is brought to zone.
// A time without a zone is in UTC, as the specification has it; the instant is zero
// where no time of day is written.
func parseOFXTime(text string, zone *time.Location) (market.Date, time.Time, error) {
	digits, offset, zoned, err := splitOFXTime(text)
	if err != nil {
		return market.Date{}, time.Time{}, err
	}
	layout := "20060102150405"
	if len(digits) > len(layout) || len(digits) < 8 || len(digits)%2 != 0 {
		return market.Date{}, time.Time{}, ofxDateError(text)
	}
	written, err := time.Parse(layout[:len(digits)], digits)
	if err != nil || written.Year() < 1900 || written.Year() > 2200 {
		return market.Date{}, time.Time{}, ofxDateError(text)
	}
	day := DayOf(written)
	if written.Equal(day) {
		return day, time.Time{}, nil
	}
	instant := written.Add(-offset)
	if zoned && offset == 0 && zone != nil {
		local := instant.In(zone)
		day = DayOf(local)
	}
	return day, instant, nil
}

func ofxDateError(text string) error {
	return fmt.Errorf("the date %.40q is not one of OFX, such as 20240115 or 20240115093000[-5:EST]", text)
}

// splitOFXTime takes the zone and the fraction of a second off.
func splitOFXTime(text string) (digits string, offset time.Duration, zoned bool, err error) {
	digits, zone, zoned := strings.Cut(strings.TrimSpace(text), "[")
	digits, _, _ = strings.Cut(digits, ".")
	if !zoned {
		return digits, 0, false, nil
	}
	hours, _, _ := strings.Cut(strings.TrimSuffix(zone, "]"), ":")
	h, err := strconv.ParseFloat(strings.TrimPrefix(hours, "+"), 64)
	if err != nil || !(h >= -14 && h <= 14) {
		return "", 0, false, ofxDateError(text)
	}
	return digits, time.Duration(h * float64(time.Hour)), true, nil
}
