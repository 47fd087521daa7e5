package catalog

// These providers serve models of others. The note on prices in model_makers.go holds here too. A
// host that passes a request on to whichever server is free has no single price.

func groq() Provider {
	return Provider{
		Name: "groq", Title: "Groq", BaseURL: "https://api.groq.com/openai/v1",
		KeyVars: []string{"GROQ_API_KEY"}, AsOf: "2025-11-01",
		Models: []Model{
			newModel("openai/gpt-oss-120b", 131_072, "0.15 0.075 0.75", withReasoning),
			newModel("openai/gpt-oss-20b", 131_072, "0.1 0.05 0.5", withReasoning),
			newModel("moonshotai/kimi-k2-instruct-0905", 262_144, "1 0.5 3", textOnly),
			newModel("qwen/qwen3-32b", 131_072, "0.29 - 0.59", withReasoning),
			newModel("llama-3.3-70b-versatile", 131_072, "0.59 - 0.79", textOnly),
		},
	}
}

func cerebras() Provider {
	return Provider{
		Name: "cerebras", Title: "Cerebras", BaseURL: "https://api.cerebras.ai/v1",
		KeyVars: []string{"CEREBRAS_API_KEY"}, AsOf: "2026-07-01",
		Models: []Model{newModel("gpt-oss-120b", 131_072, "0.35 - 0.75", withReasoning)},
	}
}

func together() Provider {
	return Provider{
		Name: "together", Title: "Together", BaseURL: "https://api.together.xyz/v1",
		KeyVars: []string{"TOGETHER_API_KEY"}, AsOf: "2025-11-01",
		Models: []Model{
			newModel("openai/gpt-oss-120b", 131_072, "0.15 - 0.6", withReasoning),
			newModel("moonshotai/Kimi-K2-Instruct-0905", 262_144, "1 - 3", textOnly),
			newModel("meta-llama/Llama-3.3-70B-Instruct-Turbo", 131_072, "0.88 - 0.88", textOnly),
		},
	}
}

func openRouter() Provider {
	return Provider{
		Name: "openrouter", Title: "OpenRouter", BaseURL: "https://openrouter.ai/api/v1",
		KeyVars: []string{"OPENROUTER_API_KEY"}, AsOf: "2026-08-01",
		Models: []Model{
			newModel("deepseek/deepseek-v4-flash", 1_000_000, "", withReasoning),
			newModel("anthropic/claude-sonnet-4.6", 200_000, "", withReasoning|withVision),
			newModel("openai/gpt-5.1", 400_000, "", withReasoning|withVision),
			newModel("google/gemini-2.5-flash", 1_048_576, "", withReasoning|withVision),
		},
	}
}

func huggingFace() Provider {
	return Provider{
		Name: "huggingface", Title: "Hugging Face", BaseURL: "https://router.huggingface.co/v1",
		KeyVars: []string{"HF_TOKEN"}, AsOf: "2026-08-01",
		// The part after the colon says who serves it, which settles the price.
		Models: []Model{
			newModel("openai/gpt-oss-120b:cerebras", 131_072, "0.35 - 0.75", withReasoning),
			newModel("openai/gpt-oss-120b:groq", 131_072, "0.15 - 0.75", withReasoning),
			newModel("moonshotai/Kimi-K2.6:fireworks-ai", 262_144, "0.95 - 4", withReasoning),
		},
	}
}
