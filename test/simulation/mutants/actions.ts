import { useCases, type Mutant } from "./mutant.ts";

const file = "shared/domain/action-request.ts";

/** Rules of the questions that terminals ask: each ends once, and both sides hear how. */
export const actionMutants: readonly Mutant[] = [
  {
    name: "never ends a question that nobody answers",
    file,
    find: '      { kind: "deadline", deadline: "action", due: expiresAt },\n',
    replace: "",
  },
  {
    name: "takes a second answer to a question",
    file,
    find: 'if (action.status !== "pending") return undefined;',
    replace: "if (action.status === status) return undefined;",
  },
  {
    name: "tells the partner nothing of a question whose time is over",
    file,
    find: '...(status === "expired" ? [{',
    replace: '...(status === "declined" ? [{',
  },
  {
    name: "tells the terminal nothing of a question whose time is over",
    file,
    find: '...(status === "cancelled" ? [] : [outcome])',
    replace: '...(status === "cancelled" || status === "expired" ? [] : [outcome])',
  },
  {
    name: "answers a terminal that has taken its question back",
    file,
    find: '...(status === "cancelled" ? [] : [outcome])',
    replace: "...[outcome]",
  },
  {
    name: "takes an answer without a name to what its key has not read",
    file: `${useCases}/action-requests/respond-to-action-request.ts`,
    find: "found?.action.readBy.includes(caller.keyId) ?",
    replace: "found && caller.keyId ?",
  },
  {
    name: "lists a question that is over",
    file: "shared/tables/action-requests-table.ts",
    find: '        operations.push({ kind: "discard", rowKey: marker });\n',
    replace: "        operations.push();\n",
  },
];
