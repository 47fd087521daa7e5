package chart

import (
	"errors"
	"fmt"
	"time"
)

// ErrInvalid means that a [Spec] cannot be drawn; the message says what to change.
var ErrInvalid = errors.New("invalid chart")

// Validate returns an error if s cannot be drawn as intended. [Render] draws any Spec, but leaves
// out what Validate rejects.
func (s Spec) Validate() error {
	if err := s.checkTexts(); err != nil {
		return err
	}
	switch s.Kind {
	case KindLine, KindCompare:
		return s.checkSeries(maxSeries)
	case KindDrawdown:
		return s.checkDrawdown()
	case KindHistogram:
		return s.checkHistogram()
	case KindCandles:
		return s.checkCandles()
	case KindFan:
		return s.checkFan()
	case KindBars:
		return s.checkParts()
	}
	return fmt.Errorf("%w: unknown kind %.20q; use line, candles, bars, histogram, fan, drawdown or compare", ErrInvalid, s.Kind)
}

func (s Spec) checkTexts() error {
	texts := []string{s.Title, s.Unit}
	for _, one := range s.Series[:min(len(s.Series), maxSeries)] {
		texts = append(texts, one.Name)
	}
	for _, p := range s.Parts[:min(len(s.Parts), maxParts)] {
		texts = append(texts, p.Label)
	}
	for _, text := range texts {
		if len(text) > maxText {
			return fmt.Errorf("%w: %.40q... is longer than %d bytes", ErrInvalid, text, maxText)
		}
	}
	return nil
}

func (s Spec) checkSeries(most int) error {
	if len(s.Series) == 0 || len(s.Series) > most {
		return fmt.Errorf("%w: %d series; a %s chart has 1 to %d", ErrInvalid, len(s.Series), s.Kind, most)
	}
	for _, one := range s.Series {
		if err := checkTimes(one.Times); err != nil {
			return fmt.Errorf("series %q: %w", one.Name, err)
		}
		positive := s.Log || s.Kind == KindCompare
		if err := checkValues(one.Values, len(one.Times), positive); err != nil {
			return fmt.Errorf("series %q: %w", one.Name, err)
		}
	}
	if s.Kind == KindCompare && len(s.comparedSeries()) < len(s.Series) {
		return fmt.Errorf("%w: the series have no common day to rebase on", ErrInvalid)
	}
	return nil
}

func (s Spec) checkDrawdown() error {
	if err := s.checkSeries(1); err != nil {
		return err
	}
	for _, v := range s.Series[0].Values {
		if v > 0 {
			return fmt.Errorf("%w: drawdown %g must be zero or less", ErrInvalid, v)
		}
	}
	return nil
}

func (s Spec) checkHistogram() error {
	if len(s.Distribution.Counts) > 0 {
		return s.Distribution.check()
	}
	if len(s.Series) != 1 {
		return fmt.Errorf("%w: %d series; a histogram has one", ErrInvalid, len(s.Series))
	}
	return checkValues(s.Series[0].Values, len(s.Series[0].Values), false)
}

func (s Spec) checkCandles() error {
	b := s.Candles
	if err := checkTimes(b.Times); err != nil {
		return err
	}
	for _, column := range []struct {
		name   string
		values Values
	}{{"open", b.Open}, {"high", b.High}, {"low", b.Low}, {"close", b.Close}} {
		if err := checkValues(column.values, len(b.Times), s.Log); err != nil {
			return fmt.Errorf("%s: %w", column.name, err)
		}
	}
	for i := range b.Times {
		if max(b.Open[i], b.Close[i]) > b.High[i] || min(b.Open[i], b.Close[i]) < b.Low[i] {
			return fmt.Errorf("%w: the open or close on %s is not between the low and the high", ErrInvalid, formatTime(b.Times[i], false))
		}
	}
	if len(b.Volume) == 0 {
		return nil
	}
	for _, v := range b.Volume {
		if v < 0 {
			return fmt.Errorf("%w: volume %g is below zero", ErrInvalid, v)
		}
	}
	return checkValues(b.Volume, len(b.Times), false)
}

func (s Spec) checkFan() error {
	if err := checkTimes(s.Fan.Times); err != nil {
		return err
	}
	bands := s.Fan.Percentiles
	if n := len(bands); n == 0 || n > maxBands || n%2 == 0 {
		return fmt.Errorf("%w: %d percentiles; a fan needs an odd number up to %d, with the median in the middle", ErrInvalid, n, maxBands)
	}
	for i, b := range bands {
		if !(b.Rank >= 0 && b.Rank <= 100) || i > 0 && b.Rank <= bands[i-1].Rank {
			return fmt.Errorf("%w: percentile %g; percentiles must rise from 0 to 100", ErrInvalid, b.Rank)
		}
		if err := checkValues(b.Values, len(s.Fan.Times), s.Log); err != nil {
			return fmt.Errorf("percentile %g: %w", b.Rank, err)
		}
		for j := range b.Values {
			if i > 0 && b.Values[j] < bands[i-1].Values[j] {
				return fmt.Errorf("%w: on %s percentile %g is below percentile %g", ErrInvalid, formatTime(s.Fan.Times[j], false), b.Rank, bands[i-1].Rank)
			}
		}
	}
	return nil
}

func (s Spec) checkParts() error {
	if len(s.Parts) == 0 || len(s.Parts) > maxParts {
		return fmt.Errorf("%w: %d parts; a bar chart has 1 to %d", ErrInvalid, len(s.Parts), maxParts)
	}
	for _, p := range s.Parts {
		if !isDrawable(p.Value) {
			return fmt.Errorf("%w: part %q has no value; omit it", ErrInvalid, p.Label)
		}
	}
	return nil
}

func checkTimes(times []time.Time) error {
	if len(times) == 0 || len(times) > maxPoints {
		return fmt.Errorf("%w: %d points; use 1 to %d", ErrInvalid, len(times), maxPoints)
	}
	for i, t := range times {
		if !hasPrintableYear(t) {
			return fmt.Errorf("%w: point %d has year %d", ErrInvalid, i+1, t.Year())
		}
		if i > 0 && t.Before(times[i-1]) {
			return fmt.Errorf("%w: %s comes after %s; sort the oldest first", ErrInvalid, formatTime(t, true), formatTime(times[i-1], true))
		}
	}
	return nil
}

// checkValues requires n values, at least one of them known, and, if positive is set, all known
// values to be above zero.
func checkValues(values Values, n int, positive bool) error {
	if len(values) != n || n > maxPoints {
		return fmt.Errorf("%w: %d values for %d points, at most %d allowed", ErrInvalid, len(values), n, maxPoints)
	}
	seen := false
	for _, v := range values {
		if v != v {
			continue
		}
		seen = true
		if !isDrawable(v) {
			return fmt.Errorf("%w: invalid value %g", ErrInvalid, v)
		}
		if positive && v < MinMagnitude {
			return fmt.Errorf("%w: value %g cannot be drawn on a log scale or rebased; values must be above zero", ErrInvalid, v)
		}
	}
	if !seen {
		return fmt.Errorf("%w: all values are missing", ErrInvalid)
	}
	return nil
}
