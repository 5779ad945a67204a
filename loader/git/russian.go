package git

import "rulestore/content/i18n"

// Russian is the Russian catalogue of this package.
var Russian = i18n.Catalogue{Texts: [][2]string{
	// A repository of this machine.
	{"no git repository", "нет репозитория git"},
	{"open repository: %w", "открыть репозиторий: %v"},
	{
		"open repository: %s is a symbolic link in it: name the folder that it leads to",
		"открыть репозиторий: %s — символическая ссылка в нём: назовите папку, на которую она ведёт",
	},
	{
		"there is no folder %s: links, files and submodules are none, and capital and small letters are told apart",
		"нет папки %s: ссылки, файлы и подмодули — не папки, а большие и малые буквы различаются",
	},
	{
		"%q is no folder in a repository: give its path from the root, such as rules or finance/rules",
		"%q — не папка репозитория: нужен путь от корня, например rules или finance/rules",
	},
	{
		"the folder %q cannot begin the name of a tag, so nothing in it could be published: rename it",
		"с папки %q не может начинаться имя тега, и опубликовать из неё ничего нельзя: переименуйте её",
	},
	{"open repository: %s is a file, not a folder", "открыть репозиторий: %s — файл, а не папка"},
	{
		"%w in %s or above it: create one with `git init`, or with `rulestore init DIR`",
		"%v в папке %s и выше: создайте его командой `git init` или `rulestore init ПАПКА`",
	},
	{
		"open repository: %s points to nothing: %w; run `git worktree repair` in the repository that it belongs to",
		"открыть репозиторий: %s указывает в пустоту: %v; выполните `git worktree repair` в репозитории, к которому " +
			"она относится",
	},
	{
		"open repository: %s does not say where the repository is",
		"открыть репозиторий: в %s не сказано, где репозиторий",
	},
	{
		"the repository is shallow: its history is cut, so dates and ancestry would be wrong; run `git fetch " +
			"--unshallow --tags`",
		"история репозитория обрезана, даты и порядок были бы неверны: выполните `git fetch --unshallow --tags`",
	},
	{"read the repository's config: %w", "прочитать настройки репозитория: %v"},
	{
		"the repository is a partial clone: some of its files are missing; clone it again without --filter",
		"репозиторий клонирован не целиком, части файлов нет: клонируйте его снова без --filter",
	},
	{
		"the repository uses sha256 object ids, which cannot be read: make one with sha1 ids; seals and checksums " +
			"stay as they are",
		"объекты репозитория названы по sha256, такое не читается: сделайте репозиторий с именами по sha1; печати и " +
			"контрольные суммы останутся прежними",
	},
	{
		"the repository keeps its refs as %.50q, which cannot be read: convert it with `git refs migrate " +
			"--ref-format=files` (git 2.48 or later)",
		"репозиторий хранит ссылки как %.50q, такое не читается: переведите его командой `git refs migrate " +
			"--ref-format=files` (git 2.48 и новее)",
	},

	// Branches, tags, commits.
	{"list refs", "перечислить ссылки"},
	{"the repository has no commit yet", "в репозитории ещё нет коммитов"},
	{
		"%w, or no branch: commit your content or push the branch, then publish with a tag",
		"%v или нет ветки: сделайте коммит с содержанием или отправьте ветку, затем опубликуйте тегом",
	},
	{
		"there is no branch, tag or commit %q: choose one with --ref: %s; or a tag, or at least 7 digits of a " +
			"commit's id",
		"нет ветки, тега или коммита %q: выберите, --ref: %s; или тег, или не меньше 7 цифр номера коммита",
	},
	{"there is no branch, tag or commit %q", "нет ветки, тега или коммита %q"},
	{
		"%w: the repository does not have it, fetch it first",
		"%v: в репозитории его нет, сначала загрузите его командой `git fetch`",
	},
	{"%q is no commit: %w", "%q — не коммит: %v"},
	{"%q is no object id", "%q — не имя объекта"},
	{"is no id of an object", "это не имя объекта"},
	{
		"what %s says, %.50q, %w; if that stays so, delete the file, or write the id of a commit into it",
		"в %s записано %.50q: %v; если так и останется, удалите файл или запишите в него имя коммита",
	},
	{"%s has %d bytes, at most %d are read", "в %s %d байт, читается не больше %d"},
	{"this is no regular file", "это не обычный файл"},
	{"%s has a line of more than %d bytes", "в %s есть строка длиннее %d байт"},
	{"the tag does not point to a commit", "тег указывает не на коммит"},
	{"%w: %s is a %s, and the tag says that it is a %s", "%v: %s — %s, а в теге сказано %s"},
	{"%w but to a %s", "%v, а на %s"},
	{"%w: more than %d tags point to one another", "%v: друг на друга указывает больше %d тегов"},
	{
		"the history of commit %s is too large: its commits and the paths that they change take more than %d bytes " +
			"to read; are there commits that add and remove a great many files? Serve a branch without them",
		"история коммита %s слишком велика: коммиты и изменённые в них пути занимают больше %d байт; возможно, есть " +
			"коммиты, где добавлено и удалено очень много файлов? Отдавайте ветку без них",
	},

	// Objects and files.
	{"read %s %s", "прочитать %s %s"},
	{"object %s: %w", "объект %s: %v"},
	{"the file is too large", "файл слишком большой"},
	{"%v: it has %d bytes, at most %d are allowed", "%v, байт: %d, допустимо не больше %d"},
	{"the object is damaged: `git fsck` says more", "объект повреждён: подробнее скажет `git fsck`"},
	{"the object is damaged, %s: `git fsck` says more", "объект повреждён, %s: подробнее скажет `git fsck`"},
	{"start git: %w", "запустить git: %v"},
	{"git cannot read the repository: %s", "git не может прочитать репозиторий: %s"},
	{"the object is missing: `git fsck` lists what else is", "объекта нет: чего ещё нет, перечислит `git fsck`"},

	// The command git.
	{
		"git %d.%d is installed, and version %d.%d or later is needed: install a newer one",
		"установлен git %d.%d, а нужна версия %d.%d или новее: обновите его",
	},

	// Making a repository.
	{"%s is not empty: choose a new folder", "папка %s не пуста: выберите новую"},
	{"create repository: %w", "создать репозиторий: %v"},
	{"commit %d: %w", "коммит %d: %v"},
	{"there is no date", "нет даты"},
	{"remove %s: there is no such file", "удалить %s: такого файла нет"},
	{"tag %s: %w", "тег %s: %v"},
	{"%s is both a file and a folder", "%s — и файл, и папка"},

	// The address of a repository elsewhere.
	{"the address of the repository is no URL", "адрес репозитория записан неверно"},
	{
		"the address of the repository must not say who signs in, logs and process lists would show it: give " +
			"RULESTORE_GIT_USERNAME and RULESTORE_GIT_PASSWORD instead",
		"в адресе репозитория не должно быть имени и пароля, их показали бы журналы и список процессов: укажите их в " +
			"RULESTORE_GIT_USERNAME и RULESTORE_GIT_PASSWORD",
	},
	{
		"the address of the repository must have no query and no fragment",
		"в адресе репозитория не должно быть ни «?», ни «#»",
	},
	{
		"%s is no address of a repository: expected for example https://example.org/rules.git",
		"%s — не адрес репозитория: нужен, например, https://example.org/rules.git",
	},
	{
		"%s is no path on this machine: expected for example file:///srv/rules.git",
		"%s — не путь на этой машине: нужен, например, file:///srv/rules.git",
	},
	{
		"the address of the repository begins with %q: expected https, ssh or file",
		"адрес репозитория начинается с %q: нужен https, ssh или file",
	},
}}
