package loader

import "rulestore/content/i18n"

// Russian is the Russian catalogue of this package, without findings.
var Russian = i18n.Catalogue{Texts: [][2]string{
	{"nothing is published yet", "ещё ничего не опубликовано"},
	{"read the seals in %s: folder %s: %w", "прочитать печати в %s: папка %s: %v"},
	{"read the work tree: %w", "прочитать рабочую папку: %v"},
	{"read what branch %s publishes", "прочитать, что публикует ветка %s"},
	{"nothing is left that could be served: %w%s", "не осталось ничего, что можно отдавать: %v%s"},
	{
		"%w on branch %s, and there is no draft that could be served: add a file such as " +
			"guidelines/<guideline_id>.yaml%s",
		"%v на ветке %s, и нет черновика, который можно отдавать: добавьте файл, например " +
			"guidelines/<guideline_id>.yaml%s",
	},
	{
		"%w on branch %s: publish a file with a tag, for example `git tag -a %s -m \"First version\"`, or serve what " +
			"is not published yet with --drafts%s",
		"%v на ветке %s: опубликуйте файл тегом, например `git tag -a %s -m \"Первая версия\"`, или отдавайте " +
			"неопубликованное с --drafts%s",
	},
	{"\n\t… and %d more", "\n\t… и ещё %d"},
	{"no version of %s on branch %s is valid: %s", "ни одна версия %s на ветке %s не верна: %s"},
	{"branch %s: %w", "ветка %s: %v"},
	{
		"branch %s has no %s: `rulestore init DIR` writes an example, and --repo names a folder of the repository " +
			"that has one",
		"в %s нет файла %s: образец создаст `rulestore init ПАПКА`, а папку репозитория, в которой он есть, назовёт " +
			"--repo",
	},
	{
		"the files up to %s have more than %d MiB together, more is not read: take away those that are no rules",
		"файлы до %s вместе больше %d МиБ, столько не читается: уберите те, что не правила",
	},
	{"it is lightweight, which nobody can sign", "она лёгкая, такую нельзя подписать"},
	{"it was signed under another name", "она подписана под другим именем"},
	{
		"%w; fetch the repository again, or restore the object from another copy",
		"%v; загрузите репозиторий заново или восстановите объект из другой копии",
	},
}}
