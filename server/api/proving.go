package api

import "net/http"

// proving are the operations by which anyone checks what was published.
func proving() []*Operation {
	return []*Operation{{
		Name: "checksums", ID: "listChecksums", Path: ChecksumsPath, Action: ListChecksums,
		Params: []*Param{since},
		Answer: newAnswer("Строки: тег, контрольная сумма, дата.", kept,
			newForm(TextType, "ChecksumList", "ChecksumList"),
		),
		AnyAccept: true,
	}, {
		Name: "checksum", ID: "getChecksum", Path: ChecksumsPath + "/{checksum}", Action: FindChecksum,
		Params:  []*Param{checksumInPath},
		Answer:  newAnswer("Публикация.", kept, newForm(JSONType, "ChecksumFound")),
		Missing: "NotFound",
	}, {
		Name: "citations", ID: "checkCitations", Method: http.MethodPost, Path: CitationsPath,
		Action: CheckCitations,
		Answer: newAnswer("Что стало с каждой цитатой, в том же порядке.", unkept,
			newForm(JSONType, "CitationsChecked"),
		),
		Body: &Body{Schema: "CitationsRequest"},
	}, {
		Name: "log", ID: "getLog", Path: LogPath, Action: Closed,
		Answer:  newAnswer("Журнал.", kept, newForm(JSONType, "Log")),
		Missing: "NotFound",
	}, {
		Name: "log_checkpoint", ID: "getLogCheckpoint", Path: CheckpointPath, Action: ReadLog,
		Answer: newAnswer("Контрольная точка.", keptFor("Short"),
			newForm(TextType, `{"type": "string", "pattern": "^[^\\n]+\\n[0-9]+\\n[A-Za-z0-9+/=]+\\n"}`),
		),
		Missing: "NotFound", AnyAccept: true,
	}, {
		Name: "log_tile", ID: "getLogTile", Path: TilePattern,
		Action: ReadLog, Route: TilesPath + "{tile:.+}",
		Params:  []*Param{tileLevel, tile},
		Answer:  newAnswer("Плитка.", keptFor("Immutable"), newForm(OctetType, "{}")),
		Missing: "NotFound", AnyAccept: true,
	}, {
		Name: "log_tile_partial", ID: "getPartialLogTile", Path: TilePattern + "/{width}",
		Action: ReadLog, Route: TilesPath + "{tile:.+}",
		Params:  []*Param{tileLevel, tile, tileWidth},
		Answer:  newAnswer("Плитка.", keptFor("Immutable"), newForm(OctetType, "{}")),
		Missing: "NotFound", AnyAccept: true,
	}}
}
