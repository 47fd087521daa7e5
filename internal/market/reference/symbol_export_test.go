package reference

import "slices"

// Suffix returns the suffix of an exchange's symbols: ".L" for XLON, "" for US exchanges. It reports false
// for an unknown exchange.
func Suffix(mic string) (string, bool) {
	v, ok := venueOf(mic)
	return v.suffix, ok
}

// ExchangeName returns the common name of an exchange: "Xetra" for XETR.
func ExchangeName(mic string) (string, bool) {
	v, ok := venueOf(mic)
	return v.name, ok
}

func venueOf(mic string) (listingVenue, bool) {
	all := listingVenues()
	i := slices.IndexFunc(all, func(v listingVenue) bool { return v.mic == mic })
	if i < 0 {
		return listingVenue{}, false
	}
	return all[i], true
}
