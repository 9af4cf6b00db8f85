/** A call of the Service Bus client that got no response in time. */
export class CallTimedOut extends Error {
  override readonly name = "CallTimedOut";
}

/**
 * The result of a call of the Service Bus client. Rejects with `CallTimedOut` after `ms` milliseconds. The call then goes on by itself, and
 * may still succeed. It gets no abort signal: at an abort the client closes a link without awaiting the end, and reads a link that is not open yet.
 * Nothing can catch either error, so it would end the process.
 */
export async function withinTime<T>(call: Promise<T>, ms: number): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new CallTimedOut(`no response within ${ms} ms`)), ms);
  try {
    return await Promise.race([call, ended]);
  } finally {
    clearTimeout(timer);
  }
}
