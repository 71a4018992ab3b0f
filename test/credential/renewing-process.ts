// One facade among several: has been refused the token of its argument, renews, prints the outcome.
// Started by renew-lock.test.ts with the folder of a fake CLI.
import { join } from "node:path";
import { createCredential } from "../../lib/credential/credential.ts";
import { createRedactor } from "../../lib/redactor.ts";

const [folder = "", refused = ""] = process.argv.slice(2);
const credential = createCredential({
  source: {
    id: "cred-1",
    tokenCommand: ["omp", "token", "cred-1"],
    renewCommand: ["omp", "token", "--force-refresh", "cred-1"],
  },
  server: "acme",
  lockFile: join(folder, "catalogs/acme.renew.lock"),
  redactor: createRedactor(),
  log: { line: () => {} },
  now: Date.now,
  environment: process.env,
  home: folder,
});
console.log(await credential.renew(refused));
