package calc

// Limits of a request and of an answer. Fields have limits of their own, which the input
// schema of the tool states.
const (
	MaxBody  = 64 << 10 // bytes of a request
	MaxDepth = 16       // levels of objects and lists
	MaxItems = 200      // of a list, unless the tool says otherwise
	MaxRows  = 1200     // of a schedule
)
