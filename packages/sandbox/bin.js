#!/usr/bin/env node
// Plain JavaScript that any Node parses. npm only warns of an older Node than the package asks for.
import "../../infra/tools/node-version.js";

const program = "./sandbox.js"; // beside this file only in the package
await import(program);
