// The program under test, on a free port.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

// serve starts rulestore and resolves to its address and a function that ends it.
export async function serve(...args) {
  const child = spawn(process.env.RULESTORE, ["serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /listening on (\S+)\)/.exec(line);
    if (address) {
      return { url: `http://${address[1]}`, stop: () => { child.kill(); return ended; } };
    }
  }
  throw new Error("rulestore did not listen");
}
