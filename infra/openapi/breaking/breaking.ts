import { operationsOf, type Document, type Placed } from "./document.ts";
import { operationBreaks, webhookBreaks } from "./operation.ts";
import { securityBreaks } from "./security.ts";
import { refuseUnknown } from "./vocabulary.ts";

/** Whether the current version may break callers of the released one: its major number is higher. */
export const mayBreak = (released: Document, current: Document): boolean =>
  Number.parseInt(current.info.version) > Number.parseInt(released.info.version);

/**
 * The changes in the current document that break callers of the released one, in sentences and in the released document's order; none where
 * there is none. Throws for what it does not understand in either document.
 */
export function breakingChanges(released: Document, current: Document): string[] {
  for (const document of [released, current]) refuseUnknown(document);
  const documents = { released, current };
  const servers = current.servers?.map(({ url }) => url) ?? [];
  return [
    ...(released.servers ?? [])
      .filter(({ url }) => !servers.includes(url))
      .map(({ url }) => `the server ${url} is gone`),
    ...matched(operationsOf(released.paths), operationsOf(current.paths), (before, after) => [
      ...securityBreaks(before, after, documents),
      ...operationBreaks(before, after, documents),
    ]),
    ...matched(operationsOf(released.webhooks), operationsOf(current.webhooks), (before, after) =>
      webhookBreaks(before, after, documents),
    ),
  ];
}

/** Operations are matched by their identifiers. */
const matched = (
  released: readonly Placed[],
  current: readonly Placed[],
  compare: (before: Placed, after: Placed) => string[],
): string[] =>
  released.flatMap((before) => {
    const after = current.find(({ operationId }) => operationId === before.operationId);
    return after ? compare(before, after) : [`${before.operationId} is gone`];
  });
