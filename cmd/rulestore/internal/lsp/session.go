package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"rulestore/content"
)

// Initialize implements protocol.Server: it exchanges capabilities.
func (s *server) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.mu.Lock()
	s.phase = serving
	s.units = unitsOf(p.Capabilities)
	s.can = abilitiesOf(p.Capabilities)
	if asked, ok := localizerOf(value(p.Locale)); ok {
		s.tongue = asked
	}
	s.folderPaths = foldersOf(p)
	if dir, err := filepath.Abs(s.Repo); s.Repo != "" && err == nil {
		s.folderPaths = []string{dir}
	}
	units := s.units
	s.mu.Unlock()
	s.follow()
	return &protocol.InitializeResult{
		Capabilities: capabilities(units),
		ServerInfo:   protocol.ServerInfo{Name: "rulestore", Version: protocol.NewOptional(s.Version)},
	}, nil
}

// triggers are the characters that start completion.
const triggers = ": -\"'[{,"

func capabilities(units encoding) protocol.ServerCapabilities {
	yes, always, incremental := new(true), protocol.Boolean(true), new(protocol.TextDocumentSyncKindIncremental)
	return protocol.ServerCapabilities{
		PositionEncoding:   protocol.PositionEncodingKind(units),
		TextDocumentSync:   &protocol.TextDocumentSyncOptions{OpenClose: yes, Change: incremental, Save: always},
		CompletionProvider: &protocol.CompletionOptions{TriggerCharacters: strings.Split(triggers, "")},
		HoverProvider:      always,
		DefinitionProvider: always,
		ReferencesProvider: always,
		CodeLensProvider:   &protocol.CodeLensOptions{},
		Workspace: &protocol.WorkspaceOptions{WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
			Supported: yes, ChangeNotifications: always,
		}},
	}
}

// unitsOf returns the position encoding: the client's first that the server supports, else
// the default of the protocol.
func unitsOf(c protocol.ClientCapabilities) encoding {
	if c.General != nil {
		for _, kind := range c.General.PositionEncodings {
			if e := encoding(kind); e == inUTF8 || e == inUTF16 {
				return e
			}
		}
	}
	return inUTF16
}

func abilitiesOf(c protocol.ClientCapabilities) (can abilities) {
	if w := c.Workspace; w != nil {
		can.refresh = w.CodeLens != nil && value(w.CodeLens.RefreshSupport)
	}
	if d := c.TextDocument; d != nil && d.Hover != nil {
		can.hover = markupOf(d.Hover.ContentFormat)
	}
	if d := c.TextDocument; d != nil && d.Completion != nil && d.Completion.CompletionItem != nil {
		can.completion = markupOf(d.Completion.CompletionItem.DocumentationFormat)
	}
	return can
}

// value returns the value of an optional field of the protocol.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// foldersOf lists the folders of the client's workspace.
func foldersOf(p *protocol.InitializeParams) (dirs []string) {
	folders, _ := p.WorkspaceFolders.Get()
	for _, f := range folders {
		dirs = appendFolder(dirs, f.URI)
	}
	//lint:ignore SA1019 clients from before there were several folders send nothing else
	address, path := p.RootURI, p.RootPath
	if len(dirs) == 0 && address != nil {
		dirs = appendFolder(dirs, *address)
	}
	if root, ok := path.Get(); ok && len(dirs) == 0 && filepath.IsAbs(root) {
		dirs = append(dirs, root)
	}
	return dirs
}

func appendFolder(dirs []string, u uri.URI) []string {
	if u.Scheme() != "file" {
		return dirs
	}
	return append(dirs, filepath.FromSlash(u.FsPath()))
}

// DidChangeWorkspaceFolders implements protocol.Server.
func (s *server) DidChangeWorkspaceFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	if s.Repo != "" {
		return nil
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
	return nil
}

// DidOpen implements protocol.Server.
func (s *server) DidOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	d := p.TextDocument
	f, path := s.folderOf(d.URI)
	if f == nil {
		f, path = s.openSingle(d.URI)
	}
	if f != nil {
		f.put(&document{newText([]byte(d.Text)), d.URI, path, d.Version})
	}
	return nil
}

// openSingle returns the folder of a document that is outside of the workspace: its
// repository, if that has content.
func (s *server) openSingle(u uri.URI) (*folder, string) {
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

// DidChange implements protocol.Server.
func (s *server) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	f, path := s.folderOf(p.TextDocument.URI)
	if f == nil {
		return nil
	}
	if d := f.buffer(path); d != nil {
		f.put(&document{s.units.edited(d.text, p.ContentChanges), d.uri, path, p.TextDocument.Version})
	}
	return nil
}

// DidSave implements protocol.Server.
func (s *server) DidSave(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	if f, _ := s.folderOf(p.TextDocument.URI); f != nil {
		signal(f.changed)
	}
	return nil
}

// DidClose implements protocol.Server.
func (s *server) DidClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	f, path := s.folderOf(p.TextDocument.URI)
	if f == nil {
		return nil
	}
	if d := f.buffer(path); d != nil {
		f.drop(path)
		s.async("close", func(context.Context) { f.withdraw(d) })
	}
	return nil
}

// DidChangeWatchedFiles implements protocol.Server.
func (s *server) DidChangeWatchedFiles(context.Context, *protocol.DidChangeWatchedFilesParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.folders {
		signal(f.changed)
	}
	return nil
}
