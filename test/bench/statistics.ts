/** The least value that at least so many percent of the values do not exceed (nearest rank). NaN for an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** The middle value, or the mean of the two middle values. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** The comparison of two series. */
export interface Ratio {
  /** The median of the pairs' ratios. */
  readonly ratio: number;
  /** The least and the greatest of them. */
  readonly from: number;
  readonly to: number;
}

/**
 * Compares values with those that were measured next to them, in pairs, so that the machine's other load affects both. Throws where the
 * numbers of values differ.
 */
export function ratioOf(values: readonly number[], beside: readonly number[]): Ratio {
  if (values.length !== beside.length || values.length === 0)
    throw new Error(`${values.length} values beside ${beside.length} do not pair`);
  const ratios = values.map((value, i) => value / (beside[i] ?? Number.NaN));
  return { ratio: median(ratios), from: Math.min(...ratios), to: Math.max(...ratios) };
}

/** For readers: `0.87 (0.81 to 0.92)`. */
export const ratioText = ({ ratio, from, to }: Ratio): string =>
  `${ratio.toFixed(2)} (${from.toFixed(2)} to ${to.toFixed(2)})`;

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));
