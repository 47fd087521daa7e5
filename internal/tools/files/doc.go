// Package files holds the tools for files, reports, web pages, web search, the clock and this
// computer. Tools returns those whose dependencies in Deps are set.
//
// Workspace is the part of the disk that the tools may use: text files in the working directory and
// in some folders of nfa's data folder. It does not follow links or open devices, and withholds
// hidden files and files that may hold keys. WebClient reads public web pages. It refuses private
// addresses, ports other than 80 and 443, and URLs that contain a key, including after a redirect.
// InspectMachine describes the computer without naming its user or host. Text from files and from
// the web is marked as outside material in every result.
package files
