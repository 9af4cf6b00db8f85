import { describe, expect, it } from "vitest";
import { mailboxOf, ownedDomainOf } from "../../../shared/domain/mail-domain.ts";
import { isEmailAddress, maskAddress, sameMailbox } from "../../../shared/domain/email-address.ts";

describe("an e-mail address", () => {
  it.each([
    "anna@example.com",
    "Anna.Larsson+vouchers@mail.example.co.uk",
    "o'brien@example.com",
    "x@y.se",
    `${"a".repeat(64)}@example.com`,
    "1@2-3.museum",
  ])("may be %s", (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each([
    ["nothing", ""],
    ["no at sign", "anna.example.com"],
    ["no name", "@example.com"],
    ["no domain", "anna@"],
    ["a domain without a dot", "anna@localhost"],
    ["an address literal", "anna@[127.0.0.1]"],
    ["a number for a top-level domain", "anna@10.0.0.1"],
    ["two at signs", "anna@b@example.com"],
    ["a dot at the end of the name", "anna.@example.com"],
    ["two dots", "an..na@example.com"],
    ["a hyphen at the end of a label", "anna@example-.com"],
    ["a space", "anna larsson@example.com"],
    ["a display name", "Anna <anna@example.com>"],
    ["angle brackets", "<anna@example.com>"],
    ["a list", "anna@example.com,eve@example.com"],
    ["a list with semicolons", "anna@example.com;eve@example.com"],
    ["a header behind it", "anna@example.com\r\nBcc: eve@example.com"],
    ["a line break before it", "\nanna@example.com"],
    ["a line break after it", "anna@example.com\n"],
    ["a NUL", "anna\0@example.com"],
    ["a quoted name", '"anna"@example.com'],
    ["a comment", "anna(eve)@example.com"],
    ["a name that is too long", `${"a".repeat(65)}@example.com`],
    ["more than a path may hold", `anna@${"a.".repeat(125)}com`],
  ])("is not %s", (_, text) => {
    expect(isEmailAddress(text)).toBe(false);
  });

  it("is the same mailbox in another case", () => {
    expect(sameMailbox("Anna@Example.COM")).toBe(sameMailbox("anna@example.com"));
  });
});

describe("a masked address", () => {
  it.each([
    ["anna@example.com", "a***@e***.com"],
    ["anna.larsson@mail.example.se", "a***@m***.se"],
    ["al@io.se", "***@***.se"],
    ["b@example.com", "***@e***.com"],
  ])("shows little of %s", (address, mask) => {
    expect(maskAddress(address)).toBe(mask);
  });
});

describe("the key under which an address is counted", () => {
  it.each([
    ["Anna.Larsson+a@Example.com", "anna.larsson@example.com"],
    ["+anna@example.com", "+anna@example.com"],
    ["a.n.n.a+x+y@GoogleMail.com", "anna@gmail.com"],
    ["an.na@gmail.com", "anna@gmail.com"],
  ])("is its mailbox: %s", (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });

  it.each([
    ["anna@Example.com", "example.com"],
    ["anna@a.b.example.com", "example.com"],
    ["anna@shop.example.co.uk", "example.co.uk"],
    ["anna@mail.abc.se", "abc.se"],
    ["anna@gmail.com", undefined],
    ["anna@telia.com", undefined],
  ])("and the domain that its owner registered, except for mailbox providers: %s", (address, domain) => {
    expect(ownedDomainOf(address)).toBe(domain);
  });
});
