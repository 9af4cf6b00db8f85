/**
 * A record with every optional member, at any depth, and an element in every array. A literal of this type does not compile if it lacks a
 * member of the record, or if the record lacks one of the literal's members.
 */
export type Full<T> = T extends readonly (infer Element)[]
  ? readonly [Full<Element>, ...Full<Element>[]]
  : T extends object
    ? { readonly [K in keyof T]-?: Full<Exclude<T[K], undefined>> }
    : T;
