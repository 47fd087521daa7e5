package offline

// helpTopic answers a question about nfa itself. Topics are in the same index as the tools.
type helpTopic struct {
	name             string
	keywords         string
	phrasings        []string
	english, chinese string
}

const (
	helpIntro   = "help_overview"
	helpConnect = "help_connect"
)

var helpTopics = []*helpTopic{
	{helpConnect, "connect chatgpt openai claude anthropic gemini deepseek ollama gpt llm model language key api setup provider finnhub tiingo polygon alphavantage hook up 连接 大模型 模型 密钥 接入 配置",
		[]string{"how do I connect chatgpt", "use my openai key", "which model answers", "connect a language model", "add an api key", "switch to claude", "怎么连接大模型", "如何设置模型密钥", "怎么接入 deepseek", "how to use ollama with nfa"},
		"To connect a model step by step, run `/setup` in the chat (or `nfa setup`). `nfa auth set PROVIDER` stores a key; a variable such as `OPENAI_API_KEY` works too. `/model` switches models.",
		"在聊天中输入 `/setup`（或运行 `nfa setup`）即可连接模型。`nfa auth set PROVIDER` 保存密钥，也可以设置 `OPENAI_API_KEY` 等环境变量。`/model` 切换模型。"},
	{"help_data", "data settings folder stored kept saved location disk files where home directory database 数据 文件夹 存 保存 位置 目录 哪里",
		[]string{"where is my data stored", "where do you keep my portfolio", "which folder has my data", "where are my conversations saved", "我的数据存在哪里", "数据保存在什么地方"},
		"Your portfolio, sessions and settings are on your own disk, in `~/.nfa` (change it with `--home`). `nfa doctor` shows the folder.",
		"您的组合、会话和设置都保存在本地磁盘的 `~/.nfa`（可用 `--home` 更改）。`nfa doctor` 会显示该目录。"},
	{"help_privacy", "private privacy upload uploaded send sent leak secure safe tracking telemetry share cloud internet leave machine 隐私 上传 泄露 安全 共享 云",
		[]string{"is my data private", "do you upload my portfolio", "who can see my data", "does my portfolio leave my computer", "我的数据会上传吗", "隐私安全吗", "do you send my holdings anywhere"},
		"Your data stays on your local disk. nfa sends market-data requests and, if you connect a model, your questions. A model does not see the amounts in your portfolio unless you allow it. Without a model, no part of a question is sent. See `nfa doctor`.",
		"您的数据只保存在本地电脑的磁盘上。对外发送的只有行情请求；连接模型后还有您的问题。组合金额默认不发送给模型，未连接模型时问题不会上传。"},
	{"help_import", "import broker csv pdf format how steps supported export file brokerage 导入 券商 格式 怎么 支持",
		[]string{"how do I import my trades", "how to import transactions", "which brokers can you import", "which brokers are supported", "what file formats are supported", "怎么导入交易记录", "如何导入券商文件", "支持哪些券商"},
		"Run `nfa portfolio import FILE`, or say `import FILE` here. nfa recognizes the exports of many brokers and trackers. It skips duplicates and asks before it records anything. To undo an import, remove its transactions: `nfa portfolio remove ID`.",
		"运行 `nfa portfolio import FILE`，或在这里说 `导入 FILE`。nfa 能识别许多券商和记账软件的导出文件，重复的会跳过，写入前会请您确认。撤销导入：用 `nfa portfolio remove ID` 删除其中的交易。"},
	{"help_export", "export excel spreadsheet backup download copy save ledger conversation 导出 备份 下载",
		[]string{"how do I export my portfolio", "how can I back up my data", "get my data out", "export the conversation", "export my portfolio to csv", "导出我的交易记录", "save this chat to a file", "怎么导出数据", "如何备份", "导出聊天记录"},
		"`nfa portfolio export` writes your transactions; `/export` (or `nfa sessions export ID`) writes a session. To back up everything, copy `~/.nfa`.",
		"`nfa portfolio export` 导出交易；`/export`（或 `nfa sessions export ID`）导出会话。完整备份只需复制 `~/.nfa`。"},
	{"help_quit", "quit exit leave close chat program bye goodbye stop program 退出 关闭 再见 离开",
		[]string{"quit", "exit", "bye", "how do I leave", "close nfa", "退出", "怎么退出", "再见"},
		"Type `/quit`, or press Ctrl+C twice. Your session is saved; `nfa --continue` opens it again.",
		"输入 `/quit` 或按两次 Ctrl+C 退出。会话会自动保存，`nfa --continue` 可以继续。"},
	{helpIntro, "help can you do commands features questions examples hello hi hey start begin 帮助 功能 能做 会做 你好 命令 例子",
		[]string{"what can you do", "help", "hello", "hi", "good morning", "good evening", "what can I ask", "how does this work", "show me the commands", "getting started", "你能做什么", "帮助", "你好", "有什么功能", "怎么用"},
		"", ""},
	{"help_identity", "who are you chatgpt ai bot human robot assistant language model rules made 你是谁 机器人 人工智能 助手",
		[]string{"who are you", "are you chatgpt", "are you an AI", "are you a human", "what are you", "what model are you", "who made you", "are you gpt", "你是谁", "你是人工智能吗", "你是什么模型"},
		"I am nfa's built-in assistant: rules that find a tool for your question, not a language model. I work offline, and all my figures come from tools. Connect a model with `/setup`.",
		"我是 nfa 的内置助手：按规则为您的问题找到工具，不是语言模型（not a language model），可以离线（offline）使用。连接模型请用 `/setup`。"},
	{"help_sessions", "continue resume session sessions conversation conversations yesterday previous history earlier chat old 继续 恢复 会话 对话 之前 昨天 历史",
		[]string{"how do I continue yesterday's conversation", "resume a session", "open an old chat", "list my conversations", "where are my old chats", "怎么继续昨天的对话", "恢复之前的会话", "how do I delete a conversation"},
		"`nfa --continue` opens the latest session, `nfa --resume ID` another one. To list and delete sessions, use `/sessions` (or `nfa sessions list`).",
		"`nfa --continue` 打开最近的会话，`nfa --resume ID` 打开指定会话；`/sessions`（或 `nfa sessions list`）列出并可删除会话。"},
	{"help_theme", "theme color colour colors colours dark light appearance look font contrast 主题 颜色 深色 浅色 外观 配色",
		[]string{"how do I change the colours", "dark mode", "switch the theme", "make it light", "change colors", "怎么换主题", "怎么改颜色", "深色模式"},
		"`/theme` changes the colors; `nfa config set theme light` saves your choice.", "`/theme` 选择配色；`nfa config set theme light` 保存。"},
	{"help_doctor", "configured configuration config settings check diagnose doctor wrong broken setup status options change setting 配置 设置 检查 诊断 问题",
		[]string{"how do I check what is configured", "what are my settings", "something is broken", "check my configuration", "how do I change a setting", "检查配置", "怎么看设置", "哪里出错了"},
		"`nfa doctor` checks configuration, data sources and skills; `nfa config show` shows every setting, and `nfa config set NAME VALUE` changes one.",
		"`nfa doctor` 检查配置、数据源和技能；`nfa config show` 显示所有设置，`nfa config set NAME VALUE` 修改。"},
	{"help_skills", "create own skill skills write make teach add new install custom 创建 技能 自己 编写 安装 新建 自定义",
		[]string{"how do I create my own skill", "make a skill", "teach you something", "where can I find skills", "which skills are there", "list the skills", "怎么创建自己的技能", "如何写技能", "有哪些技能"},
		"`nfa skills create NAME` creates a skill, `nfa skills list` (or `/skills` in the chat) lists all skills, and `/NAME` uses one.",
		"`nfa skills create NAME` 创建技能，`nfa skills list`（聊天中用 `/skills`）列出技能，`/NAME` 使用技能。"},
	{"help_currency", "base currency home default set change reporting 基准 货币 本位币 默认",
		[]string{"how do I change the base currency", "set my currency to euro", "use CHF as base currency", "怎么设置基准货币", "change my default currency"},
		"`nfa config set base_currency EUR` sets the currency of your portfolio; `/setup` asks for it too.",
		"`nfa config set base_currency EUR` 设置组合的基准货币，`/setup` 也会询问。"},
	{"help_keys", "stop cancel interrupt answer esc escape keyboard shortcut shortcuts keys hotkeys mouse scroll 快捷键 键盘 按键",
		[]string{"which keyboard shortcuts are there", "what are the shortcuts", "how do I scroll", "how do I stop an answer", "快捷键有哪些"},
		"Press `?` in an empty prompt: it shows all keys and commands. Esc stops an answer.", "在空白输入框按 `?` 查看所有快捷键和命令。Esc 停止回答。"},
	{"help_agents", "agent agents advisor analyst planner portfolio-manager switch persona 代理 智能体 切换",
		[]string{"which agents are there", "switch the agent", "what is an agent", "有哪些智能体"},
		"`/agent` (or `nfa agents list`) shows the agents; `--agent NAME` starts with one.", "`/agent`（或 `nfa agents list`）查看智能体；`--agent NAME` 指定。"},
	{"help_sources", "data source sources offline internet network where from provider yahoo edgar live real-time delayed numbers figures answer come sample accurate accuracy 来源 数据源 实时 延迟 准确 样本",
		[]string{"where does the data come from", "are the prices real time", "which data sources do you use", "why does it say sample", "is the data live", "does it work offline", "does nfa work without internet", "数据来源是什么", "价格是实时的吗", "可以离线使用吗", "能不能不联网使用", "为什么显示 sample"},
		"Prices come from Yahoo Finance and others, filings from SEC EDGAR, rates from the ECB and FRED. Every answer names the source and date. SAMPLE marks built-in historical prices, which nfa uses without a network. `nfa doctor --live` tests the sources.",
		"价格来自 Yahoo Finance 等，公告来自 SEC EDGAR，利率和汇率来自 ECB 与 FRED。每个回答都注明来源和日期；SAMPLE 表示内置历史样本。`nfa doctor --live` 测试数据源。"},
	{"help_why", "number figure based source traced formula why come calculated computed 数字 依据 计算 公式",
		[]string{"where can I see what a number is based on", "how was this figure calculated", "how do you know that", "show me the formula", "这个数字是怎么算的"},
		"Type `/why 1`, or open the figures of an answer and press Enter on a number: it shows tool, source, date, formula and inputs.",
		"输入 `/why 1`，或在回答的数字列表中按 Enter：会显示工具、来源、日期、公式和输入。"},
	{"help_cost", "cost costs price free pay subscription license open source nfa itself 免费 收费 费用 开源 许可",
		[]string{"is nfa free", "how much does nfa cost", "what does this program cost", "do I have to pay for nfa", "nfa 收费吗", "nfa 免费吗"},
		"nfa is free, and this assistant costs nothing. The provider bills you for a connected model; `/cost` shows the cost of the session.",
		"nfa 免费，内置助手也不收费。连接的模型由其提供商计费，`/cost` 显示本次会话的用量。"},
	{"help_thanks", "thanks thank thx cheers great nice 谢谢 感谢 多谢",
		[]string{"thanks", "thank you", "great, thanks", "谢谢", "多谢"},
		"You're welcome.", "不客气。"},
	{"help_permissions", "approve approval permission permissions allow always revoke ask confirm take back undo 批准 权限 允许 撤销 确认",
		[]string{"how do I revoke a permission", "what may you do without asking", "stop asking for approval", "怎么撤销权限"},
		"nfa asks before a tool writes or runs anything. To see and revoke what you always allow, run `nfa config permissions`.",
		"任何写入或执行操作之前都会询问。`nfa config permissions` 列出并撤销始终允许的权限。"},
	{"help_delete", "delete erase uninstall remove wipe reset everything all my data 卸载 清空 抹掉",
		[]string{"how do I delete all my data", "uninstall nfa", "wipe everything", "怎么卸载", "怎么删除所有数据"},
		"Delete the folder `~/.nfa` and the program; there are no other copies. `nfa sessions delete ID` deletes one session.",
		"删除 `~/.nfa` 目录和程序即可，别处没有副本。`nfa sessions delete ID` 删除单个会话。"},
}

