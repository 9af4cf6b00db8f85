import { useEffect, useState } from "preact/hooks";
import { read } from "./ask.ts";

export interface Read<Result> {
  readonly result: Result | undefined;
  /** Why there is no result, as a sentence. */
  readonly trouble: string | undefined;
}

/** The JSON of a path, read once. A result of an earlier path is dropped. */
export function useRead<Result>(path: string): Read<Result> {
  const [known, setKnown] = useState<Read<Result> & { readonly path: string }>();
  useEffect(() => {
    let isOver = false;
    const keep = (next: Read<Result>) => {
      if (!isOver) setKnown({ ...next, path });
    };
    read<Result>(path).then(
      (result) => keep({ result, trouble: undefined }),
      (error: unknown) => keep({ result: undefined, trouble: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [path]);
  return known?.path === path ? known : { result: undefined, trouble: undefined };
}
