import { connect, nameOf } from './connect.ts';
import { appliedSteps, oldestServer, serverVersion } from './schema/migrate.ts';
import { migrations } from './schema/migrations.ts';

/** What is found out about a database without changing it. */
export interface ExaminedDatabase {
  /** Its URL without password. */
  readonly name: string;
  /** The major version of PostgreSQL. */
  readonly serverVersion: number;
  /** Whether this version is supported. */
  readonly isSupported: boolean;
  /** Whether the schema is of this version of Parley. */
  readonly schema: 'absent' | 'older' | 'current' | 'newer';
}

/** Connects to the database of a URL, and looks what it is. @throws It cannot be reached, or refuses the user. */
export async function examineDatabase(url: string, env: NodeJS.ProcessEnv): Promise<ExaminedDatabase> {
  const { sql } = connect(url, env);
  try {
    const version = await serverVersion(sql);
    const steps = await appliedSteps(sql);
    return {
      name: nameOf(url),
      serverVersion: version,
      isSupported: version >= oldestServer,
      schema: schemaOf(steps),
    };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function schemaOf(steps: number): ExaminedDatabase['schema'] {
  if (steps === 0) return 'absent';
  if (steps === migrations.length) return 'current';
  return steps < migrations.length ? 'older' : 'newer';
}
