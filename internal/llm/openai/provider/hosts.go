package provider

// The providers that serve the models of others. What the note in makers.go says
// of prices holds here too; where a host sends a request on to whoever is free,
// there is no one price.

func groq() Provider {
	return Provider{
		Name: "groq", Title: "Groq", BaseURL: "https://api.groq.com/openai/v1",
		KeyVars: []string{"GROQ_API_KEY"}, AsOf: "2025-11-01",
		Models: []Model{
			row("openai/gpt-oss-120b", 131_072, "0.15 0.075 0.75", thinks),
			row("openai/gpt-oss-20b", 131_072, "0.1 0.05 0.5", thinks),
			row("moonshotai/kimi-k2-instruct-0905", 262_144, "1 0.5 3", plain),
			row("qwen/qwen3-32b", 131_072, "0.29 - 0.59", thinks),
			row("llama-3.3-70b-versatile", 131_072, "0.59 - 0.79", plain),
		},
	}
}

func cerebras() Provider {
	return Provider{
		Name: "cerebras", Title: "Cerebras", BaseURL: "https://api.cerebras.ai/v1",
		KeyVars: []string{"CEREBRAS_API_KEY"}, AsOf: "2026-07-01",
		Models: []Model{row("gpt-oss-120b", 131_072, "0.35 - 0.75", thinks)},
	}
}

func together() Provider {
	return Provider{
		Name: "together", Title: "Together", BaseURL: "https://api.together.xyz/v1",
		KeyVars: []string{"TOGETHER_API_KEY"}, AsOf: "2025-11-01",
		Models: []Model{
			row("openai/gpt-oss-120b", 131_072, "0.15 - 0.6", thinks),
			row("moonshotai/Kimi-K2-Instruct-0905", 262_144, "1 - 3", plain),
			row("meta-llama/Llama-3.3-70B-Instruct-Turbo", 131_072, "0.88 - 0.88", plain),
		},
	}
}

func openRouter() Provider {
	return Provider{
		Name: "openrouter", Title: "OpenRouter", BaseURL: "https://openrouter.ai/api/v1",
		KeyVars: []string{"OPENROUTER_API_KEY"}, AsOf: "2026-08-01",
		Models: []Model{
			row("deepseek/deepseek-v4-flash", 1_000_000, "", thinks),
			row("anthropic/claude-sonnet-4.6", 200_000, "", thinks|sees),
			row("openai/gpt-5.1", 400_000, "", thinks|sees),
			row("google/gemini-2.5-flash", 1_048_576, "", thinks|sees),
		},
	}
}

func huggingFace() Provider {
	return Provider{
		Name: "huggingface", Title: "Hugging Face", BaseURL: "https://router.huggingface.co/v1",
		KeyVars: []string{"HF_TOKEN"}, AsOf: "2026-08-01",
		// The part after the colon says who serves it, which settles the price.
		Models: []Model{
			row("openai/gpt-oss-120b:cerebras", 131_072, "0.35 - 0.75", thinks),
			row("openai/gpt-oss-120b:groq", 131_072, "0.15 - 0.75", thinks),
			row("moonshotai/Kimi-K2.6:fireworks-ai", 262_144, "0.95 - 4", thinks),
		},
	}
}
