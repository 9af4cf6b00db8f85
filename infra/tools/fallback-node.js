// Plain JavaScript, because node-version.js imports it.

/**
 * Says why this process must not touch Azure: it runs on the Node that `npm ci` installed because the user's Node is too old. Undefined on
 * any other Node. One person publishes the packages of that Node, so it may only work on a local stack.
 */
export const refusalOfFallback = () =>
  /[\\/]infra[\\/]tools[\\/]node[\\/]node_modules[\\/]/.test(process.execPath)
    ? "This command uses Azure, and must not run on the Node that `npm ci` installed: install Node 22.19 or newer from https://nodejs.org or with your version manager."
    : undefined;
