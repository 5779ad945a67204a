package main

import "rulestore/content/i18n"

// russianHelp is what help says of flags in Russian, and around the texts of the folder
// help.
var russianHelp = i18n.Catalogue{Texts: [][2]string{
	{"Usage:\n", "Использование:\n"},
	{"  %s [flags]\n", "  %s [флаги]\n"},
	{"  %s [command]\n", "  %s [команда]\n"},
	{"\nExamples:\n%s\n", "\nПримеры:\n%s\n"},
	{"Commands of authors:", "Команды авторов:"},
	{"Commands of operators:", "Команды администраторов (по-английски):"},
	{"Additional Commands:", "Ещё:"},
	{"Flags:", "Флаги:"},
	{
		"\nUse \"%s [command] --help\" for more information about a command.\n",
		"\nСправка о команде: %s [команда] --help\n",
	},
	{"%s (default %s)", "%s (по умолчанию %s)"},
	{"show this help", "показать эту справку"},
	{"text", "текст"},
	{"list", "список"},
	{"number", "число"},
	{"time", "время"},

	// Of several commands.
	{
		"the repository, or the folder of it with the content; any folder in that will do",
		"репозиторий или папка с содержанием в нём; годится любая папка внутри",
	},
	{
		"the branch that is served; without it, the one that HEAD names",
		"основная ветка; без флага — та, которую называет HEAD",
	},
	{"text or json", "text или json"},
	{
		"count only what somebody signed whom this file lists: SSH keys as in git's allowed_signers, OpenPGP keys " +
			"armored",
		"считать только подписанное теми, кого перечисляет этот файл: ключи SSH, как в allowed_signers у git, ключи " +
			"OpenPGP в текстовом виде",
	},

	// publish
	{
		"publish ahead of time: the day from which readers find it, for example 2027-01-01, at its first moment in " +
			"the time_zone of rulestore.yaml",
		"опубликовать заранее: день, с которого публикацию увидят читатели, например 2027-01-01, с его первого " +
			"мгновения в поясе time_zone из rulestore.yaml",
	},
	{
		"the step of the version, patch, minor or major: of all, or ITEM=STEP of one",
		"шаг версии, patch, minor или major: для всех или ДОКУМЕНТ=ШАГ для одного",
	},
	{"show the plan and change nothing", "показать план и ничего не менять"},
	{"write the seals on the branch of a pull request", "записать печати на ветке запроса на слияние"},
	{"push the branch and the tags, all or nothing", "отправить ветку и теги, всё или ничего"},
	{
		"the branch that is served; without it the one that the remote's HEAD names, or main",
		"основная ветка; без флага — та, которую называет HEAD удалённого репозитория, или main",
	},
	{
		"also release the product under this version, for example 1.9.0",
		"ещё и выпустить продукт под этой версией, например 1.9.0",
	},
	{"make the tags of what was sealed in a merged pull request", "поставить теги по печатям из слитого запроса"},

	// validate
	{
		"say what changed since a branch, tag or commit: since the newest commit that both come from",
		"сказать, что изменилось после ветки, тега или коммита: после последнего общего с ними коммита",
	},
	{
		"mend what is mechanical first, without changing what a file says",
		"сначала исправить механическое, не меняя смысла файлов",
	},
	{"text, json, sarif or github", "text, json, sarif или github"},
	{"check a branch, tag or commit instead of the work tree", "проверить ветку, тег или коммит вместо рабочей папки"},
	{
		"check what is to be committed: the staged files, as they are staged, and those that refer to them",
		"проверить то, что войдёт в коммит: подготовленные файлы, какими они подготовлены, и те, что на них ссылаются",
	},
	{"fail on warnings too", "считать неудачей и предупреждения"},
	{
		"write a Markdown summary to a file, for a pull request; - is stdout",
		"записать в файл итог в Markdown, для запроса на слияние; - — стандартный вывод",
	},

	// test
	{"try a branch, tag or commit instead of the work tree", "проверить ветку, тег или коммит вместо рабочей папки"},
	{
		"say what is different since a branch, tag or commit: since the newest commit that both come from",
		"сказать, что изменилось после ветки, тега или коммита: после последнего общего с ними коммита",
	},
	{"text, json or github", "text, json или github"},

	// mark, new
	{
		"the item to take in place of this one, if it is archived or redacted as a whole",
		"документ, который читать вместо этого, если тот в архиве, изъят или перекрыт целиком",
	},
	{"why: readers see it", "причина: её видят читатели"},
	{
		"from which day on, for example 2026-05-01; without it, today",
		"с какого дня, например 2026-05-01; без флага — с сегодняшнего",
	},
	{"the sub-folder for the file; levels are parted by /", "вложенная папка для файла; уровни разделяет /"},
	{"the item to begin with a copy of, of the same kind", "документ того же вида, с копии которого начать"},

	// calc

	// serve, mcp

	// lsp
	{
		"speak over stdin and stdout; there is no other way, and some editors say it",
		"через стандартный ввод и вывод; другого пути нет, но некоторые редакторы его называют",
	},

	// verify, healthcheck, version

	// export
}}
