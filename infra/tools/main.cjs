"use strict";

// The file that the host starts: `main.cjs` of the deployable folder. It loads the bundle.
// Stacks name the lines of `.ts` files. Node's own source maps cost a tenth of each start, because Node reads them before the first error.
// Here the first stack that is read loads the map of its file.

const { existsSync, readFileSync } = require("node:fs");
const { SourceMap } = require("node:module");

const maps = new Map();

/** @param {string} file */
function mapOf(file) {
  const path = `${file}.map`;
  if (!maps.has(file))
    maps.set(file, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, "utf8"))) : undefined);
  return maps.get(file);
}

/** @param {NodeJS.CallSite} call */
function placeOf(call) {
  const [file, line, column] = [call.getFileName(), call.getLineNumber(), call.getColumnNumber()];
  if (!file?.startsWith(__dirname) || line === null || column === null) return String(call);
  const origin = mapOf(file)?.findOrigin(line, column) ?? {};
  if (!("fileName" in origin)) return String(call);
  return String(call).replace(
    `${file}:${line}:${column}`,
    () => `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`,
  );
}

Error.prepareStackTrace = (error, calls) =>
  [Error.prototype.toString.call(error), ...calls.map((call) => `    at ${placeOf(call)}`)].join("\n");

require(`${__dirname}/app.cjs`);
