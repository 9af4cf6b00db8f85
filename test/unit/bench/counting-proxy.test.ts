import { describe, expect, it } from "vitest";
import { requestFinder } from "../../bench/counting-proxy.ts";

const requests = [
  "GET /account/One(PartitionKey='p/q') HTTP/1.1\r\nhost: h\r\n\r\n",
  'POST /account/Two HTTP/1.1\r\nhost: h\r\ncontent-length: 9\r\n\r\n{"a":"b"}',
  "DELETE /Three()?$filter=a/b HTTP/1.1\r\nhost: h\r\n\r\n",
];

describe("requests on a connection", () => {
  it("are found once each with their tables, wherever the chunks are cut, also behind a body that ends no line", () => {
    const text = requests.join("");
    for (let cut = 0; cut <= text.length; cut++) {
      const { read } = requestFinder();
      const found = [...read(text.slice(0, cut)), ...read(text.slice(cut))];
      expect(found, `cut at ${cut}`).toEqual(["One", "Two", "Three"]);
    }
  });
});
