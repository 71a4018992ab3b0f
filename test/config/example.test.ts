import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAllServers } from "../../lib/config/servers-file.ts";

const FILE = join(import.meta.dir, "../../facade.servers.example.json");
const text = readFileSync(FILE, "utf8");
const load = (environment: Record<string, string>) =>
  parseAllServers({ text, file: FILE, environment, home: "/home/ann" });

describe("facade.servers.example.json", () => {
  test("is strict JSON and loads without any variable set", async () => {
    const names = Object.keys(JSON.parse(text)).filter((name) => name !== "$schema");
    const { entries, problems } = await load({});
    expect(problems).toEqual([]);
    expect(entries.map((entry) => entry.name)).toEqual(names);
  });

  test("shows both kinds of upstream, with a credential and with a header", async () => {
    const { entries } = await load({ SEARCH_API_KEY: "planted-key" });
    const upstreams = entries.map((entry) => entry.upstream);
    expect(new Set(upstreams.map((upstream) => upstream.kind))).toEqual(new Set(["stdio", "http"]));
    const http = upstreams.filter((upstream) => upstream.kind !== "stdio");
    expect(http.some((upstream) => upstream.credential !== undefined)).toBe(true);
    expect(http.map((upstream) => upstream.headers.Authorization)).toContain("Bearer planted-key");
  });

  test("its programs are there, from whatever folder the facade is started in", async () => {
    const { entries } = await load({});
    const stdio = entries.flatMap(({ upstream }) => (upstream.kind === "stdio" ? [upstream] : []));
    expect(stdio.map(({ command }) => command)).toEqual(["bun", "bun", "bun"]);
    for (const { cwd, args } of stdio) {
      expect(cwd).toBe(dirname(FILE));
      expect(existsSync(join(cwd ?? "", args[0] ?? ""))).toBe(true);
    }
  });
});
