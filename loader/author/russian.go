package author

import "rulestore/content/i18n"

// Russian is the Russian catalogue of this package.
var Russian = i18n.Catalogue{Texts: [][2]string{
	// Where the author is.
	{
		"%s is a bare repository, without files to work on: clone it, and work in the clone",
		"%s — репозиторий без рабочих файлов: клонируйте его и работайте в клоне",
	},
	{
		"the folder %s with the content is not checked out: `git sparse-checkout add %[1]s` does that",
		"папки %s с содержанием нет в рабочих файлах: её добавит `git sparse-checkout add %[1]s`",
	},
	{"the git command is needed and not installed", "нужна программа git, а она не установлена"},
	{
		"the repository has no commit yet: commit your content first",
		"в репозитории ещё нет коммитов: сначала сделайте коммит с содержанием",
	},
	{
		"no branch is checked out (detached HEAD): `git switch BRANCH` first, and finish a rebase if one is " +
			"under way",
		"вы не на ветке (detached HEAD): сначала `git switch ВЕТКА`, а начатый rebase завершите",
	},
	{
		"the messages of the commits that %s publishes are not UTF-8: tag it yourself, `git tag -a -m MESSAGE %s %s`",
		"сообщения коммитов, которые публикует тег %s, записаны не в UTF-8: поставьте его сами, " +
			"`git tag -a -m MESSAGE %s %s`",
	},
	{
		"branch %s is not checked out: `git switch %[1]s` first",
		"вы не на ветке %s: сначала `git switch %[1]s`",
	},
	{
		"there is no remote repository to push to: `git remote add origin URL`",
		"отправлять некуда, удалённого репозитория нет: `git remote add origin АДРЕС`",
	},
	{
		"%s is the served branch, there is nothing to prepare: publish without --prepare, or `git switch -c " +
			"<branch>` for a pull request",
		"%s — основная ветка, готовить на ней нечего: публикуйте без --prepare или заведите ветку для запроса на " +
			"слияние, `git switch -c <ветка>`",
	},
	{
		"a release is a tag, which belongs to the merged commit: give --release with --tag, after the merge",
		"выпуск — это тег на слитом коммите: укажите --release вместе с --tag, после слияния",
	},
	{
		"branch %s is not the served one, %s: merge it first, or write the seals for its pull request with --prepare " +
			"(--ref names another served branch)",
		"ветка %s не основная (основная — %s): сначала слейте её или подготовьте печати для запроса на слияние, " +
			"--prepare (другую основную ветку называет --ref)",
	},
	{
		"%w; if the branch was renamed there: `git remote set-head %s -a`",
		"%v; если ветку там переименовали: `git remote set-head %s -a`",
	},
	{
		"%s has commits on %s that you do not have: `git pull --rebase`, then publish again",
		"в %s на ветке %s есть коммиты, которых нет у вас: `git pull --rebase`, затем публикуйте снова",
	},
	{
		"%s cannot be reached, and nothing was changed; publish without --push, or again when it can be:\n\t%w",
		"%s недоступен, ничего не изменено; публикуйте без --push или повторите, когда он будет доступен:\n\t%v",
	},
	{
		"not everything is committed: commit these first, put them aside with `git stash --include-untracked`, or " +
			"name what is to be published without them, `rulestore publish ITEM`:\n\t%s",
		"не всё сохранено в коммитах: сначала сделайте коммит, отложите командой `git stash --include-untracked` или " +
			"назовите то, что публикуется без этих файлов, `rulestore publish ДОКУМЕНТ`:\n\t%s",
	},
	{
		"not everything is committed: commit these first, or put them aside with `git stash --include-untracked`:\n\t%s",
		"не всё сохранено в коммитах: сначала сделайте коммит или отложите командой " +
			"`git stash --include-untracked`:\n\t%s",
	},
	{"and %d more", "и ещё %d"},

	// What is to be published.
	{"--bump %s: the item is not among those to publish", "--bump %s: этого документа нет среди публикуемых"},
	{
		"a version is asked for twice, by itself or as a step: give one",
		"версия указана дважды, сама или шагом: оставьте одно",
	},
	{"there is something to mend first", "сначала нужно кое-что исправить"},
	{"%q names more than one item: write %s or %s", "%q — имя не одного документа: напишите %s или %s"},
	{"there is no item %q: did you mean %s?", "нет документа %q: возможно, %s?"},
	{
		"there is no item %q: write folder and name, for example guidelines/product.common.001",
		"нет документа %q: напишите папку и имя, например guidelines/product.common.001",
	},
	{
		"%s is not committed: commit it first",
		"%s не в коммите: сначала сделайте коммит",
	},
	{
		"%s does not say at the head what %s says: `git checkout %[3]s%[2]s -- %[4]s%[1]s`, commit it, then publish",
		"в %s теперь не то, что в %s: `git checkout %[3]s%[2]s -- %[4]s%[1]s`, затем коммит и публикация",
	},
	{
		"%s exists already in %s: `git fetch --tags`, then publish again",
		"%s уже есть в %s: `git fetch --tags`, затем публикуйте снова",
	},
	{"in this repository", "в этом репозитории"},
	{"sealed on the served branch", "с печатью на основной ветке"},
	{"the release %s exists already, %s", "выпуск %s уже есть, %s"},
	{
		"%s exists already, %s: choose another version, `rulestore publish %s@%s`",
		"%s уже есть, %s: выберите другую версию, `rulestore publish %s@%s`",
	},
	{"sealed, and not tagged yet", "печать есть, тега ещё нет"},

	// Who sees it, and when.
	{
		"other content than %s, which was tried: `rulestore diff %s %[1]s` shows what changed since",
		"не то содержание, что у пробы %s: что изменилось, покажет `rulestore diff %s %[1]s`",
	},
	{"readers find nothing of it", "читатели её не увидят"},
	{"readers go on with %s", "читатели остаются при %s"},
	{
		"a prerelease: only a server with --drafts shows it, %s; `rulestore publish %s@%s` releases it",
		"проба: её показывает только сервер с --drafts, %s; выпустить её: `rulestore publish %s@%s`",
	},
	{
		"--at %s is not in the future (%s): leave it out, what is published is found at once",
		"--at %s уже наступило (%s): уберите флаг, опубликованное видно сразу",
	},
	{
		"published ahead: readers find it from %s on, at 00:00 %s",
		"публикация заранее: читатели увидят её с %s, с 00:00 %s",
	},
	{
		"%s is published ahead, for %s, and will never be current: %s is higher",
		"версия %s опубликована заранее, на %s, и действующей не станет: %s выше",
	},
	{
		"%s: valid_from is %s, in the future: what is published is current at once, so publish it on that day, or " +
			"ahead of time: `rulestore publish %[1]s --at %[2]s`",
		"%s: valid_from — %s, в будущем, а опубликованное действует сразу: публикуйте в тот день или заранее: " +
			"`rulestore publish %[1]s --at %[2]s`",
	},
	{"%s:%d:%d: %s refers to %s", "%s:%d:%d: %s ссылается на %s"},
	{
		"%s, which readers find from %s on: publish it for that day, `rulestore publish %s --at %[2]s`",
		"%s, а его читатели увидят с %s: публикуйте на тот же день, `rulestore publish %s --at %[2]s`",
	},
	{"%s, which waits", "%s, а он ждёт"},
	{
		"%s, which is not published: publish both, `rulestore publish %s %s`",
		"%s, а он не опубликован: публикуйте оба, `rulestore publish %s %s`",
	},

	// Seals.
	{
		"%s/v%s was published by somebody else meanwhile, and this branch does not have it: bring the branch up to " +
			"date with `git merge %s`, and prepare again; after it comes v%s at least",
		"%s/v%s тем временем опубликовал кто-то другой, а на этой ветке её нет: обновите ветку, `git merge %s`, и " +
			"подготовьте снова; следующая — не ниже v%s",
	},
	{
		"%s is sealed otherwise in your commit %s: merge the request as one commit or with a merge commit; to merge " +
			"it by rebasing, take that commit out first: git rebase --onto %[2]s~1 %[2]s",
		"у %s в вашем коммите %s другая печать: слейте запрос одним коммитом или коммитом слияния; чтобы слить его " +
			"через rebase, сначала уберите этот коммит: git rebase --onto %[2]s~1 %[2]s",
	},
	{"not tagged: %v", "без тега: %v"},
	{
		"%s is another tag in %s than here: take that one away and send yours, `git push %[2]s %s`, `rulestore publish " +
			"--push`",
		"тег %s в %s не тот, что здесь: удалите тот и отправьте свой, `git push %[2]s %s`, `rulestore publish --push`",
	},
	{
		"passed over: %v",
		"пропущено: %v",
	},

	// Releases of the product.
	{"a release of the product", "выпуск продукта"},
	{"the release %s is not higher than v%s, which exists", "выпуск %s не выше прежнего, v%s"},
	{"the release %s exists already in %s", "выпуск %s уже есть в %s"},
	{
		"there is nothing to release: nothing was published since the last release",
		"выпускать нечего: после прежнего выпуска ничего не опубликовано",
	},

	// Carrying it out.
	{
		"commit %s is not part of %s on %s yet: merge it there, `git pull`, then tag",
		"коммита %s ещё нет на ветке %s в %s: слейте её там, `git pull`, затем ставьте теги",
	},
	{"%w\nand what was done before could not be undone: %w", "%v\nи сделанное до этого отменить не удалось: %v"},
	{
		"%w\nwhat was done before is undone: nothing was published",
		"%v\nсделанное до этого отменено: ничего не опубликовано",
	},
	{
		"%s was committed with other content than was written: a commit hook or a filter changes it, take the file " +
			"out of that",
		"%s попал в коммит не таким, каким записан: его меняет хук или фильтр git, исключите файл из них",
	},
	{
		"%s is to be signed, and git could not sign it: mend user.signingKey, or unset %s",
		"%s нужно подписать, а git не смог: исправьте user.signingKey или уберите %s",
	},
	{"the branch has moved on from %s", "ветка уже не на коммите %s"},
	{
		"%s refuses the push:\n\t%s\n%w\nif the branch is protected, publish with --prepare in a pull request and " +
			"with --tag after its merge; if somebody else was faster, `git pull --rebase` and publish again",
		"%s не принимает отправку:\n\t%s\n%v\nесли ветка защищена, публикуйте запросом на слияние: --prepare до него " +
			"и --tag после; если кто-то успел раньше, `git pull --rebase` и публикуйте снова",
	},
	{
		"%s refuses the push:\n\t%w\nit does not know who you are, or you may read there and not write: mend your " +
			"credentials, or ask for leave",
		"%s не принимает отправку:\n\t%v\nон вас не узнаёт, или писать туда вам нельзя: исправьте имя и пароль или " +
			"попросите доступ",
	},
	{
		"the push was stopped before anything was sent, by the pre-push hook:\n\t%s",
		"отправку остановил хук pre-push, ничего не отправлено:\n\t%s",
	},
	{
		"the push was stopped before anything was sent, by the pre-push hook, which does not say why",
		"отправку остановил хук pre-push, ничего не отправлено; почему, он не говорит",
	},
	{"the push broke off", "отправка оборвалась"},
	{
		"the push did not end well: %v\nit may have arrived or not: what was made here is kept, and the same command " +
			"again goes on",
		"отправка оборвалась: %v\nдошла она или нет, неизвестно: сделанное здесь сохранено, та же команда продолжит",
	},

	// git.
	{
		"git has the setting %q, which cannot be switched off: rename the filter",
		"в git есть настройка %q, которую нельзя отключить: переименуйте фильтр",
	},
	{"its answer has more than %d MiB", "его ответ больше %d МиБ"},
	{"git in %s: %s: %w", "git в %s: %s: %v"},
	{"the git command is not installed", "команда git не установлена"},
	{"git var: no time in %q", "git var: нет времени в %q"},
	{
		"if no git is running, one that was killed left the file: delete it and run the command again",
		"если git сейчас не работает, файл остался от прерванного: удалите его и повторите команду",
	},
	{
		"the host does not know your ssh key, or may not let it in: `ssh-add` it to the agent, and add its public " +
			"half to your account there",
		"сервер не знает вашего ключа ssh или не пускает с ним: добавьте ключ в агент, `ssh-add`, а его открытую " +
			"часть — в свою учётную запись на сервере",
	},
	{
		"the host's key is not a known one: check it against what the host's owner publishes, and add it to " +
			"~/.ssh/known_hosts",
		"ключ сервера неизвестен: сверьте его с тем, что публикует владелец сервера, и добавьте в ~/.ssh/known_hosts",
	},
	{"make the folder and its .git writable for your user", "дайте своему пользователю право записи в папку и её .git"},
	{
		"tell git who you are: `git config --global user.name \"Your Name\"` and `git config --global user.email " +
			"you@example.org`",
		"скажите git, кто вы: `git config --global user.name \"Ваше имя\"` и `git config --global user.email " +
			"you@example.org`",
	},
	{
		"finish the merge first: mend what `git status` lists, and `git add` it",
		"сначала завершите слияние: исправьте то, что перечислит `git status`, и добавьте командой `git add`",
	},
	{
		"mend your signing key, or switch signing off with `git config commit.gpgSign false` and `git config " +
			"tag.gpgSign false`",
		"исправьте ключ подписи или отключите подпись: `git config commit.gpgSign false` и `git config tag.gpgSign " +
			"false`",
	},

	// Marks.
	{"%s has to be mended first: %s", "сначала исправьте %s: %s"},
	{
		"%s cannot be %s: only guidelines and parameters can",
		"%s не может получить пометку %s: она только для правил и параметров",
	},
	{"%s has no published version %s: it has %s", "у %s нет опубликованной версии %s, есть %s"},
	{
		"%s cannot be replaced by itself: name the item that is to be read in its place",
		"%s не может заменить себя: назовите документ, который читать вместо него",
	},
	{
		"%s is marked %s already, since %s: write `replaced_by: %s` into that mark in %s",
		"у %s уже есть пометка %s, с %s: впишите в неё `replaced_by: %s` в файле %s",
	},
	{"%s is marked %s already, since %s: %s", "у %s уже есть пометка %s, с %s: %s"},
	{
		"%s is marked %s since %s, which is stronger: remove that mark from %s if it is wrong",
		"у %s уже есть более сильная пометка %s, с %s: если она ошибочна, уберите её из %s",
	},
	{
		"%s has no sealed version %q whose content is lost or whose day has not come: void is for those that " +
			"`rulestore status` calls seal-lost or waiting; give name and version",
		"у %s нет запечатанной версии %q, содержание которой утрачено или день которой ещё не наступил: void — для " +
			"тех, что `rulestore status` называет seal-lost или ждущими; укажите имя и версию",
	},
	{"the mark cannot be written: %s", "пометку нельзя записать: %s"},
	{"there is no list of marks", "нет списка пометок"},
	{
		"the layout of %s leaves no place for a mark: add it yourself:\n%s",
		"файл %s записан так, что пометку вставить некуда: добавьте её сами:\n%s",
	},
}}
