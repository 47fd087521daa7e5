package offline

// userDataWords are the words that ask for each tool, the more specific first. Plain words say that
// the data is the user's own; loose words count only next to a word for the portfolio, or after a
// question about it.
var userDataWords = []struct {
	tool         string
	plain, loose []string
}{
	{
		tool:  ToolWatchlist,
		plain: []string{"watchlist*", "watch list*", "am i watching", "do i watch", "beobachtungsliste*", "liste de suivi", "lista de seguimiento", "自选股", "观察名单"},
	},
	{
		tool:  ToolJournal,
		plain: []string{"decision journal", "my decision*", "my journal", "meine entscheidungen", "mes décisions", "mis decisiones", "我的决定", "我的决策"},
		loose: []string{"decision*", "journal"},
	},
	{
		tool: ToolProfile,
		plain: []string{"my profile", "investor profile", "me as an investor", "i as an investor", "my risk tolerance", "mein profil", "anlegerprofil",
			"mon profil", "mi perfil", "我的投资档案", "我的投资者画像"},
		loose: []string{"profile", "risk tolerance"},
	},
	{
		tool: ToolLots,
		plain: []string{"my lots", "my tax lots", "tax lot*", "the lots", "which lots", "open lots", "my losses", "my capital gain*", "my realised gain*", "my realized gain*", "my wash sale*",
			"my tax loss*", "tax-loss harvest*", "harvest losses", "harvest a loss", "harvest my", "tax loss harvest*", "loss harvest*", "meine steuerlose", "mes lots", "mis lotes", "我的税务批次"},
		loose: []string{"lots", "harvest*", "tax loss*", "tax-loss*", "capital gain*", "realised gain*", "realized gain*", "wash sale*", "at a loss", "kapitalgewinn*", "verlustverrechnung",
			"plus-value*", "moins-value*", "plusvalía*", "minusvalía*", "ganancias de capital", "资本利得"},
	},
	{
		tool:  ToolRebalance,
		plain: []string{"rebalance my", "rebalance the portfolio", "rebalance the book"},
		loose: []string{"rebalanc*", "umschicht*", "rééquilibr*", "reequilibr*", "再平衡"},
	},
	{
		tool:  ToolCheckup,
		plain: []string{"portfolio checkup", "portfolio check-up", "am i diversified", "diversified am i"},
		loose: []string{"checkup", "check-up", "check", "review", "all right", "alright", "okay", "wrong with", "out of line", "in order", "healthy", "health", "look", "looks", "looking", "diversif*",
			"prüf*", "überprüf*", "vérifie*", "revisa*", "检查", "体检"},
	},
	{
		tool: ToolAllocation,
		plain: []string{"my allocation", "my asset allocation", "my weights", "off my target*", "meine aufteilung", "meine allokation", "ma répartition", "mon allocation",
			"mi asignación", "mi distribución", "我的资产配置"},
		loose: []string{"allocation*", "allocated", "divided", "weight*", "weighted", "by class", "by currency", "by region", "by sector", "drift*", "split up", "aufteilung", "aufgeteilt",
			"allokation", "réparti*", "asignación", "distribución", "资产配置"},
	},
	{
		tool: ToolPerformance,
		plain: []string{"my performance", "my return", "my returns", "my gains", "how have i done", "how did i do", "how am i doing", "have i beaten", "did i beat", "have i earned", "have i gained",
			"have i lost", "have i made", "did i earn", "did i gain", "did i lose", "meine rendite", "meine performance", "mon rendement", "ma performance", "mi rendimiento", "mi rentabilidad",
			"我的收益", "我的回报"},
		loose: []string{"perform*", "return", "returns", "returned", "gained", "earn*", "lost", "beat", "beaten", "against", "versus", "vs", "compare*", "outperform*", "grow*", "grown", "rendite",
			"entwickelt", "gegen", "vergleich*", "rendement*", "évolué", "contre", "rentabilidad", "rendimiento", "ha ido", "evolucionado", "frente a", "收益", "回报", "表现"},
	},
	{
		tool: ToolPositions,
		plain: []string{"am i worth", "do i own", "do i hold", "what i own", "what i hold", "my cash", "bin ich wert", "besitze ich", "est-ce que je possède", "je possède quoi", "qué tengo",
			"我持有什么", "我持有哪些"},
	},
}

// portfolioWords name the portfolio as the user's own.
var portfolioWords = []string{
	"my portfolio", "my portfolios", "our portfolio", "my book", "my positions", "my position", "my holdings", "my holding", "my investments", "my stocks", "my shares", "my funds", "my depot",
	"mein portfolio", "meinem portfolio", "meines portfolios", "mein depot", "meinem depot", "meines depots", "meine positionen", "meine position", "meine anlagen", "meine aktien",
	"mon portefeuille", "mes positions", "mes placements", "mes actions", "mi cartera", "mi portafolio", "mis posiciones", "mis inversiones", "mis acciones", "我的投资组合", "我的组合", "我的持仓",
}

// toolByWord are what is meant by one word alone, as a command. What may follow a
// question about an instrument, such as performance, is not here.
var toolByWord = map[string]string{
	"portfolio": ToolPositions, "positions": ToolPositions, "holdings": ToolPositions, "depot": ToolPositions, "portefeuille": ToolPositions, "cartera": ToolPositions, "持仓": ToolPositions,
	"allocation": ToolAllocation, "rebalance": ToolRebalance, "checkup": ToolCheckup, "check-up": ToolCheckup, "lots": ToolLots,
	"review": ToolJournal, "journal": ToolJournal, "decisions": ToolJournal, "profile": ToolProfile,
}

// showVerbs are words that only open a command.
var showVerbs = []string{"show", "me", "the", "please", "list", "and", "zeige", "zeig", "mir", "bitte", "montre", "moi", "muestra", "muéstrame", "显示"}

// writeVerbs opens what asks for a change, or tells of something to be kept.
var writeVerbs = []string{
	"add", "please add", "remove", "please remove", "delete", "please delete", "record", "please record", "import", "please import", "put", "please put", "log", "please log", "set", "change", "update",
	"i bought", "i sold", "i have bought", "i have sold", "i just bought", "i just sold", "füge", "lösche", "entferne", "importiere", "ajoute", "supprime", "importe", "añade", "agrega", "elimina", "importa",
	"添加", "删除",
}
