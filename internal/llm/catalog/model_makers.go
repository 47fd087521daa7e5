package catalog

// The providers that make the models they serve. Windows and prices are of the
// day that AsOf names and age from then on: prices of longer prompts, of other
// regions, of batches and of writing to a cache are left out.

func openAI() Provider {
	return Provider{
		Name: "openai", Title: "OpenAI", BaseURL: "https://api.openai.com/v1", BaseURLVar: "OPENAI_BASE_URL",
		KeyVars: []string{"OPENAI_API_KEY"}, AsOf: "2025-12-01",
		Models: []Model{
			newModel("gpt-5-mini", 400_000, "0.25 0.025 2", withReasoning|withVision),
			newModel("gpt-5.1", 400_000, "1.25 0.125 10", withReasoning|withVision),
			newModel("gpt-5", 400_000, "1.25 0.125 10", withReasoning|withVision),
			newModel("gpt-5-nano", 400_000, "0.05 0.005 0.4", withReasoning|withVision),
			newModel("gpt-4.1", 1_047_576, "2 0.5 8", withVision),
			newModel("gpt-4.1-mini", 1_047_576, "0.4 0.1 1.6", withVision),
			newModel("gpt-4.1-nano", 1_047_576, "0.1 0.025 0.4", withVision),
			newModel("gpt-4o", 128_000, "2.5 1.25 10", withVision),
			newModel("gpt-4o-mini", 128_000, "0.15 0.075 0.6", withVision),
			newModel("o3", 200_000, "2 0.5 8", withReasoning|withVision),
			newModel("o4-mini", 200_000, "1.1 0.275 4.4", withReasoning|withVision),
		},
	}
}

func anthropic() Provider {
	return Provider{
		Name: "anthropic", Title: "Anthropic", BaseURL: "https://api.anthropic.com/v1",
		KeyVars: []string{"ANTHROPIC_API_KEY"}, AsOf: "2026-08-01",
		// Its list of models is not of this protocol, and wants both.
		ListKeyHeader: "X-Api-Key", ListHeader: map[string]string{"Anthropic-Version": "2023-06-01"},
		Models: []Model{
			newModel("claude-sonnet-5", 1_000_000, "2 0.2 10", withReasoning|withVision),
			newModel("claude-opus-5", 1_000_000, "5 0.5 25", withReasoning|withVision),
			newModel("claude-sonnet-4-6", 200_000, "3 0.3 15", withReasoning|withVision),
			newModel("claude-opus-4-6", 200_000, "5 0.5 25", withReasoning|withVision),
			newModel("claude-sonnet-4-5-20250929", 200_000, "3 0.3 15", withReasoning|withVision),
			newModel("claude-opus-4-5-20251101", 200_000, "5 0.5 25", withReasoning|withVision),
			newModel("claude-haiku-4-5-20251001", 200_000, "1 0.1 5", withReasoning|withVision),
		},
	}
}

func gemini() Provider {
	return Provider{
		Name: "gemini", Title: "Google Gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
		KeyVars: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, AsOf: "2026-08-01",
		Models: []Model{
			newModel("gemini-3.6-flash", 1_048_576, "1.5 0.15 7.5", withReasoning|withVision),
			newModel("gemini-3-pro-preview", 1_048_576, "2 0.2 12", withReasoning|withVision),
			newModel("gemini-3-flash-preview", 1_048_576, "0.5 0.05 3", withReasoning|withVision),
			newModel("gemini-2.5-pro", 1_048_576, "1.25 0.125 10", withReasoning|withVision),
			newModel("gemini-2.5-flash", 1_048_576, "0.3 0.03 2.5", withReasoning|withVision),
		},
	}
}

func deepSeek() Provider {
	return Provider{
		Name: "deepseek", Title: "DeepSeek", BaseURL: "https://api.deepseek.com/v1",
		KeyVars: []string{"DEEPSEEK_API_KEY"}, AsOf: "2026-08-01",
		Models: []Model{
			newModel("deepseek-v4-flash", 1_000_000, "0.14 0.0028 0.28", withReasoning),
			newModel("deepseek-v4-pro", 1_000_000, "0.435 0.003625 0.87", withReasoning),
		},
	}
}

