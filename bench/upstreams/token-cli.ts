// A token CLI for the soak: prints the token in a file, or makes a new one.
//   bun bench/upstreams/token-cli.ts FILE [--renew]
import { readFileSync, writeFileSync } from "node:fs";

const file = process.argv[2] ?? "";
if (process.argv.includes("--renew")) writeFileSync(file, `soak-token-${crypto.randomUUID()}\n`);
console.log(readFileSync(file, "utf8").trim());
