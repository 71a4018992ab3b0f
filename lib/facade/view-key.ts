// What the list shown to the host depends on, beside the catalog. Catalogs on disk carry the list
// ready to be sent; it is made anew when this key is another one. Loaded at every start: keep it small.
import { canonicalJson } from "../canonical-json.ts";
import type { ServerEntry } from "../config/server-entry.ts";
import { VIEW_REVISION } from "../version.ts";

export function viewKeyOf(entry: ServerEntry): string {
  const { used, hidden, metaPrefix } = entry;
  return canonicalJson([VIEW_REVISION, used, hidden, metaPrefix]);
}
