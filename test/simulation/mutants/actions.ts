import { useCases, type Mutant } from "./mutant.ts";

const file = "shared/domain/action-request.ts";

/** Rules of action requests: each ends once, and both sides are notified. */
export const actionMutants: readonly Mutant[] = [
  {
    name: "never ends an action request without a response",
    file,
    find: '      { kind: "deadline", deadline: "action", due: expiresAt },\n',
    replace: "",
  },
  {
    name: "accepts a second response to an action request",
    file,
    find: 'if (action.status !== "pending") return undefined;',
    replace: "if (action.status === status) return undefined;",
  },
  {
    name: "sends no webhook of an expired action request",
    file,
    find: '...(status === "expired" ? [{',
    replace: '...(status === "declined" ? [{',
  },
  {
    name: "sends the terminal no message of an expired action request",
    file,
    find: '...(status === "cancelled" ? [] : [outcome])',
    replace: '...(status === "cancelled" || status === "expired" ? [] : [outcome])',
  },
  {
    name: "sends a response to a terminal that withdrew its action request",
    file,
    find: '...(status === "cancelled" ? [] : [outcome])',
    replace: "...[outcome]",
  },
  {
    name: "accepts an unnamed response from a key that has not read the request",
    file: `${useCases}/action-requests/respond-to-action-request.ts`,
    find: "found?.action.readBy.includes(caller.keyId) ?",
    replace: "found && caller.keyId ?",
  },
  {
    name: "lists a concluded action request as pending",
    file: "shared/stores/action-requests.ts",
    find: '        operations.push({ kind: "discard", rowKey: marker });\n',
    replace: "        operations.push();\n",
  },
];
