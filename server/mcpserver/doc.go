// Package mcpserver serves assistants by the Model Context Protocol: they read the
// rules and calculate, with the same site and the same registry of calculations as HTTP.
//
// # Protocol versions
//
// Requests of every version are stateless: a client goes on after a restart and at any replica, and one
// line of curl is enough. Changes are told since 2026-07-28, where a subscription is a request whose
// response stays open; clients of earlier versions are promised no notifications, and see by the snapshot
// in _meta and by feeds that something has changed.
//
// # Architecture
//
// [Server.receive] intercepts requests before the SDK's own lists and answers from the current
// site: tools, resources, prompts and skills are never registered with the SDK, so that a
// swap costs nothing and a request reads one site from start to end. The SDK provides
// the rest: the transport, initialization, subscriptions.
//
// A tool is a row of tools.yaml, and a function in [runs]. Its parameters are
// [api.Param] values, from which both the schema and the validation are derived; its result is
// the HTTP response of the corresponding address, byte for byte except
// fetched_at. Long lists are paginated by next_offset. Invalid
// arguments give a result with isError, with a text that a model can act on:
// code, detail, and for each fault pointer, code, detail and hint. Protocol
// errors are JSON-RPC errors, also those that the SDK writes as plain text ([translator]).
//
// Over stdio, requests received before the end of the input are still answered,
// however long that takes; a line that is no message ends the conversation.
//
// # Tokens
//
// The list of tools is the main cost for a client. Tools are grouped in [api.Toolsets], selected by
// ?toolsets=, by the header X-MCP-Toolsets or by a flag; what the
// instructions say is not repeated in each schema; schemas of calculations are
// reduced ([slim]) to what a model needs to make a request, while the engine
// validates everything. A test keeps the default list under 20 KB.
//
// Tokens of results are counted too (TestPrescribedWays): an item is returned in brief or by
// sections, Markdown is not repeated as data, and prompts and skills begin
// with the brief and name tools where the instructions have addresses ([forTools]).
//
// # Connector
//
// Some clients support only two tools, search and fetch, with a contract of their own. These are
// the toolset connector, which excludes the others, because its search is different.
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
// A subscriber is notified when the content of its resource has changed ([Server.Swapped]).
//
// # Hostile clients
//
// The SDK parses and checks messages: their depth, the types of members, the revision, and that headers
// say what the body does. A request is limited to 256 KiB and a batch to 20 messages. An id that the
// SDK would change, a fraction or a number from 2^53, is refused ([lostID]). An error for an unknown
// resource is made here ([notFound]), as that of the SDK is not valid JSON for every URI. Nothing of a
// client is stored.
//
// There are at most 1,000 streams. Each is written by a goroutine of its own from a [queue], so that a client
// that does not read delays no other. A panic is an error of its request.
// Requests with a foreign Origin are rejected, and those for a foreign Host if the
// service's own names are known: on loopback, and if a base URL is configured
// ([Server.guard]). The service receives no user data: no prompt takes text, and nothing
// of a request is logged.
package mcpserver
