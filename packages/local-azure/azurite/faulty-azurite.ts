#!/usr/bin/env node
// Azurite as a part of the stack: `node packages/local-azure/azurite/faulty-azurite.ts <its script> [--keep <file>] -- <its own options>`. Its
// tables show the faults that the parent sets, and find rows by their keys. It publishes rows when the parent asks. With `--keep`, it keeps
// them in a file.
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { readOptions } from "../common/options.ts";
import { publisher } from "../common/publish.ts";
import { faultsFromParent } from "../faults/part.ts";
import { publishRows, type PublishedRows } from "./published-rows.ts";
import { keepTables, type KeptStore } from "./kept-tables.ts";
import { sortTables } from "./sorted-store.ts";
import { standBefore } from "./table-faults.ts";

interface TableServer {
  readonly httpServer: Server;
  readonly metadataStore: KeptStore;
  start(): Promise<void>;
}

const require = createRequire(import.meta.url);
const config = { options: { keep: { type: "string" } }, allowPositionals: true } as const;
const { script, keptFile, others } = readOptions("azurite", config, ({ values, positionals: [script, ...others] }) => {
  if (script !== "table/main.js" && script !== "azurite.js")
    throw new Error("The first word is a script of Azurite: table/main.js or azurite.js.");
  return { script, keptFile: values.keep, others };
});
process.argv.splice(2, Infinity, ...others); // the script reads them

let changed = () => {};
const faults = faultsFromParent(process, () => changed());
// The server is intercepted when Azurite's script creates it. Azurite has no extension point for its requests or its store. A proxy would
// cost a connection for each call.
const { default: tables } = require("azurite/dist/src/table/TableServer.js") as {
  readonly default: { readonly prototype: TableServer };
};
const start = Reflect.get(tables.prototype, "start");
tables.prototype.start = async function (this: TableServer) {
  changed = standBefore(this.httpServer, faults);
  const store = this.metadataStore;
  const publish = publishRows(store, (begin) => publisher<PublishedRows>("rows", begin));
  const keep = keptFile === undefined ? () => {} : keepTables(store, keptFile);
  sortTables(store, (table, row) => {
    keep(table, row);
    publish(table, row);
  });
  return start.call(this);
};

require(`azurite/dist/src/${script}`);
