import { describe, expect, it } from "vitest";
import { readTriggers } from "../../triggers.ts";

const metadata = {
  name: "notes",
  bindings: { message: { type: "serviceBusTrigger", direction: "in" as const, queueName: "notes", connection: "BUS" } },
};
const notes = { id: "notes", name: "notes", metadata, callback: () => undefined };

/** The queue connection of a function with these app settings. */
const connectionWith = (settings: Readonly<Record<string, string>>) =>
  readTriggers([notes], (name) => settings[name]).queues[0]?.connection;

const namespace = "payments.servicebus.windows.net";

describe("a queue trigger", () => {
  it("has its connection under the exact name, whatever begins with it", () => {
    const settings = { BUS: "Endpoint=sb://localhost", BUS__fullyQualifiedNamespace: namespace };
    expect(connectionWith(settings)).toBe("Endpoint=sb://localhost");
    expect(connectionWith({ AzureWebJobsBUS: "Endpoint=sb://localhost" })).toBe("Endpoint=sb://localhost");
  });

  it("has it else by the settings that begin with the name, with an identity", () => {
    expect(connectionWith({ BUS__fullyQualifiedNamespace: namespace })).toEqual({
      fullyQualifiedNamespace: namespace,
      clientId: undefined,
      managedIdentityOnly: false,
    });
    expect(
      connectionWith({
        BUS__fullyQualifiedNamespace: namespace,
        BUS__clientId: "id",
        BUS__credential: "managedIdentity",
      }),
    ).toEqual({ fullyQualifiedNamespace: namespace, clientId: "id", managedIdentityOnly: true });
  });

  it.each([
    [{}, 'needs the app setting "BUS", which is missing or empty, or with an identity "BUS__fullyQualifiedNamespace"'],
    [{ BUS__clientId: "id" }, 'needs the app setting "BUS"'],
    [
      { BUS__fullyQualifiedNamespace: namespace, BUS__credential: "workloadidentity" },
      'BUS__credential "workloadidentity" is not supported here',
    ],
  ])("is refused without either: %#", (settings, complaint) => {
    expect(() => connectionWith(settings)).toThrow(complaint);
  });
});
