/** The least value that at least so many percent of the values do not exceed (nearest rank). NaN of nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** The middle one, or what lies half way between the middle two. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** How one of two compares with the other. */
export interface Ratio {
  /** The median of the pairs' ratios. */
  readonly ratio: number;
  /** The least and the greatest of them. */
  readonly from: number;
  readonly to: number;
}

/**
 * How values compare with those that were measured beside them: each with its neighbour, so that what the machine did meanwhile falls on both.
 * Throws where they do not pair.
 */
export function ratioOf(values: readonly number[], beside: readonly number[]): Ratio {
  if (values.length !== beside.length || values.length === 0)
    throw new Error(`${values.length} values beside ${beside.length} do not pair`);
  const ratios = values.map((value, i) => value / (beside[i] ?? Number.NaN));
  return { ratio: median(ratios), from: Math.min(...ratios), to: Math.max(...ratios) };
}

/** For people: `0.87 (0.81 to 0.92)`. */
export const ratioText = ({ ratio, from, to }: Ratio): string =>
  `${ratio.toFixed(2)} (${from.toFixed(2)} to ${to.toFixed(2)})`;

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));
