package mcpserver

import "rulestore/content/i18n"

// Russian is the Russian catalogue for errors in settings.
var Russian = i18n.Catalogue{Texts: [][2]string{
	{"no toolset is called %.40q: choose from %s, %s, %s", "нет набора инструментов %.40q: есть %s, %s, %s"},
	{
		"the toolset %s is chosen alone: its search is not that of other toolsets",
		"набор инструментов %s выбирают один: поиск в нём не тот, что в других наборах",
	},
}}
