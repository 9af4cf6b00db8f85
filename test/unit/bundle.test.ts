import { build } from "esbuild";
import { expect, it } from "vitest";
import { bundle } from "../../infra/build.ts";
import { sampleIds } from "../../shared/contracts/examples/sample-ids.ts";

it("the production bundle holds no example of the documentation", async () => {
  const built = await build({ ...bundle, sourcemap: false, write: false, metafile: true });
  const inputs = Object.keys(built.metafile.inputs);
  expect(inputs).toContain("shared/contracts/objects/payment.ts");
  expect(inputs.filter((file) => file.includes("contracts/examples/"))).toEqual([]);
  const [code = ""] = built.outputFiles.map(({ text }) => text);
  expect(code).toContain("pos-payment-request");
  expect(Object.values(sampleIds).filter((id) => code.includes(id))).toEqual([]);
});
