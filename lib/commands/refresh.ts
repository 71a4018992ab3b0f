// `refresh`: fetches the catalog now and prints what was added, removed, changed.
import { diffTools } from "../catalog/diff.ts";
import { isAbsent } from "../catalog/store.ts";
import { EXIT } from "../errors.ts";
import { openCommandEdges } from "./command-edges.ts";
import { type CommandContext, requireEntry } from "./entry.ts";
import { fetchNow } from "./fetch-now.ts";
import type { Output } from "./output.ts";

export async function refresh(context: CommandContext, output: Output): Promise<number> {
  const written = await requireEntry(context);
  await using commandEdges = openCommandEdges({ written });
  const stored = commandEdges.edges.store.load(commandEdges.key, Date.now());
  const before = isAbsent(stored) ? undefined : stored.tools();
  const current = await fetchNow(commandEdges);
  const tools = current.tools();
  output.print(`${written.entry.name}: ${tools.length} tools`);
  for (const note of current.view.notes) output.complain(`${written.entry.name}: ${note}`);
  if (before === undefined) return EXIT.fine;
  const diff = diffTools(before, tools);
  const lines = (["added", "removed", "changed"] as const).flatMap((kind) =>
    diff[kind].map((name) => `${kind} ${name}`),
  );
  output.print(lines.length === 0 ? "nothing changed" : lines.join("\n"));
  return EXIT.fine;
}
