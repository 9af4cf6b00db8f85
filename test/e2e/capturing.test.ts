import { describe, expect, it } from "vitest";
import { partnerFor } from "../support/partner.ts";

const { partner, capture, onAutopilot, pay, request, silent, until } = partnerFor("capturing");

describe("a capture", () => {
  it("of a part lets the terminal capture only that part, and another amount is refused after it", async () => {
    await silent.online();
    const body = request();
    await pay(body);
    await silent.approve(body.sessionID);
    expect(await capture(body, { captureAmount: 100.25 })).toMatchObject({
      status: 202,
      body: { status: "captureRequested", final: false, amounts: { authorized: 125.5, captured: 0 } },
    });
    const message = await silent.reach("capture", body.sessionID);
    expect(message).toMatchObject({ amount: 100.25, currency: "SEK" });
    await silent.sendReport(message, "captured");
    expect(await until(body.sessionID, "captured")).toMatchObject({
      final: true,
      amounts: { authorized: 125.5, captured: 100.25 },
    });
    expect(await capture(body)).toMatchObject({
      status: 409,
      body: { code: "invalid_state", currentStatus: "captured" },
    });
  });

  it("is refused on another terminal, and above the authorization", async () => {
    const body = onAutopilot();
    await pay(body);
    await until(body.sessionID, "authorized");
    const { pointOfServiceID } = partner.terminals.silent;
    expect(await capture({ ...body, pointOfServiceID })).toMatchObject({
      status: 422,
      body: { code: "terminal_mismatch" },
    });
    expect(await capture(body, { captureAmount: 125.51 })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "captureAmount" }] },
    });
    await until(body.sessionID, "authorized");
  });

  it("that fails leaves the payment authorized, with the reason", async () => {
    const body = onAutopilot({ totalAmountInclVat: 100.11 });
    await pay(body);
    await until(body.sessionID, "authorized");
    await capture(body);
    expect(await until(body.sessionID, "authorized")).toMatchObject({ statusReason: "captureFailed" });
  });
});
