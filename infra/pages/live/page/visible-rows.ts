/** Which rows of a long list are drawn: from `first`, and before `end`. */
export interface VisibleRows {
  readonly first: number;
  readonly end: number;
}

/** Rows that are drawn above and below what is seen, so that a quick scroll meets no gap. */
const BEYOND = 8;

/** The rows of equal height that a scrolled box shows. Lengths are pixels. */
export function visibleRows(list: {
  readonly count: number;
  readonly rowHeight: number;
  readonly scrolled: number;
  readonly height: number;
}): VisibleRows {
  const { count, rowHeight, scrolled, height } = list;
  const within = (row: number) => Math.min(count, Math.max(0, row));
  return {
    first: within(Math.floor(scrolled / rowHeight) - BEYOND),
    end: within(Math.ceil((scrolled + height) / rowHeight) + BEYOND),
  };
}

/** How far the box must be scrolled to show the whole row; where it is shown already, as far as it is. */
export function scrolledTo(
  row: number,
  { rowHeight, scrolled, height }: { readonly rowHeight: number; readonly scrolled: number; readonly height: number },
): number {
  const top = row * rowHeight;
  if (top < scrolled) return top;
  return Math.max(scrolled, top + rowHeight - height);
}
