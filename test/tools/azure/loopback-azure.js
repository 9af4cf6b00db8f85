// Preloaded into the processes of a hook by its test. Requests to Azure go to the stand-in on loopback, with their address in a header.
const toAzure = /^https:\/\/(management\.azure\.com|[\w-]+\.vault\.azure\.net)\//;
const { fetch } = globalThis;
globalThis.fetch = (url, options) => {
  const { url: asked, headers } = new Request(url, options);
  if (!toAzure.test(asked)) return fetch(url, options);
  headers.set("x-asked-of", asked);
  return fetch(process.env.LOOPBACK_AZURE, { ...options, headers });
};
