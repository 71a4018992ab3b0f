#!/usr/bin/env bun
// Entry: argv and environment in, exit code out.
import { run } from "./lib/cli.ts";

process.exit(await run({ argv: process.argv.slice(2), programFolder: import.meta.dir }));
