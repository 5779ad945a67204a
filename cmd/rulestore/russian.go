package main

import "rulestore/content/i18n"

// russian is what the command line says in Russian, but for the help, which is in the
// folder help.
var russian = i18n.Catalogue{
	Counts: [][4]string{
		{"publication", "публикация", "публикации", "публикаций"},
		{"item", "документ", "документа", "документов"},
		{"file", "файл", "файла", "файлов"},
		{"difference", "расхождение", "расхождения", "расхождений"},
		{"error", "ошибка", "ошибки", "ошибок"},
		{"warning", "предупреждение", "предупреждения", "предупреждений"},
		{"note", "замечание", "замечания", "замечаний"},
	},
	Texts: [][2]string{
		// The command line.
		{"run `rulestore help` for the commands and their flags\n", "команды и их флаги перечислит `rulestore help`\n"},
		{"--%s is empty: give it a value, or leave it out", "--%s без значения: укажите его или уберите флаг"},
		{"unknown command %q for %q", "нет команды %q у %q"},
		{"unknown command %q for %q: did you mean %s?", "нет команды %q у %q: возможно, %s?"},
		{"accepts %d arg(s), received %d", "аргументов нужно %d, а указано %d"},
		{"accepts at most %d arg(s), received %d", "аргументов нужно не больше %d, а указано %d"},
		{"accepts between %d and %d arg(s), received %d", "аргументов нужно от %d до %d, а указано %d"},
		{"there is no flag --%s", "нет флага --%s"},
		{"there is no flag -%s", "нет флага -%s"},
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

		// The cases.
		{"the cases are to be mended first: %s", "сначала исправьте случаи: %s"},
		{"--export %q: choose promptfoo", "--export %q: выберите promptfoo"},
		{
			"--export tries nothing: leave out --base, --summary and --format",
			"--export ничего не проверяет: уберите --base, --summary и --format",
		},
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
		{"the name of the machine, %s, is not known", "машина с именем %s не найдена"},
		{"%q is no address to listen on or to connect to", "%q — не адрес"},
		{"nothing answers there", "там никто не отвечает"},
		{"the connection was cut", "соединение оборвано"},
		{"the address is taken already", "адрес уже занят"},
		{"this machine does not have the address", "у этой машины нет такого адреса"},
		{"there is no way to the machine", "до машины не добраться"},
		{"there is no way to the network", "до сети не добраться"},
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
		{"the certificate is signed by nobody who is trusted here", "сертификат подписан тем, кому здесь не доверяют"},
		{"the certificate is not for %s", "сертификат не для %s"},
		{"told to end by a signal", "прервано сигналом"},

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
			"печати в коммите; отправьте ветку %s, слейте её, затем на основной ветке выполните `rulestore publish --tag --push`",
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
		{
			"--at %s is not in the future (UTC): leave it out, what is published is found at once",
			"--at %s уже наступило (UTC): уберите флаг, опубликованное видно сразу",
		},
		{"%q is no version: expected for example 1.9.0", "%q — не версия: нужна, например, 1.9.0"},

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

		// migrate
		{
			"rulestore: there is nothing to migrate: %s holds no seals\n",
			"rulestore: переносить нечего: в %s нет печатей\n",
		},
		{
			"rulestore: the seals are in %s/ now, %s changed and committed on %s\n",
			"rulestore: печати теперь в %s/, изменено и сохранено в коммите: %s, ветка %s\n",
		},

		// mark
		{
			"marked %s %s since %s in %s\nto put it in force: %[5]s add %[4]s && %[5]s commit -m \"…\" %[4]s\n",
			"%s: пометка %s с %s записана в %s\nчтобы она действовала: %[5]s add %[4]s && %[5]s commit -m \"…\" %[4]s\n",
		},
		{
			"%q is no mark: choose archived, review_required, redacted or void",
			"%q — не пометка: выберите archived, review_required, redacted или void",
		},
		{
			"--replaced-by is for the item as a whole: leave the version out, or --replaced-by, since the next version replaces it",
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
			"создан %[1]s\nзаполните то, что перечислит `rulestore validate %[1]s`, затем: %[2]s add %[1]s && %[2]s commit -m \"…\"\n",
		},
		{"there is no kind %q: did you mean %s?", "нет вида %q: возможно, %s?"},
		{"there is no kind %q: choose %s", "нет вида %q: есть %s"},

		// init
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
			`created %[1]s: rules in a folder of this repository, merged into the branch that is checked out,
with tags that begin with %[1]s/ and a manual in README.md

GitHub checks them by %[2]s; for GitLab, add to .gitlab-ci.yml:
  include: %[1]s/.gitlab-ci.yml

check them before each commit, or run that hook from your own:
  git config core.hooksPath %[1]s/.githooks

send them with their tags, by a merge that keeps their history:
  git push REMOTE HEAD 'refs/tags/%[1]s/*'
`,
			`создана %[1]s: правила в папке этого репозитория, слиты в текущую ветку,
их теги начинаются с %[1]s/, описание в README.md

GitHub проверяет их по %[2]s; для GitLab добавьте в .gitlab-ci.yml:
  include: %[1]s/.gitlab-ci.yml

проверять их перед каждым коммитом (или вызывайте этот хук из своего):
  git config core.hooksPath %[1]s/.githooks

отправить их с тегами, слиянием, которое сохраняет историю:
  git push REMOTE HEAD 'refs/tags/%[1]s/*'
`,
		},
		{"init --subdir %s: %w", "создать правила в папке %s (--subdir): %v"},
		{
			"name the folder of the new repository: rulestore init DIR",
			"назовите папку нового репозитория: `rulestore init ПАПКА`",
		},
		{
			"this is no folder in the repository that tags can begin with: choose letters, digits, hyphens, underscores and dots, as in finance/rules",
			"это не папка репозитория, с которой могут начинаться теги: выберите буквы, цифры, дефисы, подчёркивания и точки, как в finance/rules",
		},
		{"%s is there, and no folder: choose another one", "%s уже есть, и это не папка: выберите другую"},
		{
			"the folder belongs to other rules: choose one outside %s",
			"папка принадлежит другим правилам: выберите папку вне %s",
		},
		{
			"the folder lies in the git repository %[1]s: `rulestore init --subdir %[2]q %[1]q` puts the rules into it there, or choose a folder outside it",
			"папка лежит в репозитории %[1]s: `rulestore init --subdir %[2]q %[1]q` создаст правила в нём, или выберите папку вне его",
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
			"the commit that the change began from: %s, so it is compared with %s itself, and what was changed there meanwhile looks undone",
			"коммит, с которого началось изменение: %s, поэтому сравнение с %s, и то, что там изменили тем временем, выглядит отменённым",
		},
		{
			"the clone is shallow: what is published, its versions and its seals (`git fetch --unshallow --tags` fetches them)",
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
			"--base: %w; the clone is shallow: fetch it, for example with `git fetch --depth=1 origin main`, and name it FETCH_HEAD or origin/main",
			"--base: %v; история клона обрезана: загрузите ветку, например `git fetch --depth=1 origin main`, и назовите её FETCH_HEAD или origin/main",
		},
		{
			"there is no rule %q: did you mean %s? `rulestore rules` lists them",
			"нет правила проверки %q: возможно, %s? Все перечислит `rulestore rules`",
		},
		{
			"there is no rule %q: `rulestore rules` lists them",
			"нет правила проверки %q: все перечислит `rulestore rules`",
		},

		// calc
		{"--json and --text exclude each other: choose one", "--json и --text исключают друг друга: выберите одно"},
		{"there is no tool %q: did you mean %s?", "нет расчёта %q: возможно, %s?"},
		{"there is no tool %q: `rulestore calc` lists them", "нет расчёта %q: все перечислит `rulestore calc`"},
		{"read the request: %w", "прочитать запрос: %v"},
		{
			"there is no request: give a file with --input, or pipe one in; `rulestore calc %s --example` prints one that works",
			"нет запроса: назовите файл, --input, или передайте его на вход; рабочий пример покажет `rulestore calc %s --example`",
		},
		{"%s refuses the request (%s): %s", "%s не принимает запрос (%s): %s"},

		// serve, mcp
		{"the starter content", "начальное содержание"},
		{"load %s: %w", "прочитать %s: %v"},
		{"make a site of %s: %w", "подготовить %s: %v"},
		{
			"%s, branch %s at %s: %d publications of %d items; %d refused, %d held, %d errors, %d warnings\n",
			"%s, ветка %s, коммит %s: публикаций %d, документов %d; не принято %d, ждёт %d, ошибок %d, предупреждений %d\n",
		},
		{
			"check %s: %d publications would not be served, %d errors (see above)",
			"проверить %s: не отдавалось бы публикаций %d, ошибок %d (см. выше)",
		},
		{"--poll %s is too short: at least 1s", "--poll %s — слишком часто: не меньше 1s"},
		{
			"--stale-after %s is too short: at least twice --poll, %s",
			"--stale-after %s — слишком мало: не меньше двух --poll, %s",
		},
		{
			"--base-url %q is no address: expected for example https://rules.example.org",
			"--base-url %q — не адрес: нужен, например, https://rules.example.org",
		},
		{
			"--tls-cert and --tls-key belong together: give both or neither",
			"--tls-cert и --tls-key нужны вместе: укажите оба или ни одного",
		},
		{
			"--rate, --max-connections and --max-client-connections are counts: 0 or more",
			"--rate, --max-connections и --max-client-connections — количества: 0 или больше",
		},
		{"--drain-delay %s is negative", "--drain-delay %s меньше нуля"},
		{"--%s %s is too short: at least 100ms", "--%s %s — слишком мало: не меньше 100ms"},
		{
			"--trusted-proxies %q is no network: expected for example 10.0.0.0/8",
			"--trusted-proxies %q — не сеть: нужна, например, 10.0.0.0/8",
		},
		{"--log-format %q: expected text or json", "--log-format %q: нужно text или json"},
		{"--log-level %q: expected debug, info, warn or error", "--log-level %q: нужно debug, info, warn или error"},
		{
			"--webhook-addr is for a --repo elsewhere: changes on this machine are noticed anyway",
			"--webhook-addr — для --repo на другой машине: изменения на этой видны и так",
		},
		{
			"--webhook-addr needs the secret that the host signs with: name its file with --webhook-secret-file, or set RULESTORE_WEBHOOK_SECRET",
			"для --webhook-addr нужен секрет, которым подписывает хостинг git: назовите файл, --webhook-secret-file, или задайте RULESTORE_WEBHOOK_SECRET",
		},
		{
			"the webhook secret is too short: at least %d characters, for example from `openssl rand -hex 32`",
			"секрет слишком короткий: знаков нужно не меньше %d, например от `openssl rand -hex 32`",
		},
		{"listen: %w (choose another address with --addr)", "ждать запросов: %v (другой адрес задаёт --addr)"},
		{
			"listen for operators: %w (choose another address with --admin-addr)",
			"ждать запросов администраторов: %v (другой адрес задаёт --admin-addr)",
		},
		{
			"--webhook-peers %q is no HOST:PORT: expected for example rulestore-peers:8090",
			"--webhook-peers %q — не HOST:PORT: нужно, например, rulestore-peers:8090",
		},
		{
			"--webhook-peers needs --webhook-addr: what others are told of has to be heard",
			"для --webhook-peers нужен --webhook-addr: передать другим можно то, что услышано",
		},
		{"replica %s answers %s: is it of another secret?", "реплика %s отвечает %s: не другой ли у неё секрет?"},
		{
			"listen for webhooks: %w (choose another address with --webhook-addr)",
			"ждать вызовов хостинга git: %v (другой адрес задаёт --webhook-addr)",
		},
		{"serve: %w", "отвечать на запросы: %v"},
		{"stop: %d requests were cut off after %s: %w", "остановка: запросов прервано %d, ждали %s: %v"},
		{
			"this user has no cache folder: name one with --cache-dir",
			"у этого пользователя нет папки для кеша: назовите её, --cache-dir",
		},
		{"take socket %d from the service manager: %w", "принять сокет %d от диспетчера служб: %v"},
		{
			"the service manager hands over two sockets for %s: name the one for operators with FileDescriptorName=%s",
			"диспетчер служб передаёт два сокета для %s: назовите сокет для администраторов, FileDescriptorName=%s",
		},
		{"read the TLS certificate: %w", "прочитать сертификат TLS: %v"},
		{"%s with %s: %w", "%s с %s: %v"},
		{"%s: %w, and the old one ends at %s", "%s: %v, а прежний действует до %s"},
		{"the certificate of %q ended at %s", "срок сертификата %q истёк %s"},
		{"the certificate of %q begins at %s", "сертификат %q начнёт действовать %s"},
		{"some of what is published cannot be read: %w", "часть опубликованного не читается: %v"},
		{"read the secret: %w", "прочитать секрет: %v"},
		{
			"read the secret: %s has %d bytes, at most %d are read",
			"прочитать секрет: в %s %d байт, читается не больше %d",
		},
		{"read the secret: the first line of %s is empty", "прочитать секрет: первая строка %s пуста"},
		{"read the trusted signers: %w", "прочитать доверенных подписантов: %v"},
		{"read the trusted signers: %s: %w", "прочитать доверенных подписантов: %s: %v"},
		{
			"read the trusted signers: %s is no file of at most %d bytes",
			"прочитать доверенных подписантов: %s — не файл или в нём больше %d байт",
		},
		{
			"the trusted signers in %s lie in the repository that they guard: keep the file where a push cannot change it",
			"доверенные подписанты в %s лежат в том репозитории, который охраняют: держите файл там, где его не изменит отправка",
		},
		{
			"--trusted-signers is for a --repo: the starter content came with the program",
			"--trusted-signers — для --repo: начальное содержание поставляется с программой",
		},
		{
			"--drafts serves what nobody has signed: leave it out, or --trusted-signers",
			"--drafts отдаёт то, чего никто не подписал: уберите его или --trusted-signers",
		},
		{"--repo %s: there is no such folder", "--repo %s: такой папки нет"},

		// verify, healthcheck
		{
			"%q is no address of a server: expected for example https://rules.example.org",
			"%q — не адрес сервера: нужен, например, https://rules.example.org",
		},
		{"--timeout %s is too short", "--timeout %s — слишком мало"},
		{"%s serves what was published: %s checked%s\n", "%s отдаёт то, что опубликовано: проверено %s%s\n"},
		{"WHAT\tDIFFERS IN\tEXPECTED\tFOUND\n", "ЧТО\tВ ЧЁМ\tОЖИДАЛОСЬ\tНАЙДЕНО\n"},
		{"and %d more\t\t\t\n", "и ещё %d\t\t\t\n"},
		{
			"%s does not serve what was published: %s, %s checked%s",
			"%s отдаёт не то, что опубликовано: %s, проверено %s%s",
		},
		{"%d publications", "публикаций: %d"},
		{"%s (%d of them redacted)", "%s (из них изъято %d)"},
		{"%s and %d current versions", "%s, действующих версий: %d"},
		{" in %d answers", ", ответов: %d"},
		{
			"it serves commit %s, which is not before the repository's, %s: bring the repository up to date if it is newer",
			"сервер отдаёт коммит %s, а он не предшествует коммиту репозитория %s: если он новее, обновите репозиторий",
		},
		{"it serves commit %s, and the repository is at %s", "сервер отдаёт коммит %s, а в репозитории %s"},
		{"%s, %d other forms were left out at random", "%s, других форм наугад пропущено: %d"},
		{
			"%q is no address: expected for example http://127.0.0.1:8080/healthz",
			"%q — не адрес: нужен, например, http://127.0.0.1:8080/healthz",
		},
		{"healthcheck: %s answers %s: %s", "healthcheck: %s отвечает %s: %s"},

		// admin
		{
			"%q is nothing that a server can be told: expected confirm, pin, unpin or back",
			"серверу нельзя сказать %q: можно `confirm`, `pin`, `unpin` или `back`",
		},
		{
			"say which state to confirm: `rulestore admin` names the one that is held back",
			"назовите состояние, которое подтверждаете: придержанное называет `rulestore admin`",
		},
		{"%s takes nothing more", "после %s больше ничего не нужно"},
		{"--admin-addr %q is no address", "--admin-addr %q — не адрес"},
		{"ask the server: %w (say where with --admin-addr)", "запрос к серверу: %w (где он, скажите в --admin-addr)"},
		{"ask the server: %w", "запрос к серверу: %w"},
		{"the server at %s answers %s: %s", "сервер на %s отвечает %s: %s"},
		{
			"served: state %s, commit %s of %s, %d publications, snapshot %s\n",
			"отдаётся: состояние %s, коммит %s на %s, публикаций: %d, снимок %s\n",
		},
		{"before: state %s, commit %s of %s, since %s\n", "раньше: состояние %s, коммит %s на %s, с %s\n"},
		{"pinned: to %s, nothing that is pushed is served\n", "закреплено: на %s, новое не отдаётся\n"},
		{
			"held back: state %s, commit %s of %s, since %s; %d publications lost\n",
			"придержано: состояние %s, коммит %s на %s, с %s; потеряно публикаций: %d\n",
		},
		{"  the branch was rewritten\n", "  историю ветки переписали\n"},
		{"  lost: %s\n", "  потеряно: %s\n"},
		{"it crashed, see the log", "сервер аварийно прервал это, смотрите журнал"},
		{
			"the repository is on this machine, so there is no copy of what it was: say what to serve with --ref",
			"репозиторий на этой машине, и копии прежнего нет: что отдавать, скажите в --ref",
		},
		{"nothing is held back", "ничего не придержано"},
		{
			"state %q is not what is held back, that is %s: look at that first",
			"придержано не состояние %q, а %s: сначала посмотрите его",
		},
		{
			"the repository has moved on meanwhile, to state %s: look at that first",
			"репозиторий тем временем перешёл к состоянию %s: сначала посмотрите его",
		},
		{"state %s is not served: %s", "состояние %s не отдаётся: %s"},
		{"nothing was served before, as far as is known", "что отдавалось раньше, неизвестно"},
		{"nothing is pinned by an operator", "администратор ничего не закрепил"},
		{"nothing is served yet", "ещё ничего не отдаётся"},
		{"keep it for another process: %w", "сохранить для следующего процесса: %w"},
		{"it is not as it was written", "в нём не то, что было записано"},
		{
			"--max-loss is for a --repo elsewhere, of which there is a copy to go on with",
			"--max-loss — для удалённого --repo: от него остаётся копия, которую можно отдавать дальше",
		},
		{"--max-loss %q: expected a number of publications, or all", "--max-loss %q: нужно число публикаций или all"},
	},
}
