import type { ApiName } from "../../shared/auth/authenticate.ts";
import { endpoints } from "../../functions/endpoints.ts";
import { healthDetail } from "../../functions/operators/health-detail.ts";

// Who calls a function with which key. No key opens every function but the host's own master key.

/** Functions with one caller: one value is a key of each of them, and of no other function. */
export interface KeyGroup {
  readonly group: ApiName | "operators";
  /** The key's name at each of the functions. */
  readonly key: string;
  readonly functions: readonly string[];
  /** The named value that holds the key, where API Management sends it. Consumers and operators send theirs themselves. */
  readonly namedValue?: string;
  /** The names in Key Vault under which the host reads it, one for each function. They hold the same value. */
  readonly secrets: readonly string[];
}

const functionsOf = (api: ApiName): string[] =>
  endpoints.filter(({ contract }) => contract.api === api).map(({ contract }) => contract.name);

/**
 * The name of a function's key in Key Vault. The host writes every character but letters and digits as `-` and its code in three decimal
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
