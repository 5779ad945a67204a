package main

import (
	"slices"

	"rulestore/content/i18n"
)

// russian is what the command line says in Russian, but for the help, which is in the
// folder help.
var russian = i18n.Catalogue{
	Counts: [][4]string{
		{"publication", "публикация", "публикации", "публикаций"},
		{"item", "документ", "документа", "документов"},
		{"file", "файл", "файла", "файлов"},
		{"error", "ошибка", "ошибки", "ошибок"},
		{"warning", "предупреждение", "предупреждения", "предупреждений"},
		{"note", "замечание", "замечания", "замечаний"},
	},
	Texts: slices.Concat(russianOfAll, russianOfAuthors),
}

// russianOfAll is what several commands say.
var russianOfAll = [][2]string{
	// The command line.
	{"run `rulestore help` for the commands and their flags\n", "команды и их флаги перечислит `rulestore help`\n"},
	{"--%s is empty: give it a value, or leave it out", "--%s без значения: укажите его или уберите флаг"},
	{"unknown command %q for %q%v", "нет команды %q у %q%v"},
	{"accepts %d arg(s), received %d%v", "аргументов нужно %d, а указано %d%v"},
	{"accepts at most %d arg(s), received %d%v", "аргументов нужно не больше %d, а указано %d%v"},
	{"accepts between %d and %d arg(s), received %d%v", "аргументов нужно от %d до %d, а указано %d%v"},
	{": %s", ": %s"},
	{": %s, for example `%s`", ": %s, например `%s`"},
	{
		"%s takes no %q: a repository is named with --repo, `%[1]s --repo %[2]q`",
		"%s не принимает %q: репозиторий называет --repo, `%[1]s --repo %[2]q`",
	},
	{"unknown flag: %s%v", "нет флага %s%v"},
	{"the flag --%s needs a value", "флагу --%s нужно значение"},
	{"%q is no value of --%s: expected %s", "%q не подходит для --%s: нужно %s"},
	{
		"%s is written wrong: flags are given as --name value, or as --name=value",
		"%s записан неверно: флаги пишут как --имя значение или --имя=значение",
	},
	{"%s is empty: give it a value, or unset it", "%s без значения: задайте его или уберите переменную"},
	{"nothing reads the variable %s%v", "переменную %s ничто не читает%v"},
	{": did you mean %s?", ": возможно, %s?"},
	{
		": `rulestore serve --help` lists the flags, and each is a variable",
		": флаги перечислит `rulestore serve --help`, и для каждого есть переменная",
	},
	{"true or false", "true или false"},
	{"a whole number", "целое число"},
	{"a span of time, for example 30s or 5m", "время, например 30s или 5m"},
	{"a text", "текст"},
	{"--format %q: choose text or json", "--format %q: выберите text или json"},
	{"--format %q: choose text, json, sarif or github", "--format %q: выберите text, json, sarif или github"},
	{"--format %q: choose text, json or github", "--format %q: выберите text, json или github"},

	{"%s takes nothing more", "после %s больше ничего не нужно"},
	{"load %s: %w", "прочитать %s: %v"},

	// The cases.
	{"cases: %d, failed: %d", "случаев: %d, не сошлось: %d"},
	{"there are no cases to try: they are in %s", "проверять нечего: случаи лежат в папке %s"},
	{
		"before: hit rate %.3f, mean reciprocal rank %.3f\n",
		"раньше: доля попаданий %.3f, средний обратный ранг %.3f\n",
	},
	{
		"questions: %d, hit rate %.3f, mean reciprocal rank %.3f\n",
		"вопросов: %d, доля попаданий %.3f, средний обратный ранг %.3f\n",
	},
	{
		"files with errors, which the cases are tried without: `rulestore validate` shows them",
		"файлы с ошибками, без них случаи и проверяются: эти файлы покажет `rulestore validate`",
	},
	{
		"whether the cases pass: the content has errors that are to be mended first",
		"сходятся ли случаи: сначала исправьте ошибки в содержании",
	},

	// explain, and what stands beside findings.
	{
		", since %s",
		", с %s",
	},
	{
		", `rulestore validate --fix` mends it where that is safe",
		", `rulestore validate --fix` исправит, где это безопасно",
	},
	{
		"What `rulestore validate` says of it:",
		"Что говорит об этом `rulestore validate`:",
	},
	{
		"A repository that `rulestore init` made has every format, with all fields, in %s.",
		"В репозитории, который сделала команда `rulestore init`, все форматы со всеми полями лежат в %s.",
	},
	{
		"The files under bad/ are against the rule, those under good/ keep it.",
		"Файлы в bad/ нарушают правило, файлы в good/ его соблюдают.",
	},
	{
		"They are histories: commits with what they change, and tags with their messages.",
		"Это истории: коммиты с тем, что они меняют, и теги с их сообщениями.",
	},
	{
		"What cannot be seen is escaped: .quoted files are written line by line in quotes.",
		"Чего не видно, записано кодами: файлы .quoted — построчно в кавычках.",
	},
	{"%s in %s", "%s; проверено: %s"},
	{"example: %s", "пример: %s"},
	{"the format: %s", "формат: %s"},

	// What the system says.
	{"the disk is full", "на диске нет места"},
	{"the disk cannot be written to", "диск только для чтения"},
	{"it is a folder, not a file", "это папка, а не файл"},
	{"it is a file, not a folder", "это файл, а не папка"},
	{"too many files are open", "открыто слишком много файлов"},
	{"the folder is not empty", "папка не пуста"},
	{"there is no such file or folder", "нет такого файла или папки"},
	{"it is there already", "уже есть"},
	{"it is not allowed", "нет прав"},
	{"it took too long", "слишком долго"},
	{"it was stopped", "прервано"},
	{"%s: write %s", "%s: напишите %s"},
	{"it ended too early", "обрывается"},
}
