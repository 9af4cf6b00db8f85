import type { ApiName } from "../../shared/edge/auth/authenticate.ts";
import { endpoints } from "../../functions/endpoints.ts";
import { healthDetail } from "../../functions/operators/health-detail.ts";

// Says which caller calls a function with which key. Only the host's own master key opens every function.

/** Functions with the same caller. One value is the key of all of them, and of no other function. */
export interface KeyGroup {
  readonly group: ApiName | "operators";
  /** The key's name at each of the functions. */
  readonly key: string;
  readonly functions: readonly string[];
  /** The named value with the key, if API Management sends it. Undefined if the callers send it: consumers and operators. */
  readonly namedValue?: string;
  /** The names of the key in Key Vault, as the host reads it: one for each function. All have the same value. */
  readonly secrets: readonly string[];
}

const functionsOf = (api: ApiName): string[] =>
  endpoints.filter(({ contract }) => contract.api === api).map(({ contract }) => contract.name);

/**
 * The name of a function's key in Key Vault. The host writes every character except letters and digits as `-` and its code in three decimal
 * digits.
 */
export const keySecret = (functionName: string, key: string): string =>
  ["function", functionName, key]
    .map((part) => part.replaceAll(/[^A-Za-z0-9]/g, (c) => `-${String(c.charCodeAt(0)).padStart(3, "0")}`))
    .join("--");

const group = ({ functions, key, ...rest }: Omit<KeyGroup, "secrets">): KeyGroup => ({
  ...rest,
  key,
  functions,
  secrets: functions.map((name) => keySecret(name, key)),
});

export const keyGroups: readonly KeyGroup[] = [
  group({
    group: "partners",
    key: "gateway",
    functions: functionsOf("partners"),
    namedValue: "partners-functions-key",
  }),
  group({
    group: "terminals",
    key: "gateway",
    functions: functionsOf("terminals"),
    namedValue: "terminals-functions-key",
  }),
  group({ group: "consumer", key: "consumer", functions: functionsOf("consumer") }),
  group({ group: "operators", key: "operator", functions: [healthDetail.name] }),
];
