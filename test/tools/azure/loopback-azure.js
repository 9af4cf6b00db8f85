// Preloaded into the processes of a hook by its test: what is asked of Azure goes to the stand-in on loopback, with its address in a header.
const toAzure = /^https:\/\/(management\.azure\.com|[\w-]+\.vault\.azure\.net)\//;
const { fetch } = globalThis;
globalThis.fetch = (url, options) => {
  const { url: asked, headers } = new Request(url, options);
  if (!toAzure.test(asked)) return fetch(url, options);
  headers.set("x-asked-of", asked);
  return fetch(process.env.LOOPBACK_AZURE, { ...options, headers });
};
