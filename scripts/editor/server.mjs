// The program under test, in a repository of its own.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// repository makes one, whose path has what addresses have to escape.
export function repository() {
  const parent = mkdtempSync(join(tmpdir(), "rulestore-"));
  const dir = join(parent, "мои правила");
  execFileSync(process.env.RULESTORE, ["init", dir], { stdio: "ignore" });
  return {
    dir,
    uri: (path) => pathToFileURL(join(dir, path)).href,
    read: (path) => readFileSync(join(dir, path), "utf8"),
    remove: () => rmSync(parent, { recursive: true }),
  };
}

// start starts the server; ended resolves to its exit code.
export function start(dir) {
  const child = spawn(process.env.RULESTORE, ["lsp"], { cwd: dir, stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, LC_ALL: "C" } });
  return { child, ended: new Promise((resolve) => child.on("exit", resolve)) };
}

// until waits for something to hold.
export async function until(holds, what) {
  for (let i = 0; i < 1200; i++) {
    const value = await holds();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`not within half a minute: ${what}`);
}
