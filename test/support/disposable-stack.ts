// Node 22 has no AsyncDisposableStack. Vitest rewrites `using` for it, and this stands in for the global that tests use beside it.

class Stack {
  readonly #ends: (() => unknown)[] = [];

  adopt<Value>(value: Value, end: (value: Value) => unknown): Value {
    this.#ends.push(() => end(value));
    return value;
  }

  use<Value extends AsyncDisposable>(value: Value): Value {
    return this.adopt(value, (used) => used[Symbol.asyncDispose]());
  }

  defer(end: () => unknown): void {
    this.#ends.push(end);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
  }
}

Object.assign(globalThis, { AsyncDisposableStack: globalThis.AsyncDisposableStack ?? Stack });
