package content

// Manuscript is a file as its author saved it, whether or not it can be served, with its
// findings. Only a preview has manuscripts.
type Manuscript struct {
	Path    string
	Kind    *Kind // nil if the file is not an item
	Name    string
	Blob    string   // the git object id of the file's content; empty if there is no file
	Body    Object   // the author's fields, in the order of the schema; nil if the file cannot be parsed
	Remarks []Remark // by line
	Passage Passage  // the lines around the first remark, if the file cannot be parsed
}

// Remark is a finding with its position.
type Remark struct {
	Finding
	Pointer []string // path to the value; empty: the file as a whole
	Excerpt Excerpt  // the line; zero if it has none
}

// Item returns folder and name, "" if the file is not an item.
func (m *Manuscript) Item() string {
	if m.Kind == nil {
		return ""
	}
	return m.Kind.Folder + "/" + m.Name
}
