import postgres from 'postgres';

/** Classes of SQLSTATE that end by themselves: connection, serialization, resources, operator, system. */
const passingClasses: ReadonlySet<string> = new Set(['08', '40', '53', '57', '58']);

/** Codes that a user has to do something about: rights, password, an unknown database. */
const lastingCodes: ReadonlySet<string> = new Set(['28000', '28P01', '3D000', '42501', '3F000']);

/** Whether what failed can succeed later without a change: the database cannot be reached, or has no room. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof postgres.PostgresError) || passingClasses.has(error.code.slice(0, 2));
}

/** Whether what was read can be read again: the connection was lost, or the database restarts. Not once the connections were ended here. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return passingClasses.has(error.code.slice(0, 2));
  // The codes of the driver and of the system; ours have small letters.
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z_]+$/u.test(code) && code !== 'CONNECTION_ENDED';
}

/** Whether the database refuses this user, or does not exist. */
export function isRefusal(error: unknown): boolean {
  return error instanceof postgres.PostgresError && lastingCodes.has(error.code);
}
