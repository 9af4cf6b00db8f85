import { describe, expect, it } from "vitest";
import { failureOf } from "../../../shared/adapters/mails/failure-of.ts";

/** The error that nodemailer makes of a server's reply. */
const replied = (code: string, command: string, response: string) =>
  Object.assign(new Error(`Can't send mail: ${response}`), {
    code,
    command,
    response,
    responseCode: Number(response.slice(0, 3)),
  });

describe("a mail that the server does not accept", () => {
  it.each([
    ["RCPT TO", "550 5.1.1 <anna@example.com>: no such user"],
    ["RCPT TO", "550 No mailbox here"],
    ["RCPT TO", "552 5.2.2 The mailbox is full"],
    ["RCPT TO", "550 5.4.1 Recipient address rejected: Access denied"],
    ["DATA", "550 5.1.10 RESOLVER.ADR.RecipientNotFound"],
  ])("has a wrong address: %s %s", (command, response) => {
    const code = command === "DATA" ? "EMESSAGE" : "EENVELOPE";
    expect(failureOf(replied(code, command, response))).toEqual({
      kind: "refused",
      reason: `${code} ${response.slice(0, 3)}`,
    });
  });

  it.each([
    ["EMESSAGE", "DATA", "554 5.7.1 Message refused as spam"],
    ["EMESSAGE", "DATA", "550 Rejected"],
    ["EMESSAGE", "DATA", "552 5.3.4 Message too big"],
    ["EENVELOPE", "MAIL FROM", "553 5.1.8 Sender address rejected"],
    ["EENVELOPE", "RCPT TO", "550 5.7.1 Relaying denied"],
    ["EENVELOPE", "RCPT TO", "550 5.7.26 Unauthenticated mail is not accepted from this domain"],
  ])("is wrong itself, or has a wrong sender: %s %s %s", (code, command, response) => {
    expect(failureOf(replied(code, command, response))).toEqual({
      kind: "mailRefused",
      reason: `${code} ${response.slice(0, 3)}`,
    });
  });

  it.each([
    replied("EENVELOPE", "RCPT TO", "451 4.7.1 Greylisted"),
    replied("EMESSAGE", "DATA", "452 4.3.1 Out of storage"),
    replied("EPROTOCOL", "CONN", "554 5.7.1 Too many connections"),
    replied("EAUTH", "AUTH PLAIN", "454 4.7.0 Temporary authentication failure"),
    Object.assign(new Error("Connection timeout"), { code: "ETIMEDOUT", command: "CONN" }),
    new Error("anything else"),
    undefined,
  ])("may be accepted later: %s", (error) => {
    const reply = failureOf(error);
    expect(reply).toMatchObject({ kind: "failed" });
    expect(reply).not.toHaveProperty("isLogin");
  });

  it.each([
    replied("EAUTH", "AUTH PLAIN", "535 5.7.8 Authentication credentials invalid"),
    replied("EENVELOPE", "MAIL FROM", "530 5.7.0 Authentication required"),
    Object.assign(new Error("Missing credentials"), { code: "EAUTH", command: "API" }),
  ])("needs other credentials of the platform, and the customer is not at fault: %s", (error) => {
    expect(failureOf(error)).toMatchObject({ kind: "failed", isLogin: true });
  });

  it("passes on only codes, never the server's text, which may hold the address", () => {
    const reply = failureOf(replied("EENVELOPE", "RCPT TO", "550 5.1.1 <anna@example.com>: no such user"));
    expect(JSON.stringify(reply)).not.toContain("anna");
  });
});

it("an error in the platform itself is no answer of the mail server: it is thrown", () => {
  expect(() => failureOf(new TypeError("transport.sendMail is not a function"))).toThrow(TypeError);
});
