import type { CliError } from '../cli-error.ts';
import { outcomeOfError } from '../conversation/outcome.ts';
import { createJsonOutput } from '../output/json.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';

/** Ends a run whose flags could not be read: whoever reads the events still gets their end. */
export async function refuseRun(error: CliError, { stdout }: Surroundings): Promise<void> {
  await createJsonOutput(createWriter(stdout)).stop(outcomeOfError(error));
}
