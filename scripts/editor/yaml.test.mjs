// What the YAML language server says of fields, with the settings that init writes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";
import {
  CompletionRequest, createProtocolConnection, DidOpenTextDocumentNotification, HoverRequest, InitializedNotification, InitializeRequest,
} from "vscode-languageserver-protocol/node";
import { repository, until } from "./server.mjs";

const common = "guidelines/product.common.001.yaml";
let repo, child, client;

before(async () => {
  repo = repository();
  const settings = JSON.parse(repo.read(".vscode/settings.json"));
  child = spawn("node_modules/.bin/yaml-language-server", ["--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  client = createProtocolConnection(child.stdout, child.stdin);
  client.onRequest("workspace/configuration", ({ items }) => items.map(({ section }) => section === "yaml" ? { schemas: settings["yaml.schemas"], validate: settings["yaml.validate"], hover: true, completion: true } : null));
  client.onRequest("client/registerCapability", () => null);
  client.listen();
  await client.sendRequest(InitializeRequest.type, {
    processId: process.pid, rootUri: repo.uri(""), workspaceFolders: [{ uri: repo.uri(""), name: "rules" }],
    capabilities: { workspace: { configuration: true }, textDocument: { hover: { contentFormat: ["markdown"] } } },
  });
  await client.sendNotification(InitializedNotification.type, {});
});
after(() => {
  child.kill();
  repo.remove();
});

test("a field is explained, and its values are offered", async () => {
  const text = repo.read(common).replace(/^scenario: .*$/m, "scenario: ");
  const textDocument = { uri: repo.uri(common) };
  await client.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { ...textDocument, languageId: "yaml", version: 1, text } });
  const line = text.split("\n").indexOf("scenario: ");
  const hover = await until(() => client.sendRequest(HoverRequest.type, { textDocument, position: { line, character: 3 } }), "a hover");
  assert.match(JSON.stringify(hover.contents), /Сценарий/);
  const { items } = await client.sendRequest(CompletionRequest.type, { textDocument, position: { line, character: 10 } });
  assert.ok(items.some((i) => i.label === "fraud_risk"), items.map((i) => i.label).join());
});
