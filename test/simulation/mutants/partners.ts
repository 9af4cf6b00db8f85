import { useCases, type Mutant } from "./mutant.ts";

/** Rules of partners: each reaches only its own sessions and terminals. */
export const partnerMutants: readonly Mutant[] = [
  {
    name: "names another partner's session as the duplicate",
    file: "shared/domain/payment/requests/duplicate.ts",
    find: "findLast(({ holder }) => holder.partnerId === claim.partnerId);",
    replace: "findLast(({ holder }) => holder.partnerId.length > 0);",
  },
  {
    name: "lets a key reach every terminal of its partner",
    file: `${useCases}/caller.ts`,
    find: "terminalIds === undefined || (terminalId !== undefined && terminalIds.includes(terminalId));",
    replace: "terminalIds === undefined || terminalId !== undefined;",
  },
  {
    name: "shares one partition among the sessions of all partners",
    file: "shared/stores/keys.ts",
    find: "export const sessionsPartition = (partnerId: string): string => part(partnerId);",
    replace: 'export const sessionsPartition = (partnerId: string): string => part(partnerId && "all");',
  },
];
