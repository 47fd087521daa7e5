package screens

import (
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/tui"
)

// settingItems returns the settings for the help of the chat, with the command that changes each.
func settingItems(s app.Settings) []tui.SettingItem {
	values := map[string]string{}
	for _, v := range s.Config.Values() {
		values[v.Key] = v.Value
	}
	var items []tui.SettingItem
	for _, setting := range config.Settings() {
		item := tui.SettingItem{
			Key: setting.Key, Value: values[setting.Key], About: setting.Doc,
			Change: "nfa config set " + setting.Key + " VALUE",
		}
		switch {
		case setting.Secret:
			item.Change = "nfa auth set PROVIDER"
		case setting.Kind == config.Paths:
			item.Change = "nfa config path  # edit this file"
		}
		items = append(items, item)
	}
	return items
}
