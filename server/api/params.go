package api

import (
	"slices"
	"strconv"
)

// Parameters shared by operations.
var (
	toolID = &Param{
		Name: "tool_id", In: "path", Type: Word,
		About: "Код инструмента из реестра расчётов.",
		From:  toolIDs, Example: "loan_payment",
		Key: "ToolId",
	}
	calculationFamily = &Param{
		Name: "family", In: "query", Type: Word, Title: "Раздел",
		About: "Семейство инструментов.",
		From:  families,
		Key:   "CalculationFamily",
	}
	calculationRelease = &Param{
		Name: "release", In: "query", Type: Word, Title: "Выпуск",
		Brief: "Выпуск, с которым появились: product_version журнала изменений",
		Open:  true,
		About: "Выпуск продукта, с которым появился инструмент: `product_version` журнала изменений. Понятно " +
			"и с третьим числом: `1.5.0`.",
		From: releases, Spelt: Release,
		Key: "CalculationRelease",
	}
	tileLevel = &Param{
		Name: "level", In: "path", Type: Text,
		About:   "Уровень дерева от листьев, считая с 0; `entries` — сами листья.",
		Pattern: "^(entries|[0-9]|[1-5][0-9]|6[0-3])$", Example: "0",
		Key: "TileLevel",
	}
	tile = &Param{
		Name: "tile", In: "path", Type: Text,
		About:   "Номер плитки, три цифры; у неполной — с `.p`.",
		Pattern: `^(x[0-9]{3}/)*[0-9]{3}(\.p)?$`, Example: "000",
		Key: "Tile",
	}
	tileWidth = &Param{
		Name: "width", In: "path", Type: Number,
		About: "Сколько в неполной плитке хешей.",
		Least: 1, Most: 255, Example: "5",
		Key: "TileWidth",
	}
	checksumInPath = &Param{
		Name: "checksum", In: "path", Type: Text,
		About:   "Контрольная сумма: `sha256:` и 64 шестнадцатеричные цифры.",
		Pattern: "^sha256:[0-9a-f]{64}$",
		Example: "sha256:a83a6ebb4a8f6b8af84ae83db6cd57d5184dad0b1a4b9cf153c84fdad8729166",
		Key:     "ChecksumInPath",
	}
	version = &Param{
		Name: "version", In: "path", Type: Text,
		About:  "Версия без буквы v. Слов вроде `latest` нет: действующую версию отдаёт адрес без версии.",
		Length: 100, Pattern: versionPattern, Example: "1.0.0",
		Key: "Version",
	}
	formatFolder = &Param{
		Name: "folder", In: "path", Type: Word,
		About: "Вид элементов.",
		From:  folders, Example: "instructions",
		Key: "FormatFolder",
	}
	formatName = &Param{
		Name: "name", In: "path", Type: Text,
		About:  "Имя элемента, у которого свой формат.",
		Length: maxName, Pattern: namePattern, Example: "assistant",
		Key: "FormatName",
	}
	format = &Param{
		Name: "format", In: "path", Type: Text,
		About:   "Версия формата.",
		Pattern: `^[0-9]+\.[0-9]+$`, Example: "1.0",
		Key: "Format",
	}
	feed = &Param{
		Name: "feed", In: "path", Type: Text,
		About:   "Что это за лента, с расширением `.atom`.",
		Example: "all.atom",
		Key:     "Feed",
	}
	status = &Param{
		Name: "status", In: "query", Type: Word, Title: "Статус",
		Brief: "Новейшие версии с этим статусом",
		About: "Для каждого элемента — его новейшая версия с этим статусом, а не действующая. Без `as_of` " +
			"архивное попадает в список только так.",
		Values: []string{"current", "superseded", "archived"},
		Key:    "Status",
	}
	statusWithReview = &Param{
		Name: status.Name, In: status.In, Type: status.Type, Title: status.Title,
		Brief: status.Brief, About: status.About,
		Values: append(slices.Clip(status.Values), "review_required"),
		Key:    "StatusWithReview",
	}
	productType = &Param{
		Name: "product_type", In: "query", Type: Text, Title: "Продукт",
		Brief: "Например mortgage",
		About: "Только то, что относится к этому виду продукта; коды — в таксономии. Элемент, в котором виды " +
			"продуктов не названы, не подходит.",
		Length: maxCode, Codes: "taxonomy/product_types", Example: "deposit",
		Key: "ProductType",
	}
	prefix = &Param{
		Name: "prefix", In: "query", Type: Text,
		Brief:  "Начало id",
		About:  "Только элементы, идентификатор которых так начинается.",
		Length: maxName, Example: "consumer-rights.",
		Key: "Prefix",
	}
	AsOf = &Param{
		Name: "as_of", In: "query", Type: DayOrInstant, Title: "Что было опубликовано на дату",
		Brief: "Опубликованное на дату",
		About: "День, в часовом поясе репозитория (`time_zone` в rulestore.yaml, без него UTC), или момент с часовым " +
			"поясом, `2026-05-31T12:20:00+03:00` (RFC 3339). В ответе — " +
			"версия, которая была опубликована и действовала в конце этого дня или в этот момент; её статус указан " +
			"сегодняшний. Пометки действуют с начала своего дня. Если версию с тех пор изъяли, ответ — 410.",
		Example: "2026-10-01",
		Key:     "AsOf",
	}
	searchAsOf = &Param{
		Name: "as_of", In: "query", Type: DayOrInstant, Title: "Что было опубликовано на дату",
		Brief: "Опубликованное на дату",
		About: "День или момент с часовым поясом. О найденном говорится, что из него действовало в этот день или в " +
			"день " +
			"`in_force`, по тому, что тогда было опубликовано, или с какого дня оно вообще есть " +
			"(`first_published_at`). Находится " +
			"всегда то, что опубликовано сейчас.",
		Example: "2026-10-01",
		Key:     "SearchAsOf",
	}
	InForce = &Param{
		Name: "in_force", In: "query", Type: Date, Title: "В силе на дату",
		About: "День, ГГГГ-ММ-ДД. В ответе — то, что в этот день действовало, когда бы оно ни было " +
			"опубликовано; с `as_of` — по тому, что было известно тогда. Ответ называет период, " +
			"что было до него и что будет после. День, на который ничего нет, — тоже ответ: " +
			"`not_in_force` и ближайшие периоды.",
		Example: "2026-05-31", Answers: []string{"ItemInForce"},
		Key: "InForce",
	}
	Section = &Param{
		Name: "section", In: "query", Type: List,
		Brief: "Адреса разделов",
		About: "Адрес раздела: путь из имён полей и кодов элементов. Параметр можно повторить. В ответе — " +
			"только эти разделы, с версией, статусом и контрольной суммой документа, из которого они " +
			"взяты. Адреса перечисляет `view=brief`, их же называет поиск.",
		Many: 20, Length: maxSection, Example: "title", Answers: []string{"ItemSections"},
		Key: "Section",
	}
	versionView = &Param{
		Name: "view", In: "query", Type: Word,
		About: "`brief` — документ кратко: о чём он, что сделать сначала, какие в нём разделы и какого они " +
			"размера. Не больше 4 КБ.",
		Values: []string{"brief"}, Answers: []string{"ItemBrief"},
		Key: "VersionView",
	}
	View = &Param{
		Name: versionView.Name, In: versionView.In, Type: versionView.Type,
		About: versionView.About + " `referenced_by` — кто на документ ссылается сейчас; вместе с `as_of` об этом не " +
			"спрашивают.",
		Values:  append(slices.Clip(versionView.Values), "referenced_by"),
		Answers: []string{"ItemBrief", "ItemReferrers"},
		Key:     "View",
	}
	since = &Param{
		Name: "since", In: "query", Type: Date,
		Brief:   "Не раньше этого дня",
		About:   "День, в часовом поясе репозитория. В ответе — только то, что опубликовано начиная с него.",
		Example: "2026-09-01",
		Key:     "Since",
	}
	changelogSince = &Param{
		Name: "since", In: "query", Type: DayOrPlace, Title: "Начиная с даты",
		Brief: "День; число — место журнала прозрачности: всё с него, старое первым",
		About: "День, в часовом поясе репозитория, или место в журнале прозрачности; если хранилищ несколько, " +
			"место в журнале не первого — `имя:место`.",
		Example: "2026-09-01", Key: "ChangelogSince",
	}
	offset = &Param{
		Name: "offset", In: "query", Type: Number,
		About: "Сколько записей пропустить.",
		Most:  MaxOffset,
		Key:   "Offset",
	}
	changelogLimit = &Param{
		Name: "limit", In: "query", Type: Number,
		About:   "Сколько записей вернуть.",
		Default: DefaultLimit, Least: 1, Most: MaxLimit,
		Key: "ChangelogLimit",
	}
	searchLimit = &Param{
		Name: "limit", In: "query", Type: Number,
		About:   "Сколько найденного вернуть.",
		Default: SearchLimit, Least: 1, Most: MaxLimit,
		Key: "SearchLimit",
	}
	searchText = &Param{
		Name: "q", In: "query", Type: Text,
		Brief: "Суть вопроса словами пользователя без личных данных, до " + strconv.Itoa(MaxQuestion) + " знаков",
		About: "Вопрос или слова, как их сказал пользователь. Русские слова находятся в любой форме, " +
			"латинские слова и коды — по началу, числа — целиком. Слова глоссария находят и свои " +
			"синонимы. Кавычки и знаки только разделяют слова. Слово, которого нет нигде, ищется как " +
			"начало слова, в другой раскладке, латиницей и с одной-двумя опечатками. Не больше " +
			strconv.Itoa(MaxQuestion) + " знаков; в длинном вопросе решают слова, которые встречаются реже.",
		Length: MaxQuestion, Example: "первичное обращение",
		Key: "SearchText",
	}
	searchKind = &Param{
		Name: "kind", In: "query", Type: Word, Title: "Где искать",
		About: "Только найденное этого вида.",
		From:  FoundKinds, Example: "guideline",
		Key: "SearchKind",
	}
	searchFields = &Param{
		Name: "fields", In: "query", Type: Word,
		About:  "`full` добавляет к найденному версию, статус, сценарии, адреса и контрольную сумму.",
		Values: []string{"full"},
		Key:    "SearchFields",
	}
	searchScenario = &Param{
		Name: "scenario", In: "query", Type: Word, Title: "Сценарий",
		About: "Только то, что относится к этому сценарию: по собственной записи, по списку сценариев в " +
			"инструкции ассистента или потому, что этим пользуется инструкция сценария. Значения — из " +
			"поля `scenarios` манифеста.",
		Example: "fraud_risk",
		Key:     "SearchScenario",
	}
	searchProductType = &Param{
		Name: "product_type", In: "query", Type: Text, Title: "Продукт",
		About: "Только то, что относится к этому виду продукта. Коды — в таксономии, неизвестный код — " +
			"ошибка.",
		Length: maxCode, Codes: productType.Codes, Example: "deposit",
		Key: "SearchProductType",
	}
	searchSignal = &Param{
		Name: "signal", In: "query", Type: Text, Title: "Признак",
		Brief: "Код признака",
		About: "Код признака мошенничества: сам признак и всё, где он назван. Коды — в справочнике " +
			"признаков, неизвестный код — ошибка.",
		Length: maxCode, Codes: BriefSignals.Codes, Example: "APK_INSTALLATION_REQUESTED",
		Key: "SearchSignal",
	}
	ifNoneMatch = &Param{
		Name: "If-None-Match", In: "header", Type: Word,
		About: "Метки ETag через запятую или `*`. Если метка ответа среди них, ответ — 304 без тела. " +
			"Сравнение слабое; If-Modified-Since при этом не смотрится.",
		Example: `W/"e15452ee4894ba8d47f55247"`,
		Key:     "IfNoneMatch",
	}
	ifModifiedSince = &Param{
		Name: "If-Modified-Since", In: "header", Type: Word,
		About: "Время из Last-Modified прежнего ответа. Если оно то же, ответ — 304 без тела. " +
			"Для страниц и с любым другим временем не учитывается.",
		Example: "Tue, 12 May 2026 12:20:00 GMT",
		Key:     "IfModifiedSince",
	}
	skillName = &Param{
		Name: "skill", In: "path", Type: Text, About: "Имя навыка — имя инструкции.", Length: 64,
		Pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", Example: "assistant", Key: "SkillName",
	}
	skillFile = &Param{
		Name: "file", In: "path", Type: Text, About: "Файл навыка.", Example: "SKILL.md", Key: "SkillFile",
	}
	itemFolder = &Param{
		Name: "folder", In: "path", Type: Word, About: "Вид элементов: папка, в которой они лежат.",
		From: kindFolders, Example: "guidelines", Key: "ItemFolder",
	}
	anyName = &Param{
		Name: "name", In: "path", Type: Text, About: "Имя элемента.", Length: maxName,
		Pattern: namePattern, Example: "product.common.001", Key: "ItemName",
	}
	compareFrom = &Param{
		Name: "from", In: "query", Type: Word, Title: "Было",
		About: "Версия слева. По умолчанию та, что была перед версией справа.", Example: "1.0.0",
	}
	compareTo = &Param{
		Name: "to", In: "query", Type: Word, Title: "Стало",
		About: "Версия справа. По умолчанию действующая.", Example: "1.0.0",
	}
	compareClass = &Param{
		Name: "class", In: "query", Type: Word, Values: []string{"breaking", "addition", "wording"},
		About: "Только изменения этого класса.", Brief: "Только этого класса",
	}
	compareSection = &Param{
		Name: "section", In: "query", Type: Text, Length: maxSection, Example: "title",
		About: "Только изменения в этом разделе.", Brief: "Только в этом разделе",
	}
	compareOffset = &Param{
		Name: "offset", In: "query", Type: Number, Most: MaxOffset, About: "Сколько изменений пропустить.",
	}
	// ListLimit is the limit of a list that is whole without it. On a page it is without effect.
	ListLimit = &Param{
		Name: "limit", In: "query", Type: Number, Least: 1, Most: MaxOffset,
		About: "Сколько элементов вернуть; без него — все.",
		Key:   "ListLimit",
	}
	toolsets = &Param{
		Name: "toolsets", In: "query", Type: Word,
		About: "Наборы инструментов через запятую: rules, fraud, math, frequent, reference, service, calculations; " +
			"all — все они; connector — только сам по себе.",
	}
	BriefSignals = &Param{
		Name: "signal", In: "query", Type: List, Many: 20, Length: maxCode,
		Brief: "Коды признаков",
		About: "Код признака. Параметр можно повторить. Нужен хотя бы один `signal` или `state`.",
		Codes: "fraud-signals/signals", Example: "SMS_CODE_REQUESTED",
	}
	briefStates = &Param{
		Name: "state", In: "query", Type: List, Many: 20, Length: maxCode,
		Brief: "Коды состояний",
		About: "Код состояния, в котором человек уже находится: что случилось, а не о чём попросили. Параметр можно " +
			"повторить.",
		Codes: "fraud-states/states", Example: "MONEY_TRANSFERRED_BY_USER",
	}
)

// Limits of pages.
const (
	DefaultLimit = 50            // default number of entries of a page
	SearchLimit  = 20            // default number of results of a search
	MaxLimit     = 500           // maximum number
	MaxQuestion  = 2000          // maximum length of the text of a search, in characters
	MaxOffset    = 1_000_000_000 // maximum offset: more than any repository has
)

// How versions, names and codes are written.
const (
	versionPattern = `^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`
	namePattern    = "^[a-z0-9][a-z0-9._-]*$"
	maxName        = 160
	maxSection     = 300
	maxCode        = 200
)

// titled is the schema of a text in Markdown with a title.
const titled = `{"type":"string","pattern":"^# "}`
