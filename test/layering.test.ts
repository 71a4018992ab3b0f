// The rules of the house on imports, as data (CONVENTIONS: "The house").
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

const ROOT = join(import.meta.dir, "..");

const PURE = [
  "schema",
  "search",
  "config",
  "catalog/catalog.ts",
  "catalog/diff.ts",
  "catalog/fetch.ts",
  "json-rpc.ts",
  "json-text.ts",
  "canonical-json.ts",
  "edit-distance.ts",
  "version.ts",
  "errors.ts",
  "redactor.ts",
];
const EDGES = [
  "child",
  "host",
  "upstream",
  "credential",
  "catalog/store.ts",
  "catalog/start.ts",
  "config/claude-env.ts",
];
const MIDDLE = ["facade", "catalog/refresh.ts"];
const TOP = ["commands", "cli.ts", "arguments.ts"];

interface Import {
  readonly from: string;
  readonly target: string;
  readonly isTypeOnly: boolean;
  readonly isDynamic: boolean;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?[^;"']*?from\s+"([^"]+)"|(?:^|\n)import\s+"([^"]+)"|import\("([^"]+)"\)/g;

function sourceFiles(): string[] {
  return readdirSync(join(ROOT, "lib"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort();
}

function sourceOf(file: string): string {
  return readFileSync(join(ROOT, "lib", file), "utf8");
}

function importsOf(file: string): Import[] {
  return [...sourceOf(file).matchAll(IMPORT)].map((match) => {
    const target = match[2] ?? match[3] ?? match[4] ?? "";
    const isLocal = target.startsWith(".");
    return {
      from: file,
      target: isLocal ? relative("lib", normalize(join("lib", dirname(file), target))) : target,
      isTypeOnly: match[1] !== undefined,
      isDynamic: match[4] !== undefined,
    };
  });
}

function isIn(places: readonly string[], file: string): boolean {
  return places.some((place) => file === place || file.startsWith(`${place}/`));
}

/** The most special rule first: `config/claude-env.ts` is an edge inside a pure room. */
function roomOf(file: string): "edge" | "pure" | "middle" | "top" | "log" | undefined {
  if (file === "log.ts") return "log";
  if (isIn(EDGES, file)) return "edge";
  if (isIn(PURE, file)) return "pure";
  if (isIn(MIDDLE, file)) return "middle";
  return isIn(TOP, file) ? "top" : undefined;
}

const files = sourceFiles();
const imports = files.flatMap(importsOf);
const local = (target: string) => files.includes(target) || target.endsWith(".json");

function breaches(room: string, isBreach: (one: Import) => boolean): string[] {
  return imports
    .filter((one) => roomOf(one.from) === room && isBreach(one))
    .map((one) => `${one.from} imports ${one.target}`);
}

describe("the house", () => {
  test("gives every file a room", () => {
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  test("resolves every local import to a file of the house", () => {
    const lost = imports.filter((one) => one.target.endsWith(".ts") && !local(one.target));
    expect(lost.map((one) => `${one.from} imports ${one.target}`)).toEqual([]);
  });

  test("keeps pure rooms pure", () => {
    const allowedPackages = (one: Import) =>
      one.target.startsWith("ajv") && isIn(["schema", "config"], one.from);
    expect(
      breaches("pure", (one) => {
        if (local(one.target))
          return roomOf(one.target) !== "pure" && !one.target.endsWith(".json");
        return !(one.isTypeOnly || allowedPackages(one));
      }),
    ).toEqual([]);
    const impure = files.filter(
      (file) =>
        roomOf(file) === "pure" &&
        /\b(?:Bun\.|process\.|setTimeout\(|setInterval\(|Date\.now|performance\.|console\.)/.test(
          sourceOf(file).replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ""),
        ),
    );
    expect(impure).toEqual([]);
  });

  test("hands the edges to the middle", () => {
    expect(
      breaches("middle", (one) => {
        if (!local(one.target)) return !one.isTypeOnly;
        const room = roomOf(one.target);
        return !(one.isTypeOnly || room === "pure" || room === "middle");
      }),
    ).toEqual([]);
    const impure = files.filter(
      (file) =>
        roomOf(file) === "middle" &&
        /\b(?:Bun\.|process\.|setTimeout\(|Date\.now)/.test(
          sourceOf(file).replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ""),
        ),
    );
    expect(impure).toEqual([]);
  });

  test("keeps what a model sees out of the edges", () => {
    expect(
      breaches("edge", (one) => {
        if (!local(one.target)) return false;
        const room = roomOf(one.target);
        return !(one.isTypeOnly || room === "pure" || room === "edge" || room === "log");
      }),
    ).toEqual([]);
  });

  test("loads the SDK only in upstream, and only by import()", () => {
    const sdk = imports.filter((one) => one.target.startsWith("@modelcontextprotocol/"));
    const wrong = sdk.filter(
      (one) => !(one.isTypeOnly || (one.isDynamic && one.from.startsWith("upstream/"))),
    );
    expect(wrong).toEqual([]);
  });

  test("has no file past 400 lines, no default export and no barrel", () => {
    expect(files.filter((file) => sourceOf(file).split("\n").length > 401)).toEqual([]);
    expect(files.filter((file) => /^export default/m.test(sourceOf(file)))).toEqual([]);
    expect(files.filter((file) => /^export (?:\*|\{[^}]*\}) from/m.test(sourceOf(file)))).toEqual(
      [],
    );
  });

  test("has no two files that import each other, also not by a detour", () => {
    const reach = (from: string, seen = new Set<string>()): Set<string> => {
      for (const one of imports) {
        if (one.from !== from || seen.has(one.target)) continue;
        seen.add(one.target);
        reach(one.target, seen);
      }
      return seen;
    };
    expect(files.filter((file) => reach(file).has(file))).toEqual([]);
  });

  test("leaves the exit of the process to the entry", () => {
    expect(files.filter((file) => /\bprocess\.exit\(/.test(sourceOf(file)))).toEqual([]);
  });
});
