package worktree

import "rulestore/content/i18n"

// Russian is the Russian catalogue of this package.
var Russian = i18n.Catalogue{Texts: [][2]string{
	{"read %s: %w", "прочитать %s: %v"},
	{"write %s: %w", "записать %s: %v"},
	{"the file is larger than %d bytes", "файл больше допустимого, байт: %d"},
	{"the folder %s has more than %d entries", "в папке %s больше %d записей"},
	{"git status: %q is no entry", "git status: непонятная запись %q"},
	{"git cat-file: %q is no object", "git cat-file: %q — не объект"},
	{"git hash-object: %d ids of %d files", "git hash-object: идентификаторов %d, а файлов %d"},
}}
