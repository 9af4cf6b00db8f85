// Azurite as a part of the stack: `node infra/local/azurite/main.ts <its script> <its own options>`. It shows faults on its tables when the
// parent sets them, and finds rows by their keys.
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { faultsFromParent } from "../faults/part.ts";
import { sortTables, type TableStore } from "./sorted-store.ts";
import { standBefore } from "./table-faults.ts";

interface TableServer {
  readonly httpServer: Server;
  readonly metadataStore: TableStore;
  start(): Promise<void>;
}

const require = createRequire(import.meta.url);
const script = process.argv.splice(2, 1)[0]; // the script reads the others
if (script !== "table/main.js" && script !== "azurite.js") {
  console.error("usage: main.ts table/main.js|azurite.js <options of that script>");
  process.exit(1);
}

let changed = () => {};
const faults = faultsFromParent(process, () => changed());
// The server is intercepted when Azurite's script creates it: Azurite has no extension point for its requests or its store, and a proxy
// would cost a connection for each call.
const { default: tables } = require("azurite/dist/src/table/TableServer.js") as {
  readonly default: { readonly prototype: TableServer };
};
const start = Reflect.get(tables.prototype, "start");
tables.prototype.start = async function (this: TableServer) {
  changed = standBefore(this.httpServer, faults);
  sortTables(this.metadataStore);
  return start.call(this);
};

require(`azurite/dist/src/${script}`);
