import { checkHealth, type CheckHealthDeps } from "../../shared/use-cases/health/check-health.ts";

/**
 * Whether tables, bus and settings are as the app needs them, with the milliseconds of each: 200, or 503 where one is not. It needs the
 * function's key, and the gateway does not offer it: it names what is wrong.
 */
export const healthDetail = {
  name: "health-detail",
  method: "GET",
  route: "health/detail",
  handler: (deps: CheckHealthDeps & { readonly version: string }) => async () => {
    const checks = await checkHealth(deps);
    const isWell = checks.every(({ isOk }) => isOk);
    return {
      status: isWell ? 200 : 503,
      headers: { "cache-control": "no-store" },
      jsonBody: { status: isWell ? "well" : "impaired", version: deps.version, checks },
    };
  },
} as const;
