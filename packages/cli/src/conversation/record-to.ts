import { openRecording, type Recording } from '@parley/recording/node';
import { CliError } from '../cli-error.ts';
import type { Variables } from '../configuration/places.ts';
import { toFileReason, toFolderReason } from '../input-file.ts';
import { readVersion } from '../version.ts';
import type { Warn } from './prepare-conversation.ts';

/** What is recorded, and how to warn when the recording ends early. */
export interface RecordToOptions {
  /** What we call the agent. */
  readonly agent: string;
  readonly cwd: string;
  /** The variables of the agent, whose secrets are kept out of the file. */
  readonly variables: Variables;
  /** Secrets of the agent, under any names. */
  readonly secrets: readonly string[];
  readonly warn: Warn;
}

/** Opens the recording of `--record`, for every command that talks to an agent. */
export function recordTo(file: string, { agent, cwd, variables, secrets, warn }: RecordToOptions): Recording {
  try {
    return openRecording(file, {
      head: { program: `parley ${readVersion()}`, agent, cwd },
      variables,
      secrets,
      onFailure: (error) => {
        warn('recording', `${file}: ${toFileReason(error)}`);
      },
    });
  } catch (error) {
    throw new CliError('usage', `--record ${file}: ${toFolderReason(error)}`, { cause: error });
  }
}
