const answering = (status: 200 | 503, state: string) => async () => ({
  status,
  headers: { "cache-control": "no-store" },
  jsonBody: { status: state },
});

/**
 * Whether this process responds. It takes no key and calls nothing, so a dependency that is away does not have the process replaced. A
 * process that cannot start with its settings says so.
 */
export const health = {
  name: "health",
  method: "GET",
  route: "health",
  handler: answering(200, "alive"),
  notStarted: answering(503, "notStarted"),
} as const;
