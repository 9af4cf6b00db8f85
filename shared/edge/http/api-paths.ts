import type { ApiName } from "../auth/authenticate.ts";

/**
 * The path prefix of each API below the platform's one base address. The documented paths follow it. A function's own path follows it too,
 * because the gateway strips it. (API behaviour 10)
 */
export const apiPaths: Readonly<Record<ApiName, string>> = { partners: "", consumer: "", terminals: "/terminals" };
