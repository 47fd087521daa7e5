package chart

import (
	"encoding/json"
	"math"
	"strconv"
)

// MarshalJSON writes numbers in their shortest form, and null for what is missing.
func (v Values) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 8*len(v)+2)
	out = append(out, '[')
	for i, x := range v {
		if i > 0 {
			out = append(out, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			out = append(out, "null"...)
			continue
		}
		out = strconv.AppendFloat(out, x, 'g', -1, 64)
	}
	return append(out, ']'), nil
}

// UnmarshalJSON reads what [Values.MarshalJSON] writes.
func (v *Values) UnmarshalJSON(data []byte) error {
	var numbers []*float64
	if err := json.Unmarshal(data, &numbers); err != nil {
		return err
	}
	if numbers == nil {
		*v = nil
		return nil
	}
	out := make(Values, len(numbers))
	for i, x := range numbers {
		out[i] = math.NaN()
		if x != nil {
			out[i] = *x
		}
	}
	*v = out
	return nil
}