// overview returns what the assistant can do, with a question for each group.
func overview(chinese bool) string {
	if chinese {
		return "我是 nfa 的内置助手：按规则找到工具，不是语言模型，可以离线使用。例如：\n\n" +
			"- 行情：`苹果股价`、`微软近三年的回报`、`画一下特斯拉一年的走势图`\n" +
			"- 公司：`苹果的市盈率`、`微软的现金流量表`\n" +
			"- 组合：`我现在持有哪些股票`、`我今年赚了多少`\n" +
			"- 计算：`房贷100万，利率3.6%，30年`、`3400的12.5%是多少`\n\n" +
			"`/help` 列出所有命令，`/skills` 列出技能。连接语言模型：`/setup`。"
	}
	return "I am nfa's built-in assistant: rules that find the right tool, not a language model. I work offline. For example:\n\n" +
		"- Markets: `price of AAPL`, `How did the S&P 500 do in 2018?`, `compare AAPL and MSFT since 2010`\n" +
		"- Companies: `P/E of Apple`, `Microsoft cash flow statement`\n" +
		"- Portfolio: `what do I own`, `did I beat the S&P 500`, `I bought 10 AAPL at 150 on 2024-03-05`\n" +
		"- Planning: `mortgage 400k at 6.5% for 30 years`, `I have 500k and spend 30k a year, how long will it last?`\n\n" +
		"`/help` lists all commands, `/skills` the skills. To connect a language model: `/setup`."
}
