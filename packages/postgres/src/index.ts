export { examineDatabase, type ExaminedDatabase } from './examine-database.ts';
export { postgresStore } from './postgres-store.ts';
export type { PostgresStore, PostgresStoreOptions } from './postgres-store.ts';
export type { CommandSeal } from './replicas/commands.ts';
