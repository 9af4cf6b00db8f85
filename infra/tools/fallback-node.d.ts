export function refusalOfFallback(): string | undefined;
