package main

// russianOfAuthors is what the commands say that authors use.
var russianOfAuthors = [][2]string{
	// publish
	{"rulestore: left out: %s\n", "rulestore: пропущено: %s\n"},
	{"rulestore: there is nothing to publish\n", "rulestore: публиковать нечего\n"},
	{"%s after v%s", "%s после v%s"},
	{"\tlook: %s: %s\n", "\tпосмотрите: %s: %s\n"},
	{
		"%s: its seal is in force and missing, it is written again\n",
		"%s: печать действует, но пропала, она будет записана снова\n",
	},
	{"%s: tagged by hand, it is sealed\n", "%s: тег поставлен вручную, к нему будет печать\n"},
	{
		"%s: the seal that this branch prepared is taken back, what it seals is not there any more\n",
		"%s: печать, подготовленная на этой ветке, убрана: того, что она закрепляла, больше нет\n",
	},
	{"%s: made already, to be pushed\n", "%s: уже есть, осталось отправить\n"},
	{"published and pushed to %s", "опубликовано и отправлено в %s"},
	{
		"the seals are committed; push %s, merge it, then run `rulestore publish --tag --push` on the served branch",
		"печати в коммите; отправьте ветку %s, слейте её, затем на основной ветке выполните `rulestore publish --tag " +
			"--push`",
	},
	{"published", "опубликовано"},
	{
		"published here; `rulestore publish --push` sends it to %s",
		"опубликовано здесь; в %s отправит `rulestore publish --push`",
	},
	{
		"--prepare comes before the merge and --tag after it: give one of them",
		"--prepare — до слияния, --tag — после: укажите что-то одно",
	},
	{
		"--tag tags what the seals say: it takes no item and no --bump",
		"--tag ставит теги по печатям: ни документ, ни --bump с ним не нужны",
	},
	{
		"%s: a prerelease is for those who try it, not for readers: leave out --at",
		"%s: проба не для читателей, а для тех, кто её испытывает: уберите --at",
	},
	{
		"--tag tags what the seals say, which have their day: leave out --at",
		"--tag ставит теги по печатям, а день в них уже есть: уберите --at",
	},
	{
		"a release lists what readers find: publish it when the day of --at has come",
		"выпуск перечисляет то, что видят читатели: публикуйте его, когда наступит день --at",
	},
	{"--at %q is no date: expected for example 2027-01-01", "--at %q — не дата: нужно, например, 2027-01-01"},
	{"%q is no version: expected for example 1.9.0", "%q — не версия: нужна, например, 1.9.0"},

	// log

	// status
	{"branch %s at %s: %s of %s", "ветка %s, коммит %s: %s, %s"},
	{", product %s", ", продукт %s"},
	{"signed", "подписано"},
	{"drafts", "черновики"},
	{"refused", "не принято"},
	{"waiting", "ждёт"},
	{"the next publish would make", "следующая публикация поставит"},
	{"(not committed)", "(не в коммите)"},
	{"  %s: tagged by hand, to be sealed\n", "  %s: тег поставлен вручную, будет печать\n"},
	{"  %s: its seal is missing, to be written again\n", "  %s: печать пропала, будет записана снова\n"},
	{"the next publication would leave out", "следующая публикация пропустит"},
	{"before it would publish", "до публикации"},
	{"nothing to publish\n", "публиковать нечего\n"},
	{"tags that publish nothing", "теги, которые ничего не публикуют"},
	{"also found", "ещё найдено"},
	{"%s since %s", "%s после %s"},
	{"only the layout differs, nothing to publish", "отличается только запись, публиковать нечего"},
	{"not published yet", "ещё не опубликовано"},
	{"%s, not committed", "%s, не в коммите"},
	{"  %s of commit %s: %s %s\n", "  %s из коммита %s: %s %s\n"},

	// diff
	{"there is nothing else of %s to compare", "сравнить не с чем: больше от %s ничего нет"},
	{"rulestore: the draft of %s is left out:\n", "rulestore: черновик %s не прочитан:\n"},
	{"it has one version only, there is nothing to compare it with", "версия одна, сравнить не с чем"},
	{"there is no version %q: choose one of %s", "нет версии %q: есть %s"},
	{"the two say the same\n", "в обеих одно и то же\n"},
	{"  look: %s\n", "  посмотрите: %s\n"},
	{
		"the text is too long to be compared by words: its lines are compared",
		"текст слишком длинный для сравнения по словам: сравнены строки",
	},
	{
		"the text is too long to be compared by words: all between equal ends is marked",
		"текст слишком длинный для сравнения по словам: отмечено всё между одинаковыми началом и концом",
	},

	// mark
	{
		"marked %s %s since %s in %s\nto put it in force: `%[5]s add %[4]s && %[5]s commit -m \"…\" %[4]s`\n",
		"%s: пометка %s с %s записана в %s\nчтобы она действовала: `%[5]s add %[4]s && %[5]s commit -m \"…\" %[4]s`\n",
	},
	{
		"%q is no mark: choose archived, review_required, redacted or void",
		"%q — не пометка: выберите archived, review_required, redacted или void",
	},
	{
		"--replaced-by is for the item as a whole: leave the version out, or --replaced-by, since the next version " +
			"replaces it",
		"--replaced-by относится к документу целиком: уберите версию или --replaced-by, ведь версию заменяет следующая",
	},
	{
		"--replaced-by is for what is not in force any more, and %s says something else: choose archived or redacted",
		"--replaced-by — для того, что больше не действует, а %s значит другое: выберите archived или redacted",
	},
	{"say why with --reason: readers see it", "назовите причину, --reason: её видят читатели"},
	{"--since %q is no date: expected for example 2026-05-01", "--since %q — не дата: нужно, например, 2026-05-01"},

	// new
	{
		"%q is no name of an item: use lower-case letters, digits, dots, hyphens and underscores",
		"%q — не имя документа: нужны строчные латинские буквы, цифры, точки, дефисы и подчёркивания",
	},
	{
		"--area %s: the names of %s contain their folders: write %s/%s",
		"--area %s: в %s папка входит в имя, напишите %s/%s",
	},
	{
		"--area %s: use lower-case letters, digits, dots, hyphens and underscores",
		"--area %s: нужны строчные латинские буквы, цифры, точки, дефисы и подчёркивания",
	},
	{"--area %s: nothing is read deeper than %d levels", "--area %s: глубже %d уровней ничего не читается"},
	{"%s is there already: choose another name", "%s уже есть: выберите другое имя"},
	{
		"created %[1]s\nfill in what `rulestore validate %[1]s` lists, then: %[2]s add %[1]s && %[2]s commit -m \"…\"\n",
		"создан %[1]s\nзаполните то, что перечислит `rulestore validate %[1]s`, затем: %[2]s add %[1]s && %[2]s " +
			"commit -m \"…\"\n",
	},
	{"there is no kind %q%v", "нет вида %q%v"},
	{": choose %s", ": есть %s"},

	// init
	{
		"rulestore: warning: the objects take more space than they need: %s\n",
		"rulestore: предупреждение: объекты занимают больше места, чем нужно: %s\n",
	},
	{
		`created %[1]s: a git repository of rules on branch %[2]s, with a manual in README.md

serve it, and watch it change as you publish:
  rulestore serve --repo %[1]s

publish a new version of a rule, in %[1]s:
  edit guidelines/product.common.001.yaml
  rulestore validate
  git commit -am "What changed and why"
  rulestore publish
`,
		`создан %[1]s: репозиторий правил на ветке %[2]s, описание в README.md

показать его и следить, как он меняется с публикациями:
  rulestore serve --repo %[1]s

опубликовать новую версию правила, в папке %[1]s:
  исправьте guidelines/product.common.001.yaml
  rulestore validate
  git commit -am "Что изменилось и почему"
  rulestore publish
`,
	},
	{
		"name the folder of the new repository: rulestore init DIR",
		"назовите папку нового репозитория: `rulestore init ПАПКА`",
	},
	{
		"the folder lies in the git repository %s, and rules need one of their own: choose a folder outside it",
		"папка лежит в репозитории %s, а правилам нужен свой: выберите папку вне его",
	},
	{"there is no history to add to", "нет истории, которую можно продолжить"},
	{"read the starter content: %w", "прочитать начальное содержание: %v"},
	{"read what a repository begins with: %w", "прочитать, с чего начинается репозиторий: %v"},

	// validate, explain
	{"not seen: %s\n", "не видно: %s\n"},
	{
		"not mended, because it is not checked out: %s: %s\n",
		"не исправлен, потому что его нет в рабочей папке: %s: %s\n",
	},
	{"mended %s: %s\n", "исправлен %s: %s\n"},
	{"the two have no commit in common", "у них нет общего коммита"},
	{"the clone is shallow", "история клона обрезана"},
	{
		"the commit that the change began from: %s, so it is compared with %s itself, and what was changed there " +
			"meanwhile looks undone",
		"коммит, с которого началось изменение: %s, поэтому сравнение с %s, и то, что там изменили тем временем, " +
			"выглядит отменённым",
	},
	{
		"the clone is shallow: what is published, its versions and its seals (`git fetch --unshallow --tags` fetches " +
			"them)",
		"история клона обрезана: что опубликовано, версии и печати (загрузит `git fetch --unshallow --tags`)",
	},
	{"the seals of the base: %v", "печати основной ветки: %v"},
	{"what is published: %v", "что опубликовано: %v"},
	{
		"what the change means cannot be said: the file breaks the rules, before or after",
		"что значит изменение, сказать нельзя: файл до или после него нарушает правила",
	},
	{
		"the file is gone; what is published goes on being served",
		"файл удалён; опубликованное по-прежнему отдаётся",
	},
	{
		"a new item%s; it says what %s said, which is gone: to readers an id never changes",
		"новый документ%s; в нём то же, что было в удалённом %s: для читателей идентификатор не меняется никогда",
	},
	{"a new item%s", "новый документ%s"},
	{"the file is back%s", "файл вернулся%s"},
	{"breaking change%s", "ломающее изменение%s"},
	{", published as %s", ", опубликован как %s"},
	{", to be published as %s", ", публиковать как %s"},
	{", %s → at least %s", ", %s → не ниже %s"},
	{"\n%schanged since %s%s (%s)\n", "\n%sизменилось после %s%s (%s)\n"},
	{"  nothing that readers see\n", "  ничего, что видят читатели\n"},
	{"    look: %s\n", "    посмотрите: %s\n"},
	{"  %s.yaml:%d:%d refers to it\n", "  %s.yaml:%d:%d ссылается на него\n"},
	{"  %s.yaml still uses %s\n", "  в %s.yaml ещё стоит %s\n"},
	{"\nmark %s: %s is %s since %s (%s)\n", "\nпометка, %s: %s — %s с %s (%s)\n"},
	{"--fix mends the work tree: leave out --ref", "--fix исправляет рабочую папку: уберите --ref"},
	{
		"--staged checks the index, as it is and for itself: leave out --fix, --ref and --base",
		"--staged проверяет индекс, как он есть и сам по себе: уберите --fix, --ref и --base",
	},
	{
		"%s is a bare repository, it has no files to check: choose a commit with --ref",
		"%s — репозиторий без рабочих файлов, проверять нечего: выберите коммит, --ref",
	},
	{
		"there is no file or folder %s among the content: it lies in %s and the folders %s",
		"файла или папки %s нет среди содержания: оно лежит в %s и в папках %s",
	},
	{"a bare repository has no paths: leave them out", "у репозитория без рабочих файлов нет путей: уберите их"},
	{"%s is outside the repository %s", "%s вне репозитория %s"},
	{
		"--base: %w; the clone is shallow: fetch it, for example with `git fetch --depth=1 origin main`, and name it " +
			"FETCH_HEAD or origin/main",
		"--base: %v; история клона обрезана: загрузите ветку, например `git fetch --depth=1 origin main`, и назовите " +
			"её FETCH_HEAD или origin/main",
	},
	{
		"there is no rule %q: did you mean %s? `rulestore rules` lists them",
		"нет правила проверки %q: возможно, %s? Все перечислит `rulestore rules`",
	},
	{
		"there is no rule %q: `rulestore rules` lists them",
		"нет правила проверки %q: все перечислит `rulestore rules`",
	},
}
