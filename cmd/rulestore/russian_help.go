package main

import "rulestore/content/i18n"

// russianHelp is what help says of flags in Russian, and around the texts of the folder
// help.
var russianHelp = i18n.Catalogue{Texts: [][2]string{
	{"Usage:\n", "Использование:\n"},
	{"  %s [flags]\n", "  %s [флаги]\n"},
	{"  %s [command]\n", "  %s [команда]\n"},
	{"\nExamples:\n%s\n", "\nПримеры:\n%s\n"},
	{"\nAvailable Commands:\n", "\nКоманды:\n"},
	{"\nFlags:\n", "\nФлаги:\n"},
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
	{"the repository, or a folder inside it", "репозиторий или папка в нём"},
	{
		"the branch that is served; without it, the one that HEAD names",
		"основная ветка; без флага — та, которую называет HEAD",
	},
	{
		"a file with the private key; RULESTORE_LOG_KEY holds it as well",
		"файл с закрытым ключом; годится и RULESTORE_LOG_KEY с самим ключом",
	},
	{
		"the public key of the log, which the checkpoint has to be signed with",
		"открытый ключ журнала, которым должна быть подписана контрольная точка",
	},
	{
		"the file in which a witness keeps the last checkpoint that it signed",
		"файл, в котором свидетель хранит последнюю подписанную им контрольную точку",
	},
	{"text or json", "text или json"},
	{
		"count only what somebody signed whom this file lists: SSH keys as in git's allowed_signers, OpenPGP keys " +
			"armored; " +
			"or a policy, NAME.toml, that says who has to approve what as well",
		"считать только подписанное теми, кого перечисляет этот файл: ключи SSH, как в allowed_signers у git, ключи " +
			"OpenPGP в текстовом виде; " +
			"или политика, ИМЯ.toml, в которой сказано ещё, кто и что должен одобрить",
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
	{
		"write the questions for another program instead of trying them: promptfoo",
		"вместо проверки записать вопросы для другой программы: promptfoo",
	},

	// init
	{
		"a new folder of an existing repository, in place of a repository of its own",
		"новая папка в уже существующем репозитории вместо отдельного репозитория",
	},

	// mark, new
	{
		"the item to take in place of this one, if it is archived, redacted or overridden as a whole",
		"документ, который читать вместо этого, если тот в архиве, изъят или перекрыт целиком",
	},
	{"why: readers see it", "причина: её видят читатели"},
	{
		"the file with a trace of use, to check against a repository instead of a server",
		"файл с записью об источниках, которую сверить с репозиторием вместо сервера",
	},
	{
		"the file with the SSH key, or with the public half of one that an agent holds",
		"файл с ключом SSH или с открытой половиной ключа, который хранит агент",
	},
	{
		"from which day on, for example 2026-05-01; without it, today",
		"с какого дня, например 2026-05-01; без флага — с сегодняшнего",
	},
	{"the sub-folder for the file; levels are parted by /", "вложенная папка для файла; уровни разделяет /"},
	{"the item to begin with a copy of, of the same kind", "документ того же вида, с копии которого начать"},

	// calc
	{
		"the file with an answer to calculate again; - is the standard input",
		"файл с ответом, расчёт по которому повторить; - — стандартный ввод",
	},
	{"print a request that works, and calculate nothing", "показать рабочий пример запроса и ничего не считать"},
	{
		"the file with the request; - is the standard input, which is read too if it is no terminal",
		"файл с запросом; - — стандартный ввод, он читается и сам, если это не терминал",
	},
	{"print JSON on a terminal too", "печатать JSON и в терминале"},
	{
		"the branch of the repository; without it, the one that HEAD names",
		"ветка репозитория; без флага — та, которую называет HEAD",
	},
	{
		"the repository whose calendars and parameters count; without it, the starter content",
		"репозиторий, по календарям и параметрам которого считать; без флага — начальное содержание",
	},
	{"print tables where there is no terminal too", "печатать таблицы и не в терминале"},

	// serve, mcp
	{
		"log every request, without query strings, bodies and addresses",
		"записывать в журнал каждый запрос, без параметров, тел и адресов",
	},
	{"the address to listen on", "адрес, на котором ждать запросов"},
	{
		"where to answer operators: /metrics, /livez, /readyz, /api/v1/health, /served; \"off\" for nowhere. Keep it " +
			"away from clients; orders need its host, an address or localhost as Host",
		"где отвечать администраторам: /metrics, /livez, /readyz, /api/v1/health, /served; «off» — нигде. Не " +
			"открывайте этот адрес клиентам; распоряжения даются только по нему или по адресу машины",
	},
	{
		"the address that the service is known by; without it canonical_base_url of rulestore.yaml, or the listening " +
			"address",
		"адрес, под которым известен сервис; без флага — canonical_base_url из rulestore.yaml или адрес, на котором " +
			"сервер ждёт запросов",
	},
	{
		"where copies of remote repositories are kept; without it, the user's cache folder",
		"где хранить копии удалённых репозиториев; без флага — в папке кеша пользователя",
	},
	{
		"load, print what was found, and exit without serving; 1 if publications are not served or there are errors",
		"прочитать, показать, что найдено, и завершиться; код 1, если публикации не отдавались бы или есть ошибки",
	},
	{
		"serve drafts, uncommitted files included, as current versions; of several repositories those of all, or " +
			"with =NAME those of one",
		"отдавать черновики как действующие версии, и то, чего нет в коммитах; из нескольких хранилищ — всех, а с " +
			"=ИМЯ — одного",
	},
	{
		"how long to go on serving after SIGTERM, while readiness says no, so that load balancers notice",
		"сколько ещё отвечать после SIGTERM, уже не называя себя готовым, чтобы это заметили балансировщики",
	},
	{
		"a file with the password or token for https; RULESTORE_GIT_USERNAME and RULESTORE_GIT_PASSWORD do as well, " +
			"else git's credential helpers are asked",
		"файл с паролем или токеном для https; годятся и RULESTORE_GIT_USERNAME с RULESTORE_GIT_PASSWORD, а без них " +
			"— хранилища паролей git",
	},
	{"how long a connection may be idle between requests", "сколько соединение может простаивать между запросами"},
	{
		"the file of known ssh host keys; without it, ssh's own",
		"файл известных ключей серверов ssh; без флага — собственный файл ssh",
	},
	{"how log lines are written: text or json", "в каком виде писать журнал: text или json"},
	{
		"the least that is logged: debug, info, warn or error",
		"что писать в журнал, не ниже: debug, info, warn или error",
	},
	{
		"how many connections may be open; beyond, idle and slow ones are closed, first those of the client that has " +
			"most, and new ones wait; 0 is what open files and memory allow",
		"сколько соединений может быть открыто; сверх того закрываются простаивающие и медленные, сначала у того " +
			"клиента, у которого их больше всего, а новые ждут; 0 — сколько позволяют открытые файлы и память",
	},
	{
		"how many of the connections one client may have, by address (IPv6: by /48); beyond, its own idle and slow " +
			"ones are closed, and new ones wait; 0 is half of --max-connections",
		"сколько соединений может быть у одного клиента, то есть адреса (для IPv6 — сети /48); сверх того " +
			"закрываются его же простаивающие и медленные, а новые ждут; 0 — половина от --max-connections",
	},
	{
		"how often to look for changes that no event announced",
		"как часто искать изменения, о которых не пришло событие",
	},
	{"also answer operators at /debug/pprof", "отвечать администраторам и на /debug/pprof"},
	{
		"how many requests a second each client may send, by address (IPv6: by /64, and a /48 as many as 16 of " +
			"them); 0 is as many as it likes",
		"сколько запросов в секунду принимать от каждого клиента, по адресу (IPv6: по /64, а от /48 — как от 16 " +
			"таких); 0 — сколько угодно",
	},
	{
		"how long a client may take to send a request; a third of it for the headers",
		"сколько клиент может передавать запрос; треть этого — заголовки",
	},
	{
		"the branch to serve, or a tag or commit, whatever is pushed; without it, the branch that HEAD names",
		"какую ветку отдавать или тег либо коммит, что бы ни отправляли; без флага — ветку, которую называет HEAD",
	},
	{
		"how many publications a new state of a repository elsewhere may lose; one that loses more, or rewrites the " +
			"branch, is held back until somebody confirms it. 0 without the flag; all: nothing is held back",
		"сколько публикаций может потерять новое состояние удалённого репозитория; то, что теряет больше или " +
			"переписывает ветку, придерживается, пока его не подтвердят. Без флага — 0; all — не придерживать ничего",
	},
	{"the address on which the server answers operators", "адрес, на котором сервер отвечает администраторам"},
	{"print it as JSON", "показать в JSON"},
	{
		"the repository to serve, or a folder of it with the content: a path or an address, REPOSITORY//FOLDER for " +
			"what is not checked out; without it, the starter content. Given more than once it serves several, each " +
			"after the first as NAME=REPOSITORY and building on those before it",
		"какой репозиторий отдавать или папку с содержанием в нём: путь или адрес, РЕПОЗИТОРИЙ//ПАПКА для того, чего " +
			"нет в рабочих файлах; без флага — начальное содержание. Если указать несколько раз, отдаются несколько, " +
			"каждое после первого как ИМЯ=РЕПОЗИТОРИЙ и опираясь на названные до него",
	},
	{
		"the private key file for ssh; without it, the ssh agent's keys",
		"файл закрытого ключа для ssh; без флага — ключи агента ssh",
	},
	{
		"report unhealthy when the repository could not be read for this long; 0 is never",
		"сообщать о неисправности, если репозиторий не удаётся прочитать так долго; 0 — никогда",
	},
	{
		"serve HTTPS with the certificates in this PEM file, read again when it changes",
		"отвечать по HTTPS с сертификатами из этого файла PEM; изменённый файл читается снова",
	},
	{"the PEM file with the private key of --tls-cert", "файл PEM с закрытым ключом к --tls-cert"},
	{
		"the toolsets of an MCP client that chooses none: names separated by commas, or all",
		"наборы инструментов для клиента MCP, который их не выбрал: имена через запятую или all",
	},
	{
		"networks of proxies whose X-Forwarded-For names the client, for --rate and for what clients share, for " +
			"example 10.0.0.0/8,fd00::/8",
		"сети посредников, у которых клиента называет X-Forwarded-For, для --rate и для того, что клиенты делят " +
			"между собой, например 10.0.0.0/8,fd00::/8",
	},
	{
		"the address on which webhooks of a git host may ask for a fetch; without it, none do",
		"адрес, по которому хостинг git может попросить об обновлении; без флага — никак",
	},
	{
		"a file with the secret that webhooks are signed with; RULESTORE_WEBHOOK_SECRET does as well",
		"файл с секретом, которым подписаны эти просьбы; годится и RULESTORE_WEBHOOK_SECRET",
	},
	{
		"where the other replicas hear webhooks, to pass calls on to: HOST:PORT, with a name that has the addresses " +
			"of all of them",
		"где вызовы хостинга git слушают другие реплики, чтобы передавать им: HOST:PORT, с именем, у которого адреса " +
			"их всех",
	},
	{"how long a client may take to receive an answer", "сколько клиент может принимать ответ"},

	// lsp
	{
		"the repository, or the folder with the content; else what the editor has open",
		"репозиторий или папка с содержанием; без флага — то, что открыто в редакторе",
	},
	{
		"speak over stdin and stdout; there is no other way, and some editors say it",
		"через стандартный ввод и вывод; другого пути нет, но некоторые редакторы его называют",
	},

	// verify, healthcheck, version
	{
		"a repository on this machine that this one builds on, where both are served together; of several each but " +
			"the first as NAME=REPOSITORY",
		"репозиторий на этой машине, на который опирается этот там, где оба отдаются вместе; если их несколько, " +
			"каждый после первого — как ИМЯ=РЕПОЗИТОРИЙ",
	},
	{
		"the name of the repository that is meant, where several are served together",
		"имя хранилища, о котором речь, если вместе отдаются несколько",
	},
	{
		"the repository to compare with, or a git bundle of it; several as the server has them",
		"с каким репозиторием сверять; можно назвать его git bundle; несколько — так же, как у сервера",
	},

	// history
	{
		"the file in which is kept what was served, and since when; without it, one beside the copy of a repository " +
			"elsewhere, else none",
		"файл, в котором хранится, что и с какого времени отдавалось; без флага — файл рядом с копией чужого " +
			"репозитория, иначе никакого",
	},

	// export
	{
		"go on, and export whenever what is published changes",
		"не завершаться и записывать каждый раз, когда опубликованное меняется",
	},
	{"a command for a shell to run after each export", "команда оболочки после каждой записи"},
	{
		"the address is that of an export, which a web server serves (see rulestore export); needs --repo",
		"по адресу веб-сервер отдаёт файлы, которые записал rulestore export; нужен и --repo",
	},

	// a canary, and who waits for it
	{
		"how long what is new in a repository elsewhere waits before it is served, over restarts too; 0: it does " +
			"not. With --behind it counts from when the canary serves it",
		"сколько новое в удалённом репозитории ждёт, прежде чем отдаваться, и после перезапуска; 0 — нисколько. С " +
			"--behind время идёт с тех пор, как это отдаёт канареечный сервер",
	},
	{
		"say that this server serves what is new at once, for others that wait for that with --behind",
		"назваться канареечным: он отдаёт новое сразу, а другие ждут его с --behind",
	},
	{
		"the address of a server with --canary: what waits by --delay is served only while that one answers, serves " +
			"it and holds nothing back",
		"адрес сервера с --canary: то, что ждёт по --delay, отдаётся, только пока тот отвечает, отдаёт это и ничего " +
			"не придерживает",
	},

	// bundle
	{"the repository, or the address of one that is mirrored", "репозиторий или адрес того, копия которого хранится"},
	{
		"a file with a checkpoint of the log, or a number of leaves",
		"файл с контрольной точкой журнала или число листьев",
	},
	{
		"serve only what the log holds, as the keys in this file have signed it (see rulestore verify --help): for a " +
			"copy of what others serve",
		"отдавать только то, что есть в журнале, подписанном ключами из этого файла (см. rulestore verify --help): " +
			"для копии чужого хранилища",
	},
	{
		"offer the repository as a git bundle at /rules.bundle: the branch that is served, with all of its commits, " +
			"and the tags; of several each after the first at /sources/NAME/rules.bundle",
		"предлагать репозиторий как git bundle по адресу /rules.bundle: ветку, которая отдаётся, со всеми её " +
			"коммитами, и теги; из нескольких каждый после первого — по адресу /sources/ИМЯ/rules.bundle",
	},
	{
		"the address that the server names as its own, if it is not asked at that",
		"адрес, который сервер называет своим, если его спрашивают по другому",
	},
	{
		"the toolsets that the server gives an MCP client that chooses none, as the server has it",
		"наборы инструментов для клиента MCP, который их не выбрал, как у сервера",
	},
	{
		"check the log of the server, which the keys in this file have to have signed; of several repositories the " +
			"log of each",
		"проверить журнал сервера: он должен быть подписан ключами из этого файла; из нескольких хранилищ — журнал " +
			"каждого",
	},
	{
		"the file in which the log is kept as it was seen last; of several repositories one for each",
		"файл, в котором журнал хранится таким, каким его видели последний раз; из нескольких хранилищ у каждого свой",
	},
	{
		"a header that a proxy before the server adds or changes, which is not compared; repeatable",
		"заголовок, который добавляет или меняет посредник перед сервером, он не сверяется; можно повторять",
	},
	{"the server does not answer assistants", "сервер не отвечает ассистентам"},
	{"read everything in every form, and nothing at random", "прочесть всё и во всех видах, ничего наугад"},
	{"how long one request may take", "сколько может длиться один запрос"},
	{"the address that the server listens on", "адрес, на котором сервер ждёт запросов"},
	{
		"the certificate that the server has, if it has one: then it speaks HTTPS",
		"сертификат сервера, если он есть: тогда сервер отвечает по HTTPS",
	},
	{"print it as JSON, with the commit and its time", "показать в JSON, с коммитом и его временем"},
}}
