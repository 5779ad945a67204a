package api

import "net/http"

// proving are the operations by which anyone checks what was published.
func proving() []*Operation {
	return []*Operation{{
		Name: "checksums", ID: "listChecksums", Path: ChecksumsPath, Tag: "Поиск и журнал",
		Title: "Контрольные суммы публикаций", Action: ListChecksums,
		About: "Все публикации, как в файлах печатей: тег, контрольная сумма, дата публикации. Заголовок " +
			"Accept не учитывается.",
		Params: []*Param{since},
		Answer: newAnswer("Строки: тег, контрольная сумма, дата.", kept,
			newForm(TextType, "ChecksumList", "ChecksumList"),
		),
		AnyAccept: true,
	}, {
		Name: "checksum", ID: "getChecksum", Path: ChecksumsPath + "/{checksum}", Tag: "Проверка",
		Title: "Что под контрольной суммой", Action: FindChecksum,
		About: "Какая версия имеет эту сумму, когда она была действующей и что вышло после неё. 404 значит, " +
			"что сервер такой суммы не знает, а не что под ней ничего не публиковали.",
		Params:  []*Param{checksumInPath},
		Answer:  newAnswer("Публикация.", kept, newForm(JSONType, "ChecksumFound")),
		Missing: "NotFound",
	}, {
		Name: "citations", ID: "checkCitations", Method: http.MethodPost, Path: CitationsPath, Tag: "Проверка",
		Title: "Проверка цитат", Action: CheckCitations,
		About: "Что стало с версиями, на которые сослался прежний ответ: та ли у них контрольная сумма, " +
			"действовали ли они в тот день и действуют ли сейчас, что новее и какого класса изменение. `unknown` " +
			"значит, что сервер не знает такой версии, а не что её не было. До 200 цитат. Тело нигде не " +
			"сохраняется и не записывается.",
		Answer: newAnswer("Что стало с каждой цитатой, в том же порядке.", unkept,
			newForm(JSONType, "CitationsChecked"),
		),
		Body: &Body{Schema: "CitationsRequest"},
	}, {
		Name: "log", ID: "getLog", Path: LogPath, Tag: "Проверка",
		Title: "Журнал прозрачности", Action: Closed,
		About: "Сколько в журнале листьев, корень дерева и кто его подписал. Если новейший журнал репозитория " +
			"не сходится, `reason` говорит об этом. Журнала нет — ответ 404.",
		Answer:  newAnswer("Журнал.", kept, newForm(JSONType, "Log")),
		Missing: "NotFound",
	}, {
		Name: "log_checkpoint", ID: "getLogCheckpoint", Path: CheckpointPath, Tag: "Проверка",
		Title: "Контрольная точка журнала", Action: ReadLog,
		About: "Подписанная голова журнала, с подписями свидетелей. Заголовок Accept не учитывается.",
		Answer: newAnswer("Контрольная точка.", keptFor("Short"),
			newForm(TextType, `{"type": "string", "pattern": "^[^\\n]+\\n[0-9]+\\n[A-Za-z0-9+/=]+\\n"}`),
		),
		Missing: "NotFound", AnyAccept: true,
	}, {
		Name: "log_tile", ID: "getLogTile", Path: TilePattern, Tag: "Проверка",
		Title: "Плитка журнала", Action: ReadLog, Route: TilesPath + "{tile:.+}",
		About: "Хеши одного уровня дерева, не больше 256, или на уровне `entries` — сами листья с длиной " +
			"перед каждым, два байта. Номер больше 999 пишется по три цифры в части пути: x001/234. " +
			"Плитка не меняется никогда. Заголовок Accept не учитывается.",
		Params:  []*Param{tileLevel, tile},
		Answer:  newAnswer("Плитка.", keptFor("Immutable"), newForm(OctetType, "{}")),
		Missing: "NotFound", AnyAccept: true,
	}, {
		Name: "log_tile_partial", ID: "getPartialLogTile", Path: TilePattern + "/{width}", Tag: "Проверка",
		Title: "Неполная плитка журнала", Action: ReadLog, Route: TilesPath + "{tile:.+}",
		About: "Хеши одного уровня дерева, не больше 256, или на уровне `entries` — сами листья с длиной " +
			"перед каждым, два байта. Номер больше 999 пишется по три цифры в части пути: x001/234. " +
			"Плитка не меняется никогда. Заголовок Accept не учитывается.",
		Params:  []*Param{tileLevel, tile, tileWidth},
		Answer:  newAnswer("Плитка.", keptFor("Immutable"), newForm(OctetType, "{}")),
		Missing: "NotFound", AnyAccept: true,
	}}
}
