/** The rows of a long list to draw: from `first`, up to but not including `end`. */
export interface VisibleRows {
  readonly first: number;
  readonly end: number;
}

/** Additional rows above and below the visible ones, so that a quick scroll shows no gap. */
const BEYOND = 8;

/** The rows of equal height that a scrolled box shows. Lengths are in pixels. */
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

/** The scroll position that shows the whole row. Unchanged if the row is already visible. */
export function scrolledTo(
  row: number,
  { rowHeight, scrolled, height }: { readonly rowHeight: number; readonly scrolled: number; readonly height: number },
): number {
  const top = row * rowHeight;
  if (top < scrolled) return top;
  return Math.max(scrolled, top + rowHeight - height);
}
