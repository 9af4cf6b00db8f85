const answering = (status: 200 | 503, state: string) => async () => ({
  status,
  headers: { "cache-control": "no-store" },
  jsonBody: { status: state },
});

/**
 * Responds if this process is alive. It takes no key and calls nothing, so the process is not replaced because a dependency is down. A
 * process that cannot start with its settings responds 503.
 */
export const health = {
  name: "health",
  method: "GET",
  route: "health",
  handler: answering(200, "alive"),
  notStarted: answering(503, "notStarted"),
} as const;
