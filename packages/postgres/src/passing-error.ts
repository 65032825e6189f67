import postgres from 'postgres';

/** Classes of SQLSTATE that end by themselves: connection, serialization, resources, operator, system. */
const passingClasses: ReadonlySet<string> = new Set(['08', '40', '53', '57', '58']);

/** Codes that a user has to do something about: rights, password, an unknown database. */
const lastingCodes: ReadonlySet<string> = new Set(['28000', '28P01', '3D000', '42501', '3F000']);

/** Whether what failed can succeed later without a change: the database cannot be reached, or has no room. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof postgres.PostgresError) || passingClasses.has(error.code.slice(0, 2));
}

/** Whether the database refuses this user, or does not exist. */
export function isRefusal(error: unknown): boolean {
  return error instanceof postgres.PostgresError && lastingCodes.has(error.code);
}
