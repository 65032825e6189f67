import fc from 'fast-check';

/** Which words and commands generated lines are made of. */
export interface GeneratedWords {
  readonly words: readonly string[];
  readonly commands: readonly string[];
}

/** Lines that a shell may understand: commands, quotes, substitutions, lists and groups in each other. */
export function generatedLine({ words, commands }: GeneratedWords): fc.Arbitrary<string> {
  return fc.letrec<{ word: string; command: string; list: string }>((tie) => ({
    word: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...words) },
      { weight: 1, arbitrary: tie('list').map((list) => `$(${list})`) },
      { weight: 1, arbitrary: tie('list').map((list) => `"x$(${list})"`) },
    ),
    command: fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .tuple(fc.constantFrom(...commands), fc.array(tie('word'), { maxLength: 2 }))
          .map(([command, rest]) => [command, ...rest].join(' ')),
      },
      { weight: 1, arbitrary: tie('list').map((list) => `(${list})`) },
      { weight: 1, arbitrary: tie('list').map((list) => `{ ${list}; }`) },
      {
        weight: 1,
        arbitrary: tie('list').map((list) => `sh -c '${list.replaceAll("'", String.raw`'\''`)}'`),
      },
    ),
    list: fc
      .tuple(
        tie('command'),
        fc.array(fc.tuple(fc.constantFrom('; ', ' | ', ' && ', ' || ', '\n'), tie('command')), {
          maxLength: 1,
        }),
      )
      .map(([first, rest]) => first + rest.flat().join('')),
  })).list;
}
