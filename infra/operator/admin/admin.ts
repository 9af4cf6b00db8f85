import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// The entry of `npm run admin`. The compile cache keeps the code of modules that are loaded after this call, because compiling the SDKs
// takes half the time of a short command. The cache folder is inside the clone: if others could write to it, they could add their own code.

enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/compile", import.meta.url)));
await import("./run.ts");
