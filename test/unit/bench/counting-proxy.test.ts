import { describe, expect, it } from "vitest";
import { requestCounter } from "../../bench/counting-proxy.ts";

const requests = [
  "GET /t(PartitionKey='p') HTTP/1.1\r\nhost: h\r\n\r\n",
  'POST /t HTTP/1.1\r\nhost: h\r\ncontent-length: 9\r\n\r\n{"a":"b"}',
  "DELETE /t HTTP/1.1\r\nhost: h\r\n\r\n",
];

describe("requests on a connection", () => {
  it("are counted once each, wherever the chunks are cut, also behind a body that ends no line", () => {
    const text = requests.join("");
    for (let cut = 0; cut <= text.length; cut++) {
      const { read } = requestCounter();
      expect(read(text.slice(0, cut)) + read(text.slice(cut)), `cut at ${cut}`).toBe(3);
    }
  });
});
