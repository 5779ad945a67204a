package log

import "rulestore/content/i18n"

// Russian is the Russian catalogue of this package.
var Russian = i18n.Catalogue{Texts: [][2]string{
	{"no leaf %d of %d: the log has %d", "нет листа %d из %d: в журнале их %d"},
	{"no trees of %d and %d leaves: the log has %d", "нет деревьев из %d и %d листьев: в журнале их %d"},
	{
		"%.80q is no tile of the log: tile/0/000 is one, and so are tile/0/x001/234.p/56 and tile/entries/000",
		"%.80q — не плитка журнала; плитки — это, например, tile/0/000, tile/0/x001/234.p/56 и tile/entries/000",
	},
	{"this is no bundle of %d leaves at most", "это не набор из не более чем %d листьев"},
	{"a leaf of %d bytes ends after %d", "лист из %d байт обрывается после %d"},
	{"this is no checkpoint: it is longer than %d bytes", "это не контрольная точка: она длиннее %d байт"},
	{"the signature of %s on the checkpoint is not right", "подпись %s под контрольной точкой неверна"},
	{
		"this is no checkpoint: it is not a signed note (c2sp.org/signed-note)",
		"это не контрольная точка: она не подписана так, как велит c2sp.org/signed-note",
	},
	{
		"this is no checkpoint: it begins with three lines, a name, a size and a hash (c2sp.org/tlog-checkpoint)",
		"это не контрольная точка: она начинается с трёх строк — имени, размера и хеша (c2sp.org/tlog-checkpoint)",
	},
	{"the checkpoint of %s is not signed by the key %s+%s", "контрольная точка %s не подписана ключом %s+%s"},
	{
		"the checkpoint is of the log %s, and the key is that of %s",
		"контрольная точка — журнала %s, а ключ — журнала %s",
	},
	{
		"%.80q cannot be the name of a key: take an address without a scheme, as rules.example.org/log",
		"%.80q не может быть именем ключа: возьмите адрес без схемы, например rules.example.org/log",
	},
	{
		"this is no key: it begins with PRIVATE+KEY+, and `rulestore log key NAME FILE` makes one",
		"это не ключ: он начинается с PRIVATE+KEY+, его создаёт `rulestore log key ИМЯ ФАЙЛ`",
	},
	{
		"%.120q is no public key: it is a name, eight hex digits and base64 with + between them",
		"%.120q — не открытый ключ: это имя, восемь шестнадцатеричных цифр и base64, а между ними +",
	},
	{"this is no proof (c2sp.org/tlog-proof@v1)", "это не доказательство (c2sp.org/tlog-proof@v1)"},
	{"leaf %d of %d is not %.200q", "лист %d из %d — не %.200q"},
	{
		"the log had %d leaves, and now has %d: it was rolled back",
		"в журнале было листьев %d, а стало %d: его откатили",
	},
	{
		"there are two logs of %d leaves: their roots are %s and %s",
		"журналов из %d листьев два: их корни — %s и %s",
	},
	{
		"the log of %d leaves is no beginning of that of %d: its history was rewritten",
		"журнал из %d листьев — не начало журнала из %d: его историю переписали",
	},
	{"the key of the log: %w", "ключ журнала: %v"},
	{"the key of a witness: %w", "ключ свидетеля: %v"},
	{
		"the witness %s stands twice, or has the key or the name of another one or of the log",
		"свидетель %s назван дважды, или у него ключ или имя другого свидетеля или журнала",
	},
	{"a quorum of %d needs witnesses, and none is named", "для кворума %d нужны свидетели, а не назван ни один"},
	{
		"an age needs witnesses: only they say when they signed, and the key of the log does not",
		"для давности нужны свидетели: только они говорят, когда подписали, а ключ журнала — нет",
	},
	{"the quorum is %d of %d witnesses: expected 1 to %d", "кворум — %d из %d свидетелей; ожидается от 1 до %d"},
	{"an age of %s is less than nothing", "давность %s меньше нуля"},
	{
		"%.120q is a key of a log: that of a witness is the second that `rulestore log key` prints",
		"%.120q — ключ журнала; ключ свидетеля `rulestore log key` печатает вторым",
	},
	{
		"%.120q is a key of a witness: that of a log is the first that `rulestore log key` prints",
		"%.120q — ключ свидетеля; ключ журнала `rulestore log key` печатает первым",
	},
	{
		"%d of %d witnesses have signed the log of %d leaves, and %d have to",
		"свидетелей, подписавших журнал: %d из %d (листьев %d), а нужно %d",
	},
	{
		"the witnesses have signed the log of %d leaves last at %s, more than %s ago: it is an old one, or nobody " +
			"signs any more",
		"журнал из %d листьев свидетели подписали последний раз %s, раньше чем %s назад: он устарел, или его больше " +
			"не подписывают",
	},
}}
