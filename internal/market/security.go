package market

// SecurityClass is the legal form of a security. It decides which figures of a company apply to
// it: earnings per common share say nothing about a preferred share or a warrant.
type SecurityClass string

// Classes of securities.
const (
	ClassUnknown   SecurityClass = ""
	ClassCommon    SecurityClass = "common" // also ordinary shares and units of a trust or partnership
	ClassPreferred SecurityClass = "preferred"
	ClassWarrant   SecurityClass = "warrant"
	ClassUnit      SecurityClass = "unit" // shares and warrants sold together
	ClassRight     SecurityClass = "right"
	ClassNote      SecurityClass = "note"  // a bond that trades like a share, or an exchange-traded note
	ClassFund      SecurityClass = "fund"  // ETF, mutual fund
	ClassADR       SecurityClass = "adr"   // depositary receipt for one or several shares
	ClassOther     SecurityClass = "other" // another security of a company, of a class that is not known
)

// Noun returns the class with its article: "a preferred share".
func (c SecurityClass) Noun() string {
	switch c {
	case ClassCommon:
		return "a common share"
	case ClassPreferred:
		return "a preferred share"
	case ClassNote:
		return "a note"
	case ClassFund:
		return "a fund"
	case ClassADR:
		return "a depositary receipt"
	case ClassUnknown, ClassOther:
		return "a security of unknown class"
	}
	return "a " + string(c)
}
