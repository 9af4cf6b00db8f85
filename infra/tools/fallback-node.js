// Plain JavaScript, because node-version.js imports it.

/**
 * Says why this process must not touch Azure: it runs on the Node that `npm ci` installed because the user's Node is too old. Undefined on
 * any other Node. One person publishes the packages of that Node, so it may only work on a local stack.
 */
export const refusalOfFallback = () =>
  /[\\/]infra[\\/]tools[\\/]node[\\/]node_modules[\\/]/.test(process.execPath)
    ? "This touches Azure, for which the Node that `npm ci` brought is not used: install Node 22.19 or newer from https://nodejs.org or with your version manager."
    : undefined;
