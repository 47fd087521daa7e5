// Package frankfurter reads the ECB's reference rates since 1999 from Frankfurter, a free, open-source
// service without a key.
//
// Rates are requested against the euro and cross rates computed here, because the service rounds its own
// cross rates to as few as two digits.
package frankfurter
