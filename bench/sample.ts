/** Takes the numbers out of what a program printed. */
export function numbersOf(value: unknown): Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null) throw new Error('a program did not print an object');
  const numbers: Record<string, number> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === 'number') numbers[key] = entry;
  }
  return numbers;
}

/** The number under a key; its absence is a fault of the bench. */
export function numberAt(numbers: Readonly<Record<string, number>>, key: string): number {
  const value = numbers[key];
  if (value === undefined) throw new Error(`a program did not report "${key}"`);
  return value;
}
