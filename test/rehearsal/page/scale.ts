/** A round number from `least` up that divides a scale into steps of a length that is easily read. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, Number.MIN_VALUE)));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** The lines of a scale from 0 up to a round number that is not below `highest`: at most `most` of them above 0. */
export function stepsTo(highest: number, most: number): readonly number[] {
  const step = roundUp(Math.max(highest, 1e-6) / most);
  const count = Math.max(1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

const MINUTES = [5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600];

/** The moments of a time axis, in seconds, at most `most` of them after 0. */
export function momentsTo(seconds: number, most: number): readonly number[] {
  const step = MINUTES.find((one) => seconds / one <= most) ?? 3_600;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, i) => i * step);
}
