package main

// russianOfOperators is what the commands say that operators use.
var russianOfOperators = [][2]string{
	// verify --trace
	{
		"say what to verify: the address of a server, or a trace with --trace",
		"скажите, что проверить: адрес сервера или запись об источниках с --trace",
	},
	{"it is no JSON: %w", "это не JSON: %v"},
	{"it is no trace of use: %w", "это не запись об источниках: %v"},
	{
		"it is no trace of use: `instruction_id` and `accessed_at` say what was read, and when",
		"это не запись об источниках: что и когда прочитано, говорят `instruction_id` и `accessed_at`",
	},
	{"read the trace: %s: %w", "прочитать запись: %s: %v"},
	{
		"%d of the %d sources that the trace names are not what it says",
		"не то, что говорит запись: %d из названных в ней источников (%d)",
	},
	{"all is as the trace says\n", "всё так, как говорит запись\n"},
	{
		"all is as the trace says; %d of %d calculations were not done again, as it has no whole answers of them\n",
		"всё так, как говорит запись; заново не посчитано %d из %d: ответов этих расчётов целиком в записи нет\n",
	},
	{"it is no trace of use: calculations_used/%d: %w", "это не запись об источниках: calculations_used/%d: %v"},
	{
		"it is no trace of use: calculations_used/%d: `tool_id` and `tool_version` say what was calculated by",
		"это не запись об источниках: calculations_used/%d: чем посчитано, говорят `tool_id` и `tool_version`",
	},
	{
		"cannot be told: this program has no such calculation, or not in this version",
		"сказать нельзя: такого расчёта или такой его версии в этой программе нет",
	},
	{"no calculation has the status %s", "статуса %s у расчётов не бывает"},
	{"no checksum: %s", "не контрольная сумма: %s"},
	{
		"there is such a calculation; what it came to is not in the trace",
		"такой расчёт есть; что вышло, в записи не сказано",
	},
	{"calculated again: comes to this answer", "посчитано заново: выходит то же"},
	{
		"calculated again: comes to another answer, %s differs",
		"посчитано заново: выходит другое, отличается %s",
	},
	{"cannot be told: what the answer rests on is not here", "сказать нельзя: того, на чём основан ответ, здесь нет"},
	{
		"cannot be told: this repository knows no such version",
		"сказать нельзя: такой версии этот репозиторий не знает",
	},
	{"another checksum: %s", "другая контрольная сумма: %s"},
	{"not published then: since %s", "тогда не опубликовано: с %s"},
	{"taken away since: %s", "с тех пор изъято: %s"},
	{"the status was %s then", "статус тогда был %s"},
	{"`verified_at` is %s", "`verified_at` — %s"},
	{
		"as published, and not the current version then",
		"как опубликовано, но действовала тогда другая версия",
	},
	{
		"as published, and current then; now it is %s",
		"как опубликовано, тогда действовало; теперь — %s",
	},
	{"as published, current then and now", "как опубликовано, действовало тогда и действует сейчас"},

	// trusted signers
	{
		"%q names no items: expected a folder and a name, as guidelines/fraud.*, or * for all",
		"%q не называет никаких документов: нужны папка и имя, например guidelines/fraud.*, или * — всё",
	},

	// calc
	{"--json and --text exclude each other: choose one", "--json и --text исключают друг друга: выберите одно"},
	{"there is no tool %q%v", "нет расчёта %q%v"},
	{": `rulestore calc` lists them", ": все перечислит `rulestore calc`"},
	{"read the request: %w", "прочитать запрос: %v"},
	{
		"--replay takes an answer alone: leave out TOOL, --input and --example",
		"--replay берёт только ответ: уберите РАСЧЁТ, --input и --example",
	},
	{"read the answer: %w", "прочитать ответ: %v"},
	{
		"%s is no answer that can be calculated again (%s): %s",
		"%s — не ответ, расчёт по которому можно повторить (%s): %s",
	},
	{"%s %s comes to this answer: %s\n", "%s %s даёт этот же ответ: %s\n"},
	{"%s %s comes to another answer: %s differs", "%s %s даёт другой ответ: отличается %s"},
	{
		"it cannot be told: %s %s, or a version of %s that the answer rests on, is not here",
		"сказать нельзя: здесь нет %s %s или версии %s, на которой основан ответ",
	},
	{
		"there is no request: give a file with --input, or pipe one in; `rulestore calc %s --example` prints one " +
			"that works",
		"нет запроса: назовите файл, --input, или передайте его на вход; рабочий пример покажет `rulestore calc %s " +
			"--example`",
	},
	{"%s refuses the request (%s): %s", "%s не принимает запрос (%s): %s"},

	// history
	{"read what was served before: %w", "прочитать, что отдавалось раньше: %v"},
	{"keep what is served, in %s: %w", "запомнить, что отдаётся, в %s: %v"},
	{"the server does not remember that", "сервер этого не помнит"},
	{
		"%s  snapshot %s, commit %s of %s, %d publications, %d leaves of the log\n",
		"%s  снимок %s, коммит %s ветки %s, публикаций %d, листьев журнала %d\n",
	},
	{"  %s: commit %s of %s, %d leaves of the log\n", "  %s: коммит %s ветки %s, листьев журнала %d\n"},
	{"  new: %s\n", "  новое: %s\n"},
	{"  gone: %s\n", "  пропало: %s\n"},

	// export, verify --static
	{
		"what is exported is for everybody, and drafts are not: leave out --drafts",
		"записывается то, что для всех, а черновики не для всех: уберите --drafts",
	},
	{
		"files name the address of the service: say which with --base-url, or canonical_base_url in rulestore.yaml",
		"в файлах стоит адрес сервиса: укажите его, --base-url, или canonical_base_url в rulestore.yaml",
	},
	{"export to %s: %w", "записать в %s: %v"},
	{"--run: %w", "--run: %v"},
	{
		"--static needs --repo: an export is checked against the repository that it is of",
		"--static нужен и --repo: файлы сверяются с репозиторием, из которого они сделаны",
	},
	{
		"%s differs from what was published: %d of %d files (see above)",
		"%s расходится с опубликованным: файлов %d из %d (см. выше)",
	},
	{
		"%s serves what was published: %d files checked in each coding\n",
		"%s отдаёт опубликованное: проверено файлов в каждом сжатии: %d\n",
	},
	{
		"%s leads to %s, and not to one of the two trees: remove it, or name a folder of its own",
		"%s ведёт в %s, а не в одно из двух деревьев: удалите эту ссылку или назовите отдельную папку",
	},
	{
		"%s has to be a link to one of the two trees: remove it, or name a folder of its own: %w",
		"%s должно быть ссылкой на одно из двух деревьев: удалите то, что там стоит, или назовите отдельную папку: %v",
	},
	{
		"%s holds what no export has, %s: name a folder of its own",
		"в %s лежит то, чего не бывает в записанном, %s: назовите отдельную папку",
	},
	{
		"there is no export: /%s answers with status %d, and lists nothing",
		"файлов `rulestore export` там нет: /%s отвечает кодом %d и ничего не перечисляет",
	},
	{
		"/%s: it is the export of commit %s, of %s, and not that of %s, of %s",
		"/%s: файлы из коммита %s, за %s, а не из %s, за %s",
	},
	{"/%s: its addresses begin with %s, and not with %s", "/%s: адреса в файлах начинаются с %s, а не с %s"},
	{
		"/%s: it is the export of snapshot %s, and not that of %s",
		"/%s: файлы снимка %s, а не снимка %s",
	},
	{"%s: it is too much", "%s: лишний файл"},
	{"%s and %s would both be the file %s", "%s и %s оказались бы одним файлом %s"},
	{"%s would be a file outside of the folder: %s", "%s оказался бы файлом вне папки: %s"},
	{"%s: status %d", "%s: код %d"},
	{"%s as %s: it is not what was published", "%s как %s: не то, что опубликовано"},
	{"%s: it is said to be %q, and is %s", "%s: тип назван %q, а должен быть %s"},
	{"%s as %s: %s is %q, and should be %q", "%s как %s: %s — %q, а должно быть %q"},
	{"warning: %s\n", "предупреждение: %s\n"},
	{"files that are not served as %[2]s: %[1]d, such as %[3]s",
		"без сжатия %[2]s отдаются файлы: %[1]d, например %[3]s"},
	{"files without %[2]s: %[1]d, such as %[3]s", "нет %[2]s у файлов: %[1]d, например у %[3]s"},
	{
		"files with another %[2]s: %[1]d, such as %[3]s: it is %[4]q, and should be %[5]q",
		"другой %[2]s у файлов: %[1]d, например у %[3]s: %[4]q, а должен быть %[5]q",
	},
	{"the coding %q was not asked for", "сжатие %q не запрашивали"},

	// bundle
	{
		"%s is a folder of a repository, and a bundle has all of it: name the repository",
		"%s — папка репозитория, а в git bundle он весь: назовите репозиторий",
	},
	{
		"the log has %d leaves, and --since asks for what came after %d",
		"в журнале листьев %d, а --since спрашивает о том, что после %d",
	},
	{
		"--since %s: this is a head of another log, or of a rewritten one: who has it needs a whole bundle",
		"--since %s: это голова другого или переписанного журнала: кто её сохранил, тому нужен весь git bundle",
	},
	{"%s: the branch at %s and %d tags\n", "%s: ветка на коммите %s, тегов %d\n"},
	{"there is no copy of %s in %s: `rulestore serve` makes one", "копии %s в %s нет: её делает `rulestore serve`"},
	{"--since %d: expected a number of leaves from 1 on", "--since %d: нужно число листьев, не меньше 1"},
	{
		"expected a repository on this machine or a git bundle: clone %s first",
		"нужен репозиторий на этой машине или git bundle: сначала клонируйте %s",
	},
	// serve --repo, more than once
	{"no repository is called %q here", "хранилища с именем %q здесь нет"},
	{
		"the log does not go on with the one that is served: leaves were taken out or changed; bring back log/ and " +
			"rulestore.checkpoint as they were, or start the server again to serve this one",
		"журнал не продолжает того, что отдаётся: листья убраны или изменены; верните log/ и rulestore.checkpoint " +
			"такими, какими они были, или перезапустите сервер, чтобы отдавать этот",
	},
	{
		"several repositories are served: say which with --source",
		"отдаются несколько хранилищ: назовите одно, --source",
	},
	{"snapshot %s\n", "снимок %s\n"},
	{
		"--%s is given %d times: at most %d repositories are served together",
		"--%s указан %d раз: вместе отдаются не больше %d хранилищ",
	},
	{
		"--%s %s: of several repositories each but the first has a name: write NAME=%[2]s, in small letters, digits " +
			"and hyphens",
		"--%s %s: если хранилищ несколько, у каждого, кроме первого, есть имя: напишите ИМЯ=%[2]s, строчными " +
			"латинскими буквами, цифрами и дефисами",
	},
	{"--%s %s: there is nothing after the name", "--%s %s: после имени ничего нет"},
	{
		"--%s: two repositories are called %s: give each a name of its own",
		"--%s: два хранилища названы %s: дайте каждому своё имя",
	},
	{
		"--policy is given for several repositories, and --repo for one: give --repo for each, or for none",
		"--policy указан для нескольких хранилищ, а --repo для одного: укажите --repo для каждого или ни для одного",
	},
	{
		"--state %s is for the log of one repository: give another for %s, as --state %[2]s=FILE",
		"--state %s — для журнала одного хранилища: для %s укажите другой, --state %[2]s=ФАЙЛ",
	},
	{
		"to check the logs of several repositories, give --policy and --state for each: %s lacks one",
		"чтобы проверить журналы нескольких хранилищ, укажите --policy и --state для каждого: у %s одного из них нет",
	},
	{
		"--policy and --state check the log of a running server: leave them out with --trace and --static",
		"--policy и --state проверяют журнал работающего сервера: с --trace и --static их не указывают",
	},
	{
		"--drafts=%s: no repository is called %[1]s",
		"--drafts=%s: хранилища %[1]s здесь нет",
	},
	{"--offer-bundle: %w, and it makes the bundles", "--offer-bundle: %v, а bundle делает он"},
	{
		"--offer-bundle gives a repository away: name yours with --repo",
		"--offer-bundle отдаёт репозиторий целиком: назовите свой, --repo",
	},
	{
		"--offer-bundle and --drafts: what is private is not given away",
		"--offer-bundle и --drafts: то, что не для всех, целиком не отдаётся",
	},
	{
		"--offer-bundle gives a whole repository away, and %s is a folder of one",
		"--offer-bundle отдаёт репозиторий целиком, а %s — его папка",
	},

	// serve --policy
	{
		"--policy is for what a repository has published: give --repo, and not --drafts",
		"--policy — для того, что опубликовал репозиторий: укажите --repo и уберите --drafts",
	},
	{
		"what was seen of the log before, in %s, cannot be read: %w",
		"не читается то, что было видно из журнала раньше, %s: %v",
	},
	{
		"--policy asks for a signed log, and nobody has signed that of the repository: `rulestore log sign` does",
		"--policy требует подписанного журнала, а журнал репозитория никто не подписал: это делает `rulestore log sign`",
	},
	{
		"the log of the repository is not signed as --policy asks: %w",
		"журнал репозитория подписан не так, как требует --policy: %v",
	},
	{
		"the log lacks %d of the seals and marks of the repository, and --policy asks for all: `rulestore log sign` adds " +
			"them, the first is %s",
		"в журнале не хватает печатей и пометок, %d, а --policy требует всех: их добавляет `rulestore log sign`, первая — %s",
	},
	{
		"the log of the repository does not stand, and --policy asks for one that does",
		"журнал репозитория не сходится, а --policy требует, чтобы сходился",
	},
	{
		"the log contradicts what was served before: %d leaves were signed, and they are not its beginning",
		"журнал противоречит тому, что отдавалось раньше: были подписаны листья, %d, и начинается он не с них",
	},
	{
		"%s is published and is not in the log: --policy serves only what is sealed",
		"%s опубликован, но в журнале его нет: с --policy отдаётся только то, на чём есть печать",
	},
	{"keep what was seen of the log: %w", "запомнить, что видно из журнала: %v"},

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
	{
		"--%s %q is nothing to listen on: expected HOST:PORT, for example 127.0.0.1:8080",
		"--%s %q — там нельзя слушать: нужно ХОСТ:ПОРТ, например 127.0.0.1:8080",
	},
	{"--log-format %q: expected text or json", "--log-format %q: нужно text или json"},
	{"--log-level %q: expected debug, info, warn or error", "--log-level %q: нужно debug, info, warn или error"},
	{
		"--webhook-addr is for a --repo elsewhere: changes on this machine are noticed anyway",
		"--webhook-addr — для --repo на другой машине: изменения на этой видны и так",
	},
	{
		"--webhook-addr needs the secret that the host signs with: name its file with --webhook-secret-file, or set " +
			"RULESTORE_WEBHOOK_SECRET",
		"для --webhook-addr нужен секрет, которым подписывает хостинг git: назовите файл, --webhook-secret-file, или " +
			"задайте RULESTORE_WEBHOOK_SECRET",
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
		"%s needs --webhook-addr: without it nothing listens for webhooks",
		"%s имеет смысл только вместе с --webhook-addr: без него вызовов хостинга git никто не ждёт",
	},
	{
		"--pprof needs --admin-addr: profiles are for operators",
		"--pprof имеет смысл только вместе с --admin-addr: профили отдаются администраторам",
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
	{"read the secret: the first line of %s is empty", "прочитать секрет: первая строка %s пуста"},
	{"read the trusted signers: %w", "прочитать доверенных подписантов: %v"},
	{"read the trusted signers: %s: %w", "прочитать доверенных подписантов: %s: %v"},
	{
		"read the trusted signers: %s is no file of at most %d bytes",
		"прочитать доверенных подписантов: %s — не файл или в нём больше %d байт",
	},
	{
		"the trusted signers in %s lie in the repository that they guard: keep the file where a push cannot change it",
		"доверенные подписанты в %s лежат в том репозитории, который охраняют: держите файл там, где его не изменит " +
			"отправка",
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
	{"read the policy: %w", "прочитать файл --policy: %v"},
	{"read the policy: %s: %w", "прочитать файл --policy: %s: %v"},
	{"read the state: %w", "прочитать файл --state: %v"},
	{"keep the state: %w", "записать файл --state: %v"},
	{
		"%s is there: another run writes this state; if there is none, remove that file",
		"есть файл %s: это состояние пишет другой запуск; если такого нет, удалите файл",
	},
	{
		"another run has written %s meanwhile: run this one again",
		"другой запуск тем временем записал %s: запустите ещё раз",
	},
	{
		"read the secret: %s has %d bytes, at most %d are read",
		"прочитать секрет: в %s %d байт, читается не больше %d",
	},
	{"%s has more than %d bytes", "%s: больше допустимого, байт: %d"},
	{"it is no YAML: %w", "это не YAML: %v"},
	{"expected one document", "ожидался один документ"},
	{
		"expected the fields `log`, `witnesses`, `quorum` and `max_age`",
		"ожидались поля `log`, `witnesses`, `quorum` и `max_age`",
	},
	{"line %d: %w", "строка %d: %v"},
	{"the field %s stands twice", "поле %s стоит дважды"},
	{"the field `log` is missing: the public key of the log", "нет поля `log` — открытого ключа журнала"},
	{"expected a list of public keys", "ожидался список открытых ключей"},
	{"expected a public key", "ожидался открытый ключ"},
	{"%.40q is no number of witnesses", "%.40q — не число свидетелей"},
	{"%.40q is no age: expected for example 48h", "%.40q — не давность: нужно, например, 48h"},
	{
		"there is no field %.40q: expected `log`, `witnesses`, `quorum` or `max_age`",
		"поля %.40q нет: ожидались `log`, `witnesses`, `quorum` или `max_age`",
	},
	{
		"to check the log, give both --policy, whose signatures count, and --state, a file of your own",
		"чтобы проверить журнал, укажите и --policy — чьи подписи считаются, и --state — свой файл",
	},
	{
		"--state %s does not hold what was seen of this log (%w): bring it back from a copy; if it is another log by " +
			"now, " +
			"and you know that from its owner, begin with a new file",
		"--state %s: здесь не то, что видели от этого журнала (%v); верните файл из копии; если журнал теперь другой " +
			"и об этом сказал его владелец, начните с нового файла",
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
	{"%s and %d leaves of the log", "%s, листьев журнала: %d"},
	{" in %d answers", ", ответов: %d"},
	{
		"it serves commit %s, which is not before the repository's, %s: bring the repository up to date if it is newer",
		"сервер отдаёт коммит %s, а он не предшествует коммиту репозитория %s: если он новее, обновите репозиторий",
	},
	{"it serves commit %s, and the repository is at %s", "сервер отдаёт коммит %s, а в репозитории %s"},
	{
		"%s, other forms chosen at random (--all asks for all of them)",
		"%s, другие формы выбраны наугад (--all запрашивает все)",
	},
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
	{
		"what comes after %s is empty: give it a value, or leave it out",
		"после %s стоит пустое значение: укажите его или уберите",
	},
	{"--admin-addr %q is no address", "--admin-addr %q — не адрес"},
	{"ask the server: %w (say where with --admin-addr)", "запрос к серверу: %v (где он, скажите в --admin-addr)"},
	{
		"the server at %s does not answer operators there: %s (say where with --admin-addr)",
		"сервер на %s не отвечает там операторам: %s (где он отвечает им, скажите в --admin-addr)",
	},
	{"ask the server: %w", "запрос к серверу: %v"},
	{"the server at %s answers %s: %s", "сервер на %s отвечает %s: %s"},
	{
		"served: state %s, commit %s of %s, %d publications, snapshot %s\n",
		"отдаётся: состояние %s, коммит %s на %s, публикаций: %d, снимок %s\n",
	},
	{"cannot be read: %s\n", "не читается: %s\n"},
	{
		"no repository holds back state %q: `rulestore admin` names what is held back",
		"ни одно хранилище не придержало состояние %q: придержанное называет `rulestore admin`",
	},
	{"before: state %s, commit %s of %s, since %s\n", "раньше: состояние %s, коммит %s на %s, с %s\n"},
	{"pinned: to %s, nothing that is pushed is served\n", "закреплено: на %s, новое не отдаётся\n"},
	{
		"held back: state %s, commit %s of %s, since %s; %d publications lost\n",
		"придержано: состояние %s, коммит %s на %s, с %s; потеряно публикаций: %d\n",
	},
	{
		"  its log does not go on with the one that is served\n",
		"  его журнал не продолжает того, что отдаётся\n",
	},
	{"  the branch was rewritten\n", "  историю ветки переписали\n"},
	{"  what --ref pins is not what it was\n", "  закреплённое в --ref изменилось\n"},
	{"  lost: %s\n", "  потеряно: %s\n"},
	{"%q is not in the history of what is served", "%q нет в истории того, что отдаётся"},
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
	{"nothing is served of this repository yet", "из этого хранилища ещё ничего не отдаётся"},
	{"nothing is pinned by an operator", "администратор ничего не закрепил"},
	{"nothing is served yet", "ещё ничего не отдаётся"},
	{"keep it for another process: %w", "сохранить для следующего процесса: %v"},
	{"it is not as it was written", "в нём не то, что было записано"},
	{
		"--max-loss is for a --repo elsewhere, of which there is a copy to go on with",
		"--max-loss — для удалённого --repo: от него остаётся копия, которую можно отдавать дальше",
	},
	{"--max-loss %q: expected a number of publications, or all", "--max-loss %q: нужно число публикаций или all"},

	// A canary, and who waits for it.
	{"--delay %s is negative", "--delay %s меньше нуля"},
	{
		"--canary serves what is new at once, and --delay has it wait: give one of them",
		"--canary отдаёт новое сразу, а --delay велит ждать: оставьте что-то одно",
	},
	{
		"--behind needs --delay: how long the canary has to have served what is new",
		"к --behind нужен --delay: сколько времени новое уже должен отдавать канареечный сервер",
	},
	{
		"--delay is for a --repo elsewhere, of which there is a copy to go on with; of one on this machine a file:// " +
			"address makes one",
		"--delay — для удалённого --repo, от которого есть копия; у репозитория на этой машине она появится по " +
			"адресу file://",
	},
	{
		"--delay and --drafts: what is drafted is served as it is typed",
		"--delay и --drafts: черновики отдаются прямо при наборе",
	},
	{"--behind: %w", "--behind: %v"},
	{
		"it is no address of a service: expected for example https://canary.example.org",
		"это не адрес сервиса: нужно, например, https://canary.example.org",
	},
	{
		"it does not say that it is a canary: start it with --canary",
		"он не называет себя канареечным: запустите его с --canary",
	},
	{"it says that it takes no requests", "он отвечает, что не принимает запросы"},
	{"it answers %s", "он отвечает %s"},
	{"its answer is no health document", "его ответ — не документ о состоянии"},
	{
		"waits: state %s, commit %s of %s, since %s; %d publications new, %d gone\n",
		"ждёт: состояние %s, коммит %s на %s, с %s; новых публикаций: %d, пропавших: %d\n",
	},
	{
		"  until the canary has served it for as long as --delay says\n",
		"  пока канареечный сервер не отдаст его столько, сколько велит --delay\n",
	},
	{"  until %s\n", "  до %s\n"},
}
