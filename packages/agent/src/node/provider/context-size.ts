/** How many tokens a model takes, by its name; providers do not report it. An unknown model gets a cautious size. */
export function contextSizeOf(model: string): number {
  return sizes.find(([name]) => name.test(model))?.[1] ?? 128_000;
}

const sizes: readonly (readonly [RegExp, number])[] = [
  [/gemini/iu, 1_048_576],
  [/gpt-4\.1/iu, 1_047_576],
  [/gpt-5/iu, 400_000],
  [/claude|\bo[134]\b/iu, 200_000],
];
