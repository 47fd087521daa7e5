// Package catalog knows the model providers, their models, context windows and prices, and decides
// which model answers.
//
// A Catalog is data about servers that speak the OpenAI chat-completions protocol; settings override
// it (WithOverrides). Prices are in US dollars per million tokens as of the date in Provider.AsOf; an
// unknown price is nil, never zero.
//
// The context window of an Endpoint comes from the settings, the provider's model list, the catalog,
// or a local server that is asked once (ResolveWindow). Otherwise it is a default.
//
// A Selector combines the catalog with settings and API keys. It chooses an Endpoint (Choose,
// EndpointFor, Pick), opens it as an llm.Model (Open, Connect), lists what providers serve
// (ListProviders), tests a model (TestModel) and stores keys (SaveKey, AllKeys). It never returns the
// value of a key. Without a key for any provider it chooses the built-in assistant.
package catalog
