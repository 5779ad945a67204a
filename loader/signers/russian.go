package signers

import "rulestore/content/i18n"

// Russian is the Russian catalogue of this package, for errors in the file of signers; texts
// about signatures are findings.
var Russian = i18n.Catalogue{Texts: [][2]string{
	{"the file has %d bytes, at most %d are read", "в файле %d байт, читается не больше %d"},
	{"line %d: %w", "строка %d: %v"},
	{"line %d: the OpenPGP key has no end", "строка %d: у ключа OpenPGP нет конца"},
	{
		"there is no key in the file, so nothing would be served",
		"в файле нет ни одного ключа, и ничего бы не отдавалось",
	},
	{"read the OpenPGP key: %w", "прочитать ключ OpenPGP: %v"},
	{
		"of %d OpenPGP keys %d can be read: take the others out",
		"ключей OpenPGP %d, из них читается %d: уберите остальные",
	},
	{
		"this is a private OpenPGP key: keep it where it was, and export the public one with `gpg --armor --export`",
		"это закрытый ключ OpenPGP: пусть лежит там, где лежал, а открытый выгрузите командой `gpg --armor --export`",
	},
	{
		"the OpenPGP key %s of %s can sign nothing that counts: it needs RSA of at least %d bits, ECDSA or EdDSA, " +
			"the right to sign, and certifications of its own that are not made with SHA-1",
		"подписи ключа OpenPGP %s, %s, не считаются: нужен RSA не короче %d бит, ECDSA или EdDSA, право подписывать " +
			"и собственные заверения не с SHA-1",
	},
	{
		"this is no line of an allowed_signers file: expected for example `anna@example.org ssh-ed25519 AAAA…`",
		"это не строка файла allowed_signers: нужна, например, `anna@example.org ssh-ed25519 AAAA…`",
	},
	{"the quoted principals have no end", "у имён в кавычках нет конца"},
	{
		"a line begins with who it is about, then comes the key: expected for example `anna@example.org ssh-ed25519 " +
			"AAAA…`",
		"строка начинается с того, чей это ключ, затем идёт ключ: нужна, например, `anna@example.org ssh-ed25519 AAAA…`",
	},
	{
		"this is a certificate (%s), which cannot be listed: list the key itself",
		"это сертификат (%s), его указать нельзя: укажите сам ключ",
	},
	{"the RSA key has %d bits, at least %d are needed", "в ключе RSA %d бит, нужно не меньше %d"},
	{"a DSA key is too weak: list a key of another type", "ключ DSA слишком слабый: укажите ключ другого вида"},
	{
		"certificate authorities (cert-authority) are not supported: list the signers' own keys",
		"центры сертификации (cert-authority) не поддерживаются: укажите ключи самих подписантов",
	},
	{
		"the option %q is not known: expected namespaces, valid-after or valid-before",
		"параметр %q неизвестен: бывают namespaces, valid-after и valid-before",
	},
	{
		"%q is no time: expected for example 20270101 or 202701012359Z",
		"%q — не время: нужно, например, 20270101 или 202701012359Z",
	},
}}
