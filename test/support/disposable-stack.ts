// Node 22 has no AsyncDisposableStack. Vitest transforms `using`, and this class replaces the global that tests use in addition.

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
