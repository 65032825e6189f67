import { CliError } from '../cli-error.ts';
import { parseStore, type StorePlace } from '../store/parse-store.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** Whether the store of `PARLEY_STORE` can be used. A database is not changed. */
export async function examineStore({
  cwd,
  env,
}: Pick<Surroundings, 'cwd' | 'env'>): Promise<readonly Finding[]> {
  try {
    const place = parseStore(undefined, { cwd, env });
    if (place === undefined) return [];
    return place.kind === 'folder' ? [ok('store', place.folder)] : await examineUrl(place, env);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [problem('store', error.message, 'correct PARLEY_STORE, or unset it to use files')];
  }
}

async function examineUrl(
  { url }: Extract<StorePlace, { readonly kind: 'database' }>,
  env: Surroundings['env'],
): Promise<readonly Finding[]> {
  return [await examineDatabaseOf(url, env), ...examineSecrets(url, env)];
}

async function examineDatabaseOf(url: string, env: Surroundings['env']): Promise<Finding> {
  const { examineDatabase } = await import('@parley/postgres');
  try {
    const { name, serverVersion, isSupported, schema } = await examineDatabase(url, env);
    if (!isSupported) {
      return problem('store', `${name} is PostgreSQL ${String(serverVersion)}`, 'use version 15 or newer');
    }
    if (schema === 'newer') {
      const advice = 'use that version of Parley, or a newer one';
      return problem('store', `${name}: a newer version of Parley has migrated it`, advice);
    }
    return ok('store', `${name}, PostgreSQL ${String(serverVersion)}${remarks[schema]}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = 'check the address, the user and the password; or unset PARLEY_STORE to use files';
    return problem('store', `the database of PARLEY_STORE cannot be used: ${reason}`, advice);
  }
}

const remarks = {
  absent: '; "parley serve" creates the schema',
  older: '; the next "parley serve" migrates the schema',
  current: '',
} as const;

function examineSecrets(url: string, { PARLEY_SECRETS_KEY: key = '' }: Surroundings['env']): Finding[] {
  const findings: Finding[] = [];
  if (new URL(url).password !== '') {
    findings.push(
      note(
        'store',
        'PARLEY_STORE contains the password: all programs that are started from here can read it',
        'put it into ~/.pgpass, with mode 0600',
      ),
    );
  }
  if (key === '') {
    findings.push(
      note(
        'store',
        'PARLEY_SECRETS_KEY is not set: stored secrets stay on the machine that has them',
        'start all servers of the database with the same --secrets-key',
      ),
    );
  }
  return findings;
}
