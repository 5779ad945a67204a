// Package mcpserver serves the rules and the calculations over the Model Context
// Protocol, from the same site and the same registry as HTTP.
package mcpserver
