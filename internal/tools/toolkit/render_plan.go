package toolkit

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// typePlan holds the parsed tags of a struct, once for each type.
type typePlan struct {
	fields     []fieldPlan
	origins    [][]int          // embedded origins, whose fields are among the fields
	currencyAt []int            // the string field Currency; nil if there is none
	strings    map[string][]int // text fields by JSON name, for the tag currency
	fits       bool             // a table is cut to fit
	sensitive  bool             // a field, here or nested, changes if amounts are hidden
}

type fieldPlan struct {
	index []int
	name  string // in JSON

	omitEmpty, omitZero    bool
	pointer                bool // JSON omits a nil pointer, but not a pointer to zero
	label, unit, input     string
	basis, formula, table  string
	currency               string // the field with the currency; "" means Currency
	key, max, show         int
	maxPart                string // part of a list: "first" or "last"; "" for both ends
	style                  Style
	shift                  int32 // decimal places to move a number to make it a fraction
	sensitive, skip, exact bool  // skip: never sent to the model
	hidden                 bool  // not in JSON, only for people
	silent                 bool  // a figure that people do not see
	redacts                bool  // a tool.Redactor, or a list of them
	across, fit            bool  // for tables: transposed; as many rows as fit
	sparse                 bool  // for columns: blank if JSON omits the value

	list   bool             // of scalars
	byName bool             // a map of numbers by name
	nested func() *typePlan // plan of a struct or of the structs in a list; otherwise nil
}

var plans sync.Map // reflect.Type to *typePlan

func planOf(t reflect.Type) *typePlan {
	if p, ok := plans.Load(t); ok {
		return p.(*typePlan)
	}
	p := &typePlan{}
	p.add(t, nil)
	plans.Store(t, p)
	return p
}

// add adds the fields of a struct. Fields of embedded structs are inlined, as in JSON.
func (p *typePlan) add(t reflect.Type, at []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int{}, at...), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		embedded := f.Type
		if f.Anonymous && embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		if f.Anonymous && name == "" && embedded.Kind() == reflect.Struct {
			if embedded == typeOrigin {
				p.origins = append(p.origins, index)
			}
			p.add(embedded, index)
			continue
		}
		if !f.IsExported() {
			continue
		}
		if f.Name == "Currency" && f.Type.Kind() == reflect.String && (p.currencyAt == nil || len(index) < len(p.currencyAt)) {
			p.currencyAt = index
		}
		if f.Type.Kind() == reflect.String {
			p.addString(f, index, name)
		}
		if name == "-" && f.Tag.Get("label") == "" && f.Tag.Get("table") == "" && f.Type != typeNamedOrigins {
			continue
		}
		plan := newFieldPlan(f, index, cmp.Or(name, f.Name), options)
		if name == "-" {
			plan.name, plan.hidden, plan.skip = f.Name, true, true
		}
		p.fits = p.fits || plan.fit
		p.sensitive = p.sensitive || plan.sensitive || plan.redacts || plan.nested != nil && plan.nested().sensitive
		// Of two fields with one name, JSON uses the less deeply embedded one.
		switch i := slices.IndexFunc(p.fields, func(other fieldPlan) bool { return other.name == plan.name }); {
		case i < 0:
			p.fields = append(p.fields, plan)
		case len(index) < len(p.fields[i].index):
			p.fields[i] = plan
		}
	}
}

// addString records a text field by its JSON name, or by its Go name if it is not in JSON.
func (p *typePlan) addString(f reflect.StructField, index []int, name string) {
	if name = cmp.Or(name, f.Name); name == "-" {
		name = f.Name
	}
	if p.strings == nil {
		p.strings = map[string][]int{}
	}
	if at, known := p.strings[name]; !known || len(index) < len(at) {
		p.strings[name] = index
	}
}

func newFieldPlan(f reflect.StructField, index []int, name, options string) fieldPlan {
	p := fieldPlan{
		index: index, name: name, label: f.Tag.Get("label"), unit: f.Tag.Get("unit"), input: f.Tag.Get("input"), basis: f.Tag.Get("basis"),
		formula: f.Tag.Get("formula"), table: f.Tag.Get("table"), style: Style(f.Tag.Get("as")), sensitive: f.Tag.Get("sensitive") != "",
		skip: f.Tag.Get("model") == "-", exact: f.Tag.Get("model") == "exact", currency: f.Tag.Get("currency"),
		silent: f.Tag.Get("row") == "-", pointer: f.Type.Kind() == reflect.Pointer,
		across: f.Tag.Get("across") != "", fit: f.Tag.Get("max") == "fit", sparse: f.Tag.Get("sparse") != "",
	}
	if f.Tag.Get("in") == "percent" {
		p.shift = -2
	}
	p.key, _ = strconv.Atoi(f.Tag.Get("key"))
	var most string
	most, p.maxPart, _ = strings.Cut(f.Tag.Get("max"), " ")
	p.max, _ = strconv.Atoi(most)
	p.show, _ = strconv.Atoi(f.Tag.Get("show"))
	for option := range strings.SplitSeq(options, ",") {
		p.omitEmpty, p.omitZero = p.omitEmpty || option == "omitempty", p.omitZero || option == "omitzero"
	}
	t := f.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Map {
		p.byName, t = true, t.Elem()
	}
	if t.Kind() == reflect.Slice && !t.Implements(typeMarshaler) {
		for t = t.Elem(); t.Kind() == reflect.Pointer; t = t.Elem() {
		}
		p.list = true
	}
	p.redacts = t.Implements(typeRedactor)
	if t.Kind() == reflect.Struct && !isScalar(t) {
		p.nested, p.list = sync.OnceValue(func() *typePlan { return planOf(t) }), false
	}
	p.list = p.list && !p.byName
	if p.style == "" {
		p.style = defaultStyle(t)
	}
	return p
}

