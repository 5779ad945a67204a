package check

// CharName is charName, for tests.
var CharName = charName
