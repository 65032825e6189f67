import fc from 'fast-check';

/**
 * Property tests try the same values in each run, so a change fails for what it did. `PARLEY_PROPERTY_SEED` tries others:
 * a number repeats its values, `random` takes a new one for each test, which its failure names.
 */
const usual = 1;
const chosen = process.env['PARLEY_PROPERTY_SEED'];
if (chosen !== 'random') fc.configureGlobal({ seed: seedFrom(chosen) });

function seedFrom(text: string | undefined): number {
  if (text === undefined) return usual;
  const seed = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(seed)) {
    throw new Error(`PARLEY_PROPERTY_SEED is "${text}". Give a whole number, or "random".`);
  }
  return seed;
}