var (
	typeMarshaler = reflect.TypeFor[json.Marshaler]()
	typeRedactor  = reflect.TypeFor[tool.Redactor]()
)

// isScalar reports whether a struct is a single value: a decimal, a time, or one that encodes itself.
func isScalar(t reflect.Type) bool {
	return t.Implements(typeMarshaler) || reflect.PointerTo(t).Implements(typeMarshaler)
}

func defaultStyle(t reflect.Type) Style {
	switch {
	case t == reflect.TypeFor[decimal.Decimal](), t == reflect.TypeFor[decimal.NullDecimal](), t.Kind() == reflect.Float64:
		return Number
	case t == reflect.TypeFor[time.Time](), t == reflect.TypeFor[market.Date]():
		return Date
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return Count
	}
	return Text
}

// currency returns the currency of the amounts in a struct, or "".
func (p *typePlan) currency(v reflect.Value) string {
	if p.currencyAt == nil {
		return ""
	}
	if text, ok := fieldAt(v, p.currencyAt); ok {
		return text.String()
	}
	return ""
}

// fieldAt returns a field of a struct; ok is false if an embedded pointer is nil.
func fieldAt(v reflect.Value, index []int) (field reflect.Value, ok bool) {
	field, err := v.FieldByIndexErr(index)
	return field, err == nil
}

// originsOf returns the origins embedded in a struct.
func (p *typePlan) originsOf(v reflect.Value) []Origin {
	var out []Origin
	for _, index := range p.origins {
		if field, ok := fieldAt(v, index); ok {
			if field, ok = deref(field); ok {
				out = append(out, field.Interface().(Origin))
			}
		}
	}
	return out
}

// rowName returns the first labeled value of a row.
func (p *typePlan) rowName(v reflect.Value) string {
	for i := range p.fields {
		if f := &p.fields[i]; f.label != "" {
			if value, known := f.value(v); known {
				return f.format(value, "")
			}
			return ""
		}
	}
	return ""
}

// value returns the field of a struct; known is false for a nil pointer. If an embedded pointer is
// nil, the value is not valid.
func (p *fieldPlan) value(v reflect.Value) (value reflect.Value, known bool) {
	field, ok := fieldAt(v, p.index)
	if !ok {
		return reflect.Value{}, false
	}
	return deref(field)
}

// number returns the number in a field, as a fraction if the field is in percent.
func (p *fieldPlan) number(v reflect.Value) (decimal.Decimal, bool) {
	n, ok := numberOf(interfaceOf(v))
	return n.Shift(p.shift), ok
}

// format formats a value of the field for people.
func (p *fieldPlan) format(v reflect.Value, currency string) string {
	if p.shift == 0 {
		return Format(interfaceOf(v), p.style, currency)
	}
	if n, ok := p.number(v); ok {
		return Format(n, p.style, currency)
	}
	return NotAvailable
}

// absent reports whether JSON omits a value.
func (p *fieldPlan) absent(v reflect.Value) bool {
	if p.hidden && p.sparse && isEmpty(v) {
		return true
	}
	if p.pointer && v.Kind() != reflect.Pointer {
		return false
	}
	if p.omitZero && isZero(v) {
		return true
	}
	if !p.omitEmpty {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// isZero reports whether encoding/json treats a value as zero, including types with an IsZero method.
func isZero(v reflect.Value) bool {
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// explained returns e with the tags of the field for everything that e leaves empty.
func (p *fieldPlan) explained(e Explanation) Explanation {
	e.Label, e.Unit = cmp.Or(e.Label, p.label), cmp.Or(e.Unit, p.unit)
	e.Basis, e.Formula = cmp.Or(e.Basis, p.basis), cmp.Or(e.Formula, p.formula)
	if e.Key == 0 {
		e.Key = p.key
	}
	return e
}

// prefix returns the label to put before those of nested fields.
func (p *fieldPlan) prefix() string {
	if p.label == "" {
		return ""
	}
	return p.label + " "
}

// sent returns which rows of a list of n the model receives: all, or at most max. Of these, three
// quarters are the first and one quarter the last rows, unless the tag says "first" or "last".
func (p *fieldPlan) sent(n int) func(i int) bool {
	if p.max == 0 || n <= p.max {
		return func(int) bool { return true }
	}
	head := p.max * 3 / 4
	switch p.maxPart {
	case "first":
		head = p.max
	case "last":
		head = 0
	}
	return func(i int) bool { return i < head || i >= n-(p.max-head) }
}
