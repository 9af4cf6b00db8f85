import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

// A backend that returns each request's content, in a process of its own: started by `gateway-overhead.ts`, and ended with it.

const server = createServer((request, response) => {
  void (async () => {
    response.writeHead(202, { "content-type": "application/json" }).end(await text(request));
  })();
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
console.log(JSON.stringify({ port: typeof address === "object" && address ? address.port : 0 }));
process.once("disconnect", () => process.exit(0));
