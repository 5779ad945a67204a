// Package mcpserver is where assistants meet the service by the Model Context
// Protocol: they read the rules and calculate, from the same site and the same
// registry of calculations as HTTP.
//
// # Two eras
//
// Until 2025-11-25 a client opens a session and is told of changes on a stream of
// it; from 2026-07-28 on each request stands alone, and what a client wants to be
// told of is a request that stays open. Both come to one address. The header
// Mcp-Protocol-Version says which handler of the SDK a request reaches; a request
// of the first era that belongs to no session and opens none is answered as if it
// stood alone, so that one line of curl is enough. Both handlers are over one
// long-lived server of the SDK.
//
// # What answers
//
// [Server.receive] stands before the SDK's own lists and answers from the current
// site: tools, resources, prompts and skills are never copied there, so that a
// swap costs nothing and a request reads one site from start to end. The SDK does
// what is left: the transport, the opening of a conversation, subscriptions.
//
// A tool is declared by [reads], [calculation] or by hand. Its parameters are
// [param] values, from which come both the schema and the checks; its result is
// what HTTP answers at the address that it stands for, byte for byte but for
// fetched_at. Long lists come in pages, and next_offset says where to go on. What is
// wrong with arguments is a result with isError, in words that a model can act on:
// code, detail, and for each fault pointer, code, detail and hint. What is wrong
// with the protocol is an error of JSON-RPC, whatever the SDK makes of it
// ([translator]).
//
// Over stdio, what was asked before the client's stream ended is answered still,
// however long that takes; a line that is no message is refused, and the next one read.
//
// # Tokens
//
// What a client pays for is the list of tools. They come in [Toolsets], chosen by
// ?toolsets=, by the header X-MCP-Toolsets or by a flag; what is said once in the
// instructions is not said again in each schema; schemas of calculations are
// shortened ([slim]) to what a model needs in order to ask, while the engine goes
// on checking everything. A test holds the default list under 20 KB.
//
// What a model reads is counted too (TestPrescribedWays): an item comes in brief or by
// sections, Markdown is not said again as data ([identity]), and prompts and skills begin
// with the brief and name tools where the instructions have addresses ([forTools]).
//
// # Connector
//
// Some clients know two tools, search and fetch, by a contract of their own. They are the
// toolset connector, which is chosen alone, because its search is another.
//
// # Resources
//
//	rulestore://guidelines/product.common.001            the current version
//	rulestore://guidelines/product.common.001.md         the same as Markdown
//	rulestore://guidelines/product.common.001/v1.0.0     a version, by its tag
//	rulestore://guidelines/product.common.001/v1.0.0.md
//	skill://fraud-response/SKILL.md                      an instruction as a skill, in brief
//	skill://fraud-response/references/full.md            the whole of it
//	skill://index.json                                   all skills
//
// Who follows one is told when what it reads has changed ([Server.Swapped]).
//
// # Hostile clients
//
// A request has at most 256 KiB and a batch 20 messages; ids have 256 bytes, names, URIs,
// cursors and whatever else a string gives outside of arguments 2 KiB. A message is read
// by the exact names of its members, each once, as the SDK reads it; and whatever the SDK
// takes for a request to listen opens no stream unless it was counted as one.
//
// Each request gets one answer. The SDK writes nothing to a session any more that it
// once failed to write to: what handlers return is made writable ([told]), its error for
// an unknown resource, which is no JSON for every URI, is made here ([notFound]), and what
// it leaves unanswered all the same is answered by an error and ends the session. Nothing
// is kept of what was answered, and of who opened a session the revision alone.
//
// There are at most 2,000 sessions and 1,000 streams, which clients share as
// [clients.Table] says. Each stream is written by a goroutine of its own from a backlog of
// 64 KiB, so that a client that reads nothing delays nobody, and what crashes on it ends
// it alone. Requests of foreign origins are refused, and those for foreign hosts where it
// is known which names are ours: on loopback, and wherever a base URL was given
// ([Server.guard]). The service receives no user data: no prompt takes text, and nothing
// of a request is logged.
package mcpserver