func xAI() Provider {
	return Provider{
		Name: "xai", Title: "xAI", BaseURL: "https://api.x.ai/v1",
		KeyVars: []string{"XAI_API_KEY"}, AsOf: "2026-08-01",
		Models: []Model{
			newModel("grok-4.5", 500_000, "2 0.3 6", withReasoning|withVision),
			newModel("grok-4.3", 200_000, "1.25 0.2 2.5", withVision),
		},
	}
}

func mistral() Provider {
	return Provider{
		Name: "mistral", Title: "Mistral", BaseURL: "https://api.mistral.ai/v1",
		KeyVars: []string{"MISTRAL_API_KEY"}, AsOf: "2026-06-01",
		Models: []Model{
			newModel("mistral-medium-3.5", 256_000, "1.5 - 7.5", withReasoning|withVision),
			newModel("mistral-large-2512", 128_000, "0.5 - 1.5", textOnly),
			newModel("mistral-small-2603", 128_000, "0.1 - 0.3", withVision),
			newModel("magistral-medium-2509", 128_000, "2 - 5", withReasoning),
			newModel("ministral-8b-2512", 128_000, "0.15 - 0.15", textOnly),
		},
	}
}

func moonshot() Provider {
	return Provider{
		Name: "moonshot", Title: "Moonshot", BaseURL: "https://api.moonshot.ai/v1",
		KeyVars: []string{"MOONSHOT_API_KEY"}, AsOf: "2026-08-01",
		Models: []Model{
			newModel("kimi-k2.6", 262_144, "0.95 0.16 4", withReasoning|withVision),
			newModel("kimi-k3", 1_048_576, "3 0.3 15", withReasoning|withVision),
			newModel("kimi-k2.5", 262_144, "0.6 0.1 3", withReasoning|withVision),
		},
	}
}

func qwen() Provider {
	return Provider{
		Name: "qwen", Title: "Qwen (Model Studio, international)", BaseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
		KeyVars: []string{"DASHSCOPE_API_KEY"}, AsOf: "2026-06-01",
		// Its cached prices depend on how the cache was asked for.
		Models: []Model{
			newModel("qwen3.7-plus", 1_000_000, "1.2 - 4.8", withReasoning|withVision),
			newModel("qwen3.7-max", 1_000_000, "2.5 - 7.5", withReasoning),
			newModel("qwen3.6-plus", 1_000_000, "2 - 6", withReasoning|withVision),
			newModel("qwen3.6-flash", 1_000_000, "1 - 4", withReasoning|withVision),
		},
	}
}

func zAI() Provider {
	return Provider{
		Name: "zai", Title: "Z.ai", BaseURL: "https://api.z.ai/api/paas/v4",
		KeyVars: []string{"ZAI_API_KEY"}, AsOf: "2026-08-01",
		Models: []Model{
			newModel("glm-5.3", 1_000_000, "1.4 0.26 4.4", withReasoning),
			newModel("glm-5.1", 204_800, "1.4 0.26 4.4", withReasoning),
			newModel("glm-5", 204_800, "1 0.2 3.2", withReasoning),
			newModel("glm-4.7", 204_800, "0.6 0.11 2.2", withReasoning),
			newModel("glm-4.6v", 131_072, "0.3 - 0.9", withReasoning|withVision),
		},
	}
}

func miniMax() Provider {
	return Provider{
		Name: "minimax", Title: "MiniMax", BaseURL: "https://api.minimax.io/v1",
		KeyVars: []string{"MINIMAX_API_KEY"}, AsOf: "2026-03-01",
		Models: []Model{
			newModel("MiniMax-M2.5", 200_000, "0.3 0.03 1.2", withReasoning),
			newModel("MiniMax-M2.1", 200_000, "0.3 0.03 1.2", withReasoning),
		},
	}
}
