package content

import (
	"encoding/base64"
	"strings"
)

// ApprovalsFolder has a file of approvals for each item, parallel to its file of seals in
// [SealsFolder].
const ApprovalsFolder = "approved"

const approvalsSuffix = ".sig"

// ApprovalsPath returns the path of the file with the approvals of an item, folder and name.
func ApprovalsPath(item string) string { return ApprovalsFolder + "/" + item + approvalsSuffix }

// HoldsApprovals reports whether a path is that of an approvals file.
func HoldsApprovals(path string) bool {
	return strings.HasPrefix(path, ApprovalsFolder+"/") && strings.HasSuffix(path, approvalsSuffix)
}

// Approval is a line of an approvals file: a signature over a seal.
type Approval struct {
	Seal      Seal
	Signature []byte // SSHSIG, without armor
}

// Approved is the signed message: the seal's line as it is in a seal file, line end included,
// with the time in UTC.
func (s Seal) Approved() []byte {
	s.PublishedAt = s.PublishedAt.UTC()
	return []byte(s.String() + "\n")
}

// String returns the line: <tag> <checksum> <published_at> <signature in base64>.
func (a Approval) String() string {
	return strings.TrimSuffix(string(a.Seal.Approved()), "\n") + " " + base64.StdEncoding.EncodeToString(a.Signature)
}
