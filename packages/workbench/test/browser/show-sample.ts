import { serveLive } from "../../live/server.ts";
import { sampleSource } from "./sample-source.ts";

// `node packages/workbench/test/browser/show-sample.ts [port]`: the live page with sample data, for work on its design. Ctrl-C ends it.

const server = await serveLive({ port: Number(process.argv[2] ?? 0), source: sampleSource() });
console.log(server.url);
