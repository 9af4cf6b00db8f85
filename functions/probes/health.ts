/** Whether this process responds. It takes no key and calls nothing, so a dependency that is away does not have the process replaced. */
export const health = {
  name: "health",
  method: "GET",
  route: "health",
  handler: async () => ({ status: 200, headers: { "cache-control": "no-store" }, jsonBody: { status: "alive" } }),
} as const;
