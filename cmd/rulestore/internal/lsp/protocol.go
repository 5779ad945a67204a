package lsp

import (
	"net/url"
	"path/filepath"
	"strings"
)

// The types of the Language Server Protocol 3.17 that this server reads or writes, by their names there
// and with the fields that it uses.

type position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   documentURI `json:"uri"`
	Range textRange   `json:"range"`
}

type textDocument struct {
	URI     documentURI `json:"uri"`
	Version int32       `json:"version"`
	Text    string      `json:"text,omitempty"`
}

// contentChange replaces the text in a range, or without one the whole text.
type contentChange struct {
	Range *textRange `json:"range,omitempty"`
	Text  string     `json:"text"`
}

// documentParams are the parameters of all requests and notifications about a document.
type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
	Position     position     `json:"position"`
	Context      struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"` // of textDocument/references
	ContentChanges []contentChange `json:"contentChanges,omitempty"`
}

type workspaceFolder struct {
	URI  documentURI `json:"uri"`
	Name string      `json:"name"`
}

type foldersParams struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}

type initializeParams struct {
	Locale           string             `json:"locale,omitempty"`
	RootPath         string             `json:"rootPath,omitempty"`
	RootURI          documentURI        `json:"rootUri,omitempty"`
	WorkspaceFolders []workspaceFolder  `json:"workspaceFolders,omitempty"`
	Capabilities     clientCapabilities `json:"capabilities"`
}

type clientCapabilities struct {
	General struct {
		PositionEncodings []encoding `json:"positionEncodings,omitempty"`
	} `json:"general"`
	Workspace struct {
		CodeLens struct {
			RefreshSupport bool `json:"refreshSupport,omitempty"`
		} `json:"codeLens"`
	} `json:"workspace"`
	TextDocument struct {
		Hover struct {
			ContentFormat []string `json:"contentFormat,omitempty"`
		} `json:"hover"`
		Completion struct {
			CompletionItem struct {
				DocumentationFormat []string `json:"documentationFormat,omitempty"`
			} `json:"completionItem"`
		} `json:"completion"`
	} `json:"textDocument"`
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   serverInfo         `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type serverCapabilities struct {
	PositionEncoding   encoding          `json:"positionEncoding"`
	TextDocumentSync   syncOptions       `json:"textDocumentSync"`
	CompletionProvider completionOptions `json:"completionProvider"`
	HoverProvider      bool              `json:"hoverProvider"`
	DefinitionProvider bool              `json:"definitionProvider"`
	ReferencesProvider bool              `json:"referencesProvider"`
	CodeLensProvider   struct{}          `json:"codeLensProvider"`
	Workspace          struct {
		WorkspaceFolders workspaceFoldersOptions `json:"workspaceFolders"`
	} `json:"workspace"`
}

type syncOptions struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
	Save      bool `json:"save"`
}

type completionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

type workspaceFoldersOptions struct {
	Supported           bool `json:"supported"`
	ChangeNotifications bool `json:"changeNotifications"`
}

type diagnosticsParams struct {
	URI         documentURI  `json:"uri"`
	Version     int32        `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range    textRange `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
}

type markupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents *markupContent `json:"contents"`
	Range    *textRange     `json:"range,omitempty"`
}

type command struct {
	Title   string `json:"title"`
	Command string `json:"command"`
}

type codeLens struct {
	Range   textRange `json:"range"`
	Command command   `json:"command"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type completionItem struct {
	Label         string             `json:"label"`
	LabelDetails  *labelDetails      `json:"labelDetails,omitempty"`
	Kind          completionItemKind `json:"kind"`
	Detail        string             `json:"detail,omitempty"`
	Documentation *markupContent     `json:"documentation,omitempty"`
	SortText      string             `json:"sortText"`
	FilterText    string             `json:"filterText"`
	TextEdit      textEdit           `json:"textEdit"`
}

type labelDetails struct {
	Description string `json:"description"`
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type completionItemKind int

const (
	fieldKind      completionItemKind = 5
	valueKind      completionItemKind = 12
	fileKind       completionItemKind = 17
	referenceKind  completionItemKind = 18
	enumMemberKind completionItemKind = 20
	constantKind   completionItemKind = 21
)

const (
	incrementalSync = 2
	markdownKind    = "markdown"
	plainTextKind   = "plaintext"
)

// documentURI is the address of a document.
type documentURI string

// fileURI returns the address of a file.
func fileURI(path string) documentURI {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive of Windows
	}
	return documentURI((&url.URL{Scheme: "file", Path: path}).String())
}

// path returns the path of a file on this machine; false if it is the address of something else.
func (u documentURI) path() (string, bool) {
	parsed, err := url.Parse(string(u))
	if err != nil || parsed.Scheme != "file" {
		return "", false
	}
	path := parsed.Path
	if drive := filepath.VolumeName(strings.TrimPrefix(path, "/")); drive != "" {
		path = path[1:]
	}
	return filepath.FromSlash(path), true
}
