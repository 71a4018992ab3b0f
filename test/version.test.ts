import { expect, test } from "bun:test";
import { VERSION } from "../lib/version.ts";
import manifest from "../package.json" with { type: "json" };

test("VERSION is the version of package.json", () => {
  expect(VERSION).toBe(manifest.version);
});
