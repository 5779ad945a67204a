package calc

// What a request may be and an answer may hold. Every field has limits of its
// own besides, which the schema of the tool's input states.
const (
	MaxBody  = 64 << 10 // bytes of a request
	MaxDepth = 16       // levels of objects and lists
	MaxItems = 200      // of a list, unless the tool says otherwise
	MaxRows  = 1200     // of a schedule
)
