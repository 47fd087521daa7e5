package market

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// FilingItem identifies a section of a filing. Both parts of a 10-Q have an Item 1, so the part is needed
// too; an 8-K has no parts.
type FilingItem struct {
	Part  string `json:"part,omitempty"` // "I", "II", "III", "IV"
	Item  string `json:"item"`           // "1A", "7", "5.02"
	Title string `json:"title,omitempty"`
}

// String returns the section as people cite it: "Part II Item 1A".
func (i FilingItem) String() string {
	if i.Part == "" {
		return "Item " + i.Item
	}
	return "Part " + i.Part + " Item " + i.Item
}

// ErrInvalidItem means that a text cannot name a section of a filing.
var ErrInvalidItem = errors.New("invalid item")

// itemText matches an item as people write it: "1A", "item 7.", "Part II, Item 1A", "II-1A", "5.02".
var itemText = lazyregexp.New(`^(?:(?:PART\s+)?(I{1,3}|IV|[1-4])\s*[-,.:]?\s+ITEM\s+|(?:PART\s+)?(I{1,3}|IV)\s*[-,.:]\s*|ITEM\s+)?(\d{1,2}(?:[A-K]|\.\d{2})?)\.?$`)

// ParseFilingItem parses the name of a section as people write it. Without a part it matches any
// part. Other text yields ErrInvalidItem.
func ParseFilingItem(text string) (FilingItem, error) {
	m := itemText().FindStringSubmatch(strings.ToUpper(strings.Join(strings.Fields(text), " ")))
	if m == nil {
		return FilingItem{}, fmt.Errorf(`%w: %.40q; write it as the filing does: "1A", "7", "II-1A" in a 10-Q, "5.02" in an 8-K`, ErrInvalidItem, text)
	}
	part := m[1] + m[2]
	if n := strings.Index("1234", part); part != "" && n >= 0 {
		part = []string{"I", "II", "III", "IV"}[n]
	}
	return FilingItem{Part: part, Item: m[3]}, nil
}

// FindFilingItem returns the index of wanted in a filing's contents. If nothing matches, or wanted has no
// part and several parts match, the error is an ErrNoData that lists the available items.
func FindFilingItem(contents []FilingItem, wanted FilingItem) (int, error) {
	var found []int
	for i, c := range contents {
		if c.Item == wanted.Item && (wanted.Part == "" || c.Part == "" || c.Part == wanted.Part) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return 0, NoDataError(fmt.Sprintf("no %s; available: %s", wanted, joinItems(contents)))
	}
	both := make([]FilingItem, len(found))
	for i, at := range found {
		both[i] = contents[at]
	}
	return 0, NoDataError(fmt.Sprintf("%s appears in more than one part; use one of %s", wanted, joinItems(both)))
}

// NoDataError is an ErrNoData with its own message, used where no other range would help.
type NoDataError string

func (a NoDataError) Error() string { return string(a) }

// Is reports whether target is ErrNoData.
func (NoDataError) Is(target error) bool { return target == ErrNoData }

func joinItems(items []FilingItem) string {
	if len(items) == 0 {
		return "nothing"
	}
	out := make([]string, len(items))
	for i, one := range items {
		out[i] = strings.TrimPrefix(one.Part+"-"+one.Item, "-")
		if one.Title != "" {
			out[i] += " (" + one.Title + ")"
		}
	}
	return strings.Join(out, ", ")
}
