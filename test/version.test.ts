import { expect, test } from "bun:test";
import manifest from "../package.json" with { type: "json" };
import { VERSION } from "../lib/version.ts";

test("VERSION is the version of package.json", () => {
  expect(VERSION).toBe(manifest.version);
});
