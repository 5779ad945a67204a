package content

// Manuscript is a file as its author left it, whether or not it can be served,
// with what there is to look at in it. Only a preview has manuscripts.
type Manuscript struct {
	Path    string
	Kind    *Kind // nil if the file is no item's
	Name    string
	Blob    string   // the git object that the file is or would be; empty if there is no file
	Body    Object   // what the author wrote, in the order of the schema; nil if it cannot be read
	Remarks []Remark // by line
	Passage Passage  // what stands around the first remark, if the file cannot be read
}

// Remark is a finding with the place that it is about.
type Remark struct {
	Finding
	Pointer []string // the steps to the value; empty: the file as a whole
	Excerpt Excerpt  // the line; zero if it has none
}

// Item returns folder and name, "" if the file is no item's.
func (m *Manuscript) Item() string {
	if m.Kind == nil {
		return ""
	}
	return m.Kind.Folder + "/" + m.Name
}
