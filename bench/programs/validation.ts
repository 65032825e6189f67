import { sessionId, toolUpdate } from './payload.ts';

const variants = 256;

/**
 * Prints how long one validation of a parsed `session/update` with a `tool_call_update` takes.
 * `validate` gives the id of the tool call that it found.
 */
export function reportValidation(validate: (params: unknown) => string | undefined): void {
  const [, , count = '0'] = process.argv;
  const samples: unknown[] = Array.from({ length: variants }, (_, index) =>
    JSON.parse(JSON.stringify({ sessionId, update: toolUpdate(index) })),
  );
  const repeat = (times: number): number => {
    let found = 0;
    for (let index = 0; index < times; index++) {
      if (validate(samples[index % variants]) === 'call_0001') found += 1;
    }
    return found;
  };
  const warmUp = Math.min(Number(count), 20_000);
  repeat(warmUp);
  const start = performance.now();
  const found = repeat(Number(count));
  const microseconds = ((performance.now() - start) * 1000) / Number(count);
  if (found !== Number(count)) throw new Error(`${found} of ${count} samples were valid`);
  console.log(JSON.stringify({ microseconds }));
}
