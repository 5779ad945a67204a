package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"rulestore/content"
)

// initialize exchanges capabilities.
func (s *server) initialize(p initializeParams) initializeResult {
	s.mu.Lock()
	s.phase = serving
	s.units = unitsOf(p.Capabilities.General.PositionEncodings)
	s.can = abilities{
		hover:      markupOf(p.Capabilities.TextDocument.Hover.ContentFormat),
		completion: markupOf(p.Capabilities.TextDocument.Completion.CompletionItem.DocumentationFormat),
		refresh:    p.Capabilities.Workspace.CodeLens.RefreshSupport,
	}
	if asked, ok := localizerOf(p.Locale); ok {
		s.tongue = asked
	}
	s.folderPaths = foldersOf(p)
	if dir, err := filepath.Abs(s.Repo); s.Repo != "" && err == nil {
		s.folderPaths = []string{dir}
	}
	units := s.units
	s.mu.Unlock()
	s.follow()
	r := initializeResult{ServerInfo: serverInfo{"rulestore", s.Version}, Capabilities: serverCapabilities{
		PositionEncoding:   units,
		TextDocumentSync:   syncOptions{OpenClose: true, Change: incrementalSync, Save: true},
		CompletionProvider: completionOptions{strings.Split(triggers, "")},
		HoverProvider:      true, DefinitionProvider: true, ReferencesProvider: true,
	}}
	r.Capabilities.Workspace.WorkspaceFolders = workspaceFoldersOptions{Supported: true, ChangeNotifications: true}
	return r
}

// triggers are the characters that start completion.
const triggers = ": -\"'[{,"

// unitsOf returns the position encoding: the client's first that the server supports, else
// the default of the protocol.
func unitsOf(client []encoding) encoding {
	for _, e := range client {
		if e == inUTF8 || e == inUTF16 {
			return e
		}
	}
	return inUTF16
}

// foldersOf lists the folders of the client's workspace.
func foldersOf(p initializeParams) (dirs []string) {
	for _, f := range p.WorkspaceFolders {
		dirs = appendFolder(dirs, f.URI)
	}
	// clients from before there were several folders send nothing else
	if len(dirs) == 0 {
		dirs = appendFolder(dirs, p.RootURI)
	}
	if len(dirs) == 0 && filepath.IsAbs(p.RootPath) {
		dirs = append(dirs, p.RootPath)
	}
	return dirs
}

func appendFolder(dirs []string, u documentURI) []string {
	if path, ok := u.path(); ok {
		return append(dirs, path)
	}
	return dirs
}

// changeFolders takes the folders that the client opened and closed.
func (s *server) changeFolders(p foldersParams) {
	if s.Repo != "" {
		return
	}
	s.mu.Lock()
	for _, f := range p.Event.Removed {
		gone := appendFolder(nil, f.URI)
		s.folderPaths = slices.DeleteFunc(s.folderPaths, func(dir string) bool { return slices.Contains(gone, dir) })
	}
	for _, f := range p.Event.Added {
		s.folderPaths = appendFolder(s.folderPaths, f.URI)
	}
	s.mu.Unlock()
	s.follow()
}

// opened takes the text of a document that the client opened.
func (s *server) opened(d textDocument) {
	f, path := s.folderOf(d.URI)
	if f == nil {
		f, path = s.openSingle(d.URI)
	}
	if f != nil {
		f.put(&document{newText([]byte(d.Text)), d.URI, path, d.Version})
	}
}

// openSingle returns the folder of a document that is outside of the workspace: its
// repository, if that has content.
func (s *server) openSingle(u documentURI) (*folder, string) {
	file, ok := filePath(u)
	s.mu.Lock()
	none := len(s.folderPaths) == 0
	s.mu.Unlock()
	if !ok || !none {
		return nil, ""
	}
	dir := newFolder(s, filepath.Dir(file)).root
	if !isThere(filepath.Join(dir, content.SettingsFile)) {
		return nil, ""
	}
	s.mu.Lock()
	s.folderPaths = append(s.folderPaths, dir)
	s.mu.Unlock()
	s.follow()
	return s.folderOf(u)
}

// edited takes the changes of an open document.
func (s *server) edited(p documentParams) {
	f, path := s.folderOf(p.TextDocument.URI)
	if f == nil {
		return
	}
	if d := f.buffer(path); d != nil {
		f.put(&document{s.units.edited(d.text, p.ContentChanges), d.uri, path, p.TextDocument.Version})
	}
}

// closed forgets the text of a document that the client closed.
func (s *server) closed(d textDocument) {
	f, path := s.folderOf(d.URI)
	if f == nil {
		return
	}
	if d := f.buffer(path); d != nil {
		f.drop(path)
		s.work.Go(func() { s.guard("close", func() { f.withdraw(d) }) })
	}
}

// saved has the folders read again, as files were saved or changed elsewhere.
func (s *server) saved() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.folders {
		signal(f.changed)
	}
}
