import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// The entry of `npm run admin`. Node keeps the compiled code of what is loaded after this call for the next command: compiling the SDKs
// takes half of a short command's time. The folder is the clone's, because one that others may write to could hold code of theirs.

enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/compile", import.meta.url)));
await import("./run.ts");
