import { enableCompileCache } from "node:module";
import { compileCache } from "../../tools/packed.ts";

// The entry of `npm run admin`. The compile cache keeps the code of modules that are loaded after this call, because compiling the SDKs
// takes half the time of a short command.

enableCompileCache(compileCache);
await import("./run.ts");
