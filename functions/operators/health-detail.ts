import { checkHealth, type CheckHealthDeps } from "../../shared/use-cases/health/check-health.ts";

/**
 * Reports whether tables, bus and settings are as the app needs them, with the milliseconds of each check. It responds 200, or 503 if any
 * check fails. It requires the function's key, and the gateway does not expose it, because the response names what is wrong.
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
