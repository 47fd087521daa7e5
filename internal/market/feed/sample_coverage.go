package feed

// SampleCoverage says in a few words what the sample holds, for banners and prompts.
const SampleCoverage = "S&P 500 daily to 2020-04-17, 8 companies monthly to 2022-06-28"
