import type { ApiName } from "../auth/authenticate.ts";

/**
 * The path of each API below the platform's one base address. The paths of its documents follow it, and so does a function's own path: the
 * gateway takes it off. (API behaviour 10)
 */
export const apiPaths: Readonly<Record<ApiName, string>> = { partners: "", consumer: "", terminals: "/terminals" };
